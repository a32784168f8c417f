import { checkedEvidence } from '../activities/checked-answers';
import type { Database } from '../ledger/database';
import type { Ledger } from '../ledger/ledger';
import { tenantsOf } from '../ledger/tenants-of';
import type { Recorded } from '../operations/event';
import type { Evidence } from '../operations/evidence';
import { fold, type Operation } from '../operations/fold';
import { tenantOfKey } from '../operations/key';
import { webhookEvidence } from '../operations/webhook-evidence';
import type { EffectNews } from '../providers/provider';
import type { WebhookProvider } from './webhook-providers';

export interface WebhookStores {
  readonly database: Database;
  readonly ledger: Ledger;
}

export interface RecordWebhook extends WebhookStores {
  readonly provider: WebhookProvider;
  readonly news: EffectNews;
}

export type RecordedWebhook =
  | { readonly kind: 'recorded' | 'known'; readonly tenant: string }
  | { readonly kind: 'foreign' | 'ambiguous' | 'unreadable'; readonly why: string };

/** More tenants than this with one operation ID, and none named: their stored requests are not compared any more. */
const MOST_TENANTS = 20;

/** Lost races for one operation. Each one was lost to another event, and operations have few. */
const MOST_TRIES = 20;

/**
 * Appends what a webhook tells of an effect to its operation. It may come again, late, and in any order: the fold takes
 * it in any, and what tells nothing new is not appended. Throws where the ledger is out of reach.
 */
export async function recordWebhook(record: RecordWebhook): Promise<RecordedWebhook> {
  const { news } = record;
  const tenants = await possibleTenants(record);
  if (tenants.length > MOST_TENANTS) {
    return { kind: 'ambiguous', why: `More than ${MOST_TENANTS} tenants have an operation ${news.operationId}.` };
  }
  const judged = await Promise.all(tenants.map((tenant) => judge(record, tenant)));
  const candidates = judged.filter((candidate) => candidate !== null);
  const [only] = candidates;
  if (only === undefined) return { kind: 'foreign', why: `The ledger has no operation ${news.operationId} for it.` };
  if (candidates.length === 1) return append(record, only);
  // A payment is one tenant's. Where it matches nobody's request there is nothing to go by, and no guess is recorded.
  const [matching, ...more] = candidates.filter(({ evidence }) => isMatch(evidence));
  if (matching !== undefined && more.length === 0) return append(record, matching);
  const names = candidates.map(({ tenant }) => tenant).join(', ');
  return { kind: 'ambiguous', why: `The tenants ${names} have an operation ${news.operationId}.` };
}

/** Where tenants share the account, the key names one of them. */
async function possibleTenants({ provider, news, database }: RecordWebhook): Promise<readonly string[]> {
  const { operationId, key } = news;
  if (!provider.sharedAccount || key === null) return tenantsOf(database, operationId, MOST_TENANTS + 1);
  const tenant = tenantOfKey(key);
  return tenant === null ? [] : [tenant];
}

interface Candidate {
  readonly tenant: string;
  readonly events: readonly Recorded[];
  readonly operation: Operation;
  readonly evidence: Evidence;
}

/** What the effect is to the tenant's operation of that ID; null where there is none that it can be of. */
async function judge({ ledger, provider, news }: RecordWebhook, tenant: string): Promise<Candidate | null> {
  const { operationId, key } = news;
  const { events } = await ledger.load({ tenant, operationId });
  const operation = fold(events);
  if (operation === null || operation.provider !== provider.name) return null;
  const stored = operation.generations.flatMap(({ registration }) => (registration === null ? [] : [registration]));
  // Each generation has a request of its own, and the key tells whose the effect is.
  const registration = stored.find((each) => each.key === key) ?? stored.at(-1);
  if (registration === undefined) return null;
  const keys = stored.map((each) => each.key);
  const told = news.evidence({ request: registration.request, operationId, keys });
  // Providers are the user's code: what cannot be read back must not become an event.
  return told === null ? null : { tenant, events, operation, evidence: await checkedEvidence(async () => told) };
}

async function append(record: RecordWebhook, first: Candidate): Promise<RecordedWebhook> {
  const { ledger, news } = record;
  const { tenant } = first;
  let candidate: Candidate | null = first;
  for (let tries = 0; tries < MOST_TRIES && candidate !== null; tries++) {
    const { operation, events, evidence } = candidate;
    if (evidence.kind === 'inconclusive') return { kind: 'unreadable', why: evidence.why };
    const event = webhookEvidence(operation, events, evidence);
    if (event === null) return { kind: 'known', tenant };
    const { operationId } = news;
    if ((await ledger.save({ tenant, operationId, before: events, events: [event] })) !== null) {
      return { kind: 'recorded', tenant };
    }
    // Somebody else wrote: a call its answer, or the same webhook, sent twice at once. It is decided again on theirs.
    candidate = await judge(record, tenant);
  }
  throw new Error(`${news.about}: ${MOST_TRIES} races for ${news.operationId} were lost. It has to be sent again.`);
}

function isMatch(evidence: Evidence): boolean {
  return evidence.kind === 'found' && evidence.effects.every(({ mismatch }) => mismatch === null);
}
