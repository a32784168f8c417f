#!/bin/sh
# Makes the namespace that TEMPORAL_NAMESPACE names, where it is not there. The address is in TEMPORAL_ADDRESS.
set -eu

temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1 && exit 0
temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention 720h
