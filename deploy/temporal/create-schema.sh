#!/bin/sh
# Makes Temporal's two databases, or brings them to this release. Safe to run again. The password is in SQL_PASSWORD.
set -eu

for database in temporal temporal_visibility; do
  folder=${database#temporal_}
  sql() { temporal-sql-tool --plugin postgres12 --ep "$POSTGRES_HOST" -p 5432 -u "$POSTGRES_USER" --db "$database" "$@"; }
  sql create
  sql setup-schema -v 0.0
  sql update-schema -d "/etc/temporal/schema/postgresql/v12/$folder/versioned"
done
