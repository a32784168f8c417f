import type { StoredAnswer } from './fact';
import type { Store } from './store';

/** Stripe prunes a key some time after 24 hours. The fake does it at the first moment allowed, which is the harshest. */
const KEY_LIFETIME_MS = 24 * 3_600_000;

/** Longer ones are refused. */
export const KEY_MAX_LENGTH = 255;

export type KeyUse =
  /** Nothing is known of the key. It is in use until `done` is called. */
  | { readonly kind: 'first'; readonly firstUsedAt: number; done(): void }
  | { readonly kind: 'stored'; readonly stored: StoredAnswer }
  | { readonly kind: 'in-use' }
  | { readonly kind: 'other-parameters' };

/**
 * Which request a key belongs to. Stored answers live in the store; what runs lives here and dies with the process.
 * Only one endpoint of the fake takes keys, so account and key name a request.
 */
export class IdempotencyLayer {
  readonly #store: Store;
  readonly #running = new Map<string, { readonly fingerprint: string }>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Without a key every request is a first one. */
  begin(account: string, key: string | null, fingerprint: string): KeyUse {
    const firstUsedAt = this.#store.now();
    if (key === null) return { kind: 'first', firstUsedAt, done: () => {} };
    const name = JSON.stringify([account, key]);
    const running = this.#running.get(name);
    if (running !== undefined) return { kind: running.fingerprint === fingerprint ? 'in-use' : 'other-parameters' };
    const stored = this.#store.storedAnswer(account, key);
    if (stored !== null && firstUsedAt - stored.firstUsedAt < KEY_LIFETIME_MS) {
      return stored.fingerprint === fingerprint ? { kind: 'stored', stored } : { kind: 'other-parameters' };
    }
    const own = { fingerprint };
    this.#running.set(name, own);
    return { kind: 'first', firstUsedAt, done: () => this.#free(name, own) };
  }

  /** May be called again, and late: it never frees the key for a request that took it since. */
  #free(name: string, own: object): void {
    if (this.#running.get(name) === own) this.#running.delete(name);
  }
}
