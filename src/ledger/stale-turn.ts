/**
 * A turn whose wake-up may have been lost: nobody has ended it, or delivered what it told, a minute after its row, and
 * nobody was hinted at it in the last ten minutes. With `clock.at`, the ledger's time.
 */
export const STALE_TURN = `(outcome is null or (kind = 'follow_up' and delivered_at is null))
  and coalesce(hinted_at + interval '10 minutes', created_at + interval '1 minute') <= clock.at`;
