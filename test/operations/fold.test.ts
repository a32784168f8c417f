// Needs nothing.
import type { Recorded } from '../../src/operations/event';
import { fold } from '../../src/operations/fold';
import { foldGenerations } from '../../src/operations/fold-generations';
import { foldSightings } from '../../src/operations/fold-sightings';
import { inFlightUntil, isSettled, STATES, stateAt } from '../../src/operations/state';
import {
  ABSENT,
  AT_12_00_10,
  AT_12_00_40,
  accepted,
  answered,
  CALL_A,
  CALL_B,
  closed,
  confirmed,
  dropped,
  effect,
  escalated,
  evidence,
  folded,
  found,
  INCONCLUSIVE,
  KEY_2,
  marked,
  NONE_SEND_AGAIN,
  NOON,
  notSubmitted,
  recorded,
  registered,
  rejected,
  SENT,
  said,
  unknown,
} from './fixtures';

describe('the state of an operation', () => {
  test('is nothing before anybody called for it', () => {
    expect(fold([])).toBeNull();
    expect(fold(recorded(evidence(ABSENT)))).toBeNull();
  });

  test('is registered until an attempt is marked, and again where no attempt left', () => {
    expect(folded(registered()).state).toBe('registered');
    expect(folded(...SENT, answered(notSubmitted())).state).toBe('registered');
  });

  test('is submitted from the mark on: marked means that it may have taken effect', () => {
    expect(folded(...SENT).state).toBe('submitted');
  });

  test('is unknown after an unknown answer, with its reason', () => {
    expect(folded(...SENT, answered(unknown('allowed', 'socket hang up')))).toMatchObject({
      state: 'unknown',
      reason: 'socket hang up',
      externalId: null,
      resolvedBy: null,
    });
  });

  test('is confirmed, accepted or rejected by an answer that says so', () => {
    expect(folded(...SENT, answered(confirmed()))).toMatchObject({
      state: 'confirmed',
      externalId: 're_1',
      resolvedBy: 'answer',
    });
    expect(folded(...SENT, answered(accepted()))).toMatchObject({ state: 'accepted', externalId: 're_1' });
    expect(folded(...SENT, answered(rejected()))).toMatchObject({
      state: 'rejected',
      reason: 'charge_disputed: The charge is disputed.',
      resolvedBy: 'answer',
    });
  });

  test('keeps its version, its customers and who its calls are', () => {
    const operation = folded(
      ...SENT,
      answered(unknown()),
      marked(1, 2, { call: { ...CALL_B, customer: 'customer-78' } }),
    );
    expect(operation).toMatchObject({ version: 4, tool: 'refund_line_item', provider: 'stripe.refunds' });
    expect(operation.customers).toEqual(['customer-77', 'customer-78']);
    expect(operation.calls.get(CALL_A.callId)).toEqual({
      activityAttempt: 1,
      answered: true,
      closed: false,
      marked: [1],
    });
  });

  test('has no customer by reconciliation, which acts for nobody', () => {
    const nobody = { callId: 'reconciliation/7', activityAttempt: 1, sessionId: '', customer: '' };
    expect(folded(...SENT, answered(unknown()), marked(1, 2, { call: nobody })).customers).toEqual(['customer-77']);
  });

  test('has its generations in the order of their numbers, whatever the order of the history', () => {
    const events = recorded(registered(3), registered(1), registered(2));
    expect(foldGenerations(events).map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(fold(events)?.current.number).toBe(3);
  });

  test('keeps what a call did, whatever it is told afterwards', () => {
    const told = { kind: 'told', generation: 1, call: CALL_A } as const;
    expect(folded(...SENT, answered(unknown()), told).calls.get(CALL_A.callId)).toMatchObject({ answered: true });
  });

  test('a closed call’s customer is its customer until somebody else’s call registers it', () => {
    const stranger = { ...CALL_B, customer: 'customer-88' };
    expect(folded(closed(stranger), dropped()).customers).toEqual(['customer-88']);
    expect(folded(closed(stranger), dropped(), registered()).customers).toEqual([CALL_A.customer]);
  });

  test('a customer who was told of it may ask for it, whoever else’s call was closed before', () => {
    const told = { kind: 'told', generation: 1, call: { ...CALL_B, customer: 'customer-88' } } as const;
    expect(folded(...SENT, closed(), told).customers).toEqual(['customer-77', 'customer-88']);
    expect(folded(...SENT, closed(CALL_B), told).customers).toEqual(['customer-77']);
  });

  test('is dropped where it was never sent and will not be, and registered afresh by the next call', () => {
    expect(folded(closed(), dropped())).toMatchObject({ state: 'dropped', reason: 'its activity failed for good' });
    const afresh = folded(registered(), dropped(), registered(1, { body: 'amount=100' }));
    expect(afresh).toMatchObject({
      state: 'registered',
      current: { registration: { request: { body: 'amount=100' } } },
    });
  });

  test('the first registration of a generation wins', () => {
    const twice = folded(registered(), registered(1, { body: 'amount=100' }));
    expect(twice.current.registration?.request.body).toBe('amount=4900&payment_intent=pi_1043');
  });

  test('a second mark of an attempt changes nothing', () => {
    expect(folded(...SENT, marked(1, 1, { call: CALL_B })).current.attempts).toHaveLength(1);
  });

  test('something sent is not dropped', () => {
    expect(folded(...SENT, dropped()).state).toBe('submitted');
  });

  test('is escalated for want of an answer, until an answer or evidence comes', () => {
    const waiting = [...SENT, answered(unknown()), escalated(), escalated()];
    expect(folded(...waiting)).toMatchObject({ state: 'escalated', reason: 'no answer came' });
    expect(folded(...waiting, evidence(found([effect('re_1')]))).state).toBe('confirmed');
    expect(folded(...waiting, answered(rejected())).state).toBe('rejected');
    expect(folded(...waiting, answered(notSubmitted())).state).toBe('registered');
    expect(folded(registered(), escalated(), dropped()).state).toBe('dropped');
  });

  test('is of the latest generation', () => {
    const operation = folded(...SENT, answered(rejected()), registered(2), marked(2));
    expect(operation).toMatchObject({ state: 'submitted', current: { number: 2, registration: { key: KEY_2 } } });
    expect(operation.generations.map(({ number }) => number)).toEqual([1, 2]);
  });
});

describe('one attempt says nothing about another', () => {
  const two = [...SENT, answered(unknown()), marked(1, 2, { call: CALL_B })] as const;

  test.each([
    ['refused before it was executed', rejected('attempt')],
    ['not submitted', notSubmitted()],
    ['unknown', unknown()],
  ])('a resend that is %s leaves an unknown operation unknown', (_name, outcome) => {
    expect(folded(...two, answered(outcome, 1, 2, CALL_B)).state).toBe('unknown');
  });

  test('a refusal of its own gives an unknown operation no other reason', () => {
    expect(folded(...two, answered(rejected('attempt'), 1, 2, CALL_B)).reason).toBe('no answer in time');
  });

  test('a refusal that covers all rejects', () => {
    expect(folded(...two, answered(rejected('all'), 1, 2, CALL_B)).state).toBe('rejected');
  });

  test('refusals of every attempt that may have left reject', () => {
    const first = [...SENT, answered(rejected('attempt')), marked(1, 2, { call: CALL_B })] as const;
    expect(folded(...first).state).toBe('submitted');
    expect(folded(...first, answered(notSubmitted(), 1, 2, CALL_B)).state).toBe('rejected');
    expect(folded(...first, answered(rejected('attempt'), 1, 2, CALL_B)).state).toBe('rejected');
  });

  test('an open attempt beside an unknown one is still submitted', () => {
    expect(folded(...two).state).toBe('submitted');
  });

  test('a late answer replaces unknown, and unknown replaces nothing', () => {
    expect(folded(...SENT, answered(unknown()), answered(confirmed())).state).toBe('confirmed');
    expect(folded(...SENT, answered(confirmed()), answered(unknown())).state).toBe('confirmed');
    expect(folded(...SENT, answered(unknown()), answered(notSubmitted())).state).toBe('registered');
  });
});

describe('evidence', () => {
  test('pending, then succeeded is confirmed; in any order', () => {
    const [pending, succeeded] = [evidence(found([effect('re_1', 'pending')])), evidence(found([effect('re_1')]))];
    expect(folded(...SENT, pending)).toMatchObject({ state: 'accepted', externalId: 're_1' });
    expect(folded(...SENT, pending, succeeded)).toMatchObject({ state: 'confirmed', resolvedBy: 'query' });
    expect(folded(...SENT, succeeded, pending).state).toBe('confirmed');
  });

  test('failed alone is rejected, with its number', () => {
    expect(
      folded(...SENT, answered(accepted()), evidence(found([effect('re_1', 'failed')]), { source: 'webhook' })),
    ).toMatchObject({
      state: 'rejected',
      reason: "The provider's re_1 failed.",
      externalId: 're_1',
      resolvedBy: 'webhook',
    });
    expect(folded(...SENT, answered(rejected('all', 're_1')))).toMatchObject({
      state: 'rejected',
      reason: 'charge_disputed: The charge is disputed.',
      externalId: 're_1',
      resolvedBy: 'answer',
    });
  });

  test('an empty or inconclusive look changes nothing', () => {
    expect(folded(...SENT, answered(unknown()), evidence(ABSENT), evidence(INCONCLUSIVE)).state).toBe('unknown');
  });

  test('absence that the contract calls proof closes the generation for ever', () => {
    const proven = [...SENT, answered(unknown()), evidence(ABSENT, { final: true })] as const;
    expect(folded(...proven)).toMatchObject({
      state: 'rejected',
      reason: 'The provider never accepted it.',
      resolvedBy: 'query',
    });
    expect(folded(...proven, answered(notSubmitted())).state).toBe('rejected');
    expect(folded(...proven, evidence(ABSENT, { final: true, source: 'fence' })).resolvedBy).toBe('query');
  });

  test('without a key belongs to the only generation that was sent before it was recorded', () => {
    const second = [...SENT, answered(rejected('all', 're_1')), registered(2), marked(2)] as const;
    const failed = evidence(found([effect('re_1', 'failed', { key: null })]));
    expect(folded(...SENT, failed, registered(2), marked(2)).sightings).toMatchObject([{ generation: 1 }]);
    // A mark that did not leave counts for nothing, whatever is marked later.
    expect(
      folded(
        ...SENT,
        answered(rejected()),
        registered(2),
        marked(2, 1),
        answered(notSubmitted(), 2, 1),
        evidence(found([effect('re_9', 'failed', { key: null })])),
        marked(2, 2),
      ).sightings,
    ).toMatchObject([{ externalId: 're_9', generation: 1 }]);
    // What was told of its number before tells its generation now.
    expect(folded(...second, failed)).toMatchObject({ state: 'submitted', alarms: [] });
    expect(folded(...second, evidence(found([effect('re_2', 'succeeded', { key: null })])))).toMatchObject({
      state: 'escalated',
      reason: 're_2 fits more than one generation that was sent.',
    });
  });

  test('without a key counts as sent what one of several attempts sent', () => {
    const twice = [marked(), answered(notSubmitted()), marked(1, 2), answered(rejected('all'), 1, 2)];
    const seen = evidence(found([effect('re_9', 'succeeded', { key: null })]));
    expect(folded(registered(), ...twice, registered(2), marked(2), seen).sightings).toMatchObject([
      { externalId: 're_9', generation: 'ambiguous' },
    ]);
  });

  test('without a key, where nothing was sent, is of the first generation: an alarm', () => {
    const seen = evidence(found([effect('re_9', 'succeeded', { key: null })]));
    expect(folded(registered(), seen).alarms).toEqual(['re_9 exists, but generation 1 was never sent.']);
  });

  test('in a stored answer of an older release, which did not keep its status, is pending', () => {
    expect(folded(...SENT, answered(accepted('re_1', true))).sightings).toMatchObject([
      { externalId: 're_1', status: 'pending', copy: true },
    ]);
    expect(folded(...SENT, answered(accepted('re_1', false))).sightings).toMatchObject([
      { externalId: 're_1', status: 'pending', copy: false },
    ]);
  });

  test('without a key, of a number that two generations claim, stays ambiguous', () => {
    const operation = folded(
      ...SENT,
      answered(rejected('all', 're_1')),
      registered(2),
      marked(2),
      answered(rejected('all', 're_1'), 2),
      evidence(found([effect('re_1', 'failed', { key: null })])),
    );
    expect(operation.sightings.at(-1)).toMatchObject({ generation: 'ambiguous' });
  });

  test('without a key and without anything registered belongs to nobody', () => {
    const events = recorded(evidence(found([effect('re_1', 'succeeded', { key: null })])));
    expect(foldSightings(events, [])).toMatchObject([{ generation: 'ambiguous' }]);
  });
});

describe('time', () => {
  const sent = folded(...SENT);

  test('makes unknown out of submitted for whoever reads it, and nothing else', () => {
    expect(stateAt(sent, NOON)).toBe('submitted');
    expect(stateAt(sent, AT_12_00_40)).toBe('submitted');
    expect(stateAt(sent, AT_12_00_40 + 1)).toBe('unknown');
    expect(stateAt(folded(registered()), AT_12_00_40 + 1)).toBe('registered');
  });

  test("a later attempt of the same activity takes its predecessor's open attempt for unknown at once", () => {
    expect(stateAt(sent, AT_12_00_10, { ...CALL_A, activityAttempt: 2 })).toBe('unknown');
    expect(stateAt(sent, AT_12_00_10, CALL_A)).toBe('submitted');
    expect(stateAt(sent, AT_12_00_10, { ...CALL_B, activityAttempt: 2 })).toBe('submitted');
  });

  test('an attempt with an answer is in flight no more', () => {
    const operation = folded(...SENT, answered(unknown()), marked(1, 2, { call: CALL_B }));
    expect(stateAt(operation, NOON, { ...CALL_B, activityAttempt: 2 })).toBe('unknown');
    const beside = folded(...SENT, answered(notSubmitted()), marked(1, 2, { call: CALL_B }));
    expect(stateAt(beside, NOON)).toBe('submitted');
  });

  test('until the last attempt without an answer is overdue, what is submitted may be answered', () => {
    const later = marked(1, 2, { call: CALL_B, decidedAt: NOON + 5_000 });
    expect(inFlightUntil(folded(...SENT))).toBe(AT_12_00_40);
    expect(inFlightUntil(folded(...SENT, later))).toBe(AT_12_00_40 + 5_000);
    expect(inFlightUntil(folded(...SENT, later, answered(unknown(), 1, 2, CALL_B)))).toBe(AT_12_00_40);
    expect(inFlightUntil(folded(...SENT, evidence(found([effect('re_1')]))))).toBeNull();
    expect(inFlightUntil(folded(...SENT, escalated()))).toBeNull();
  });

  test('three states are settled; an alarm is not', () => {
    expect(STATES.filter(isSettled)).toEqual(['confirmed', 'rejected', 'dropped']);
  });
});

describe("a person's word", () => {
  const unknownOne = [...SENT, answered(unknown()), escalated()] as const;

  test('settles what nothing else settled', () => {
    expect(folded(...unknownOne, said({ as: 'confirmed', externalId: 're_1' }, 4))).toMatchObject({
      state: 'confirmed',
      externalId: 're_1',
      reason: 'ops-3: looked at the dashboard',
      resolvedBy: 'person',
    });
    expect(folded(...unknownOne, said(NONE_SEND_AGAIN, 4))).toMatchObject({ state: 'rejected', externalId: null });
  });

  test('that names an effect is a statement about it like any other, so a second effect beside it is an alarm', () => {
    const named = [...unknownOne, said({ as: 'confirmed', externalId: 're_1' }, 4)] as const;
    expect(folded(...named).sightings).toEqual([
      {
        seq: 5,
        source: 'person',
        externalId: 're_1',
        status: 'succeeded',
        copy: false,
        mismatch: null,
        generation: 1,
      },
    ]);
    const second = evidence(found([effect('re_2')]), { source: 'webhook' });
    expect(folded(...named, second).alarms).toEqual(['There are 2 effects: re_1, re_2.']);
    expect(folded(...unknownOne, said(NONE_SEND_AGAIN, 4)).sightings).toEqual([]);
  });

  test('names a number, not its generation: evidence without a key stays ambiguous', () => {
    const second = [...SENT, answered(rejected()), registered(2), marked(2), answered(unknown(), 2)] as const;
    const named = [...second, said({ as: 'confirmed', externalId: 're_5' }, 6, 2)] as const;
    expect(folded(...named, evidence(found([effect('re_5', 'succeeded', { key: null })]))).sightings).toMatchObject([
      { source: 'person', generation: 2 },
      { source: 'query', generation: 'ambiguous' },
    ]);
  });

  test('is about the generation they saw', () => {
    const operation = folded(...unknownOne, said(NONE_SEND_AGAIN, 4), registered(2), marked(2));
    expect(operation).toMatchObject({ state: 'submitted', alarms: [], current: { number: 2 } });
  });
});

test('what is marked after it was put before a person begins anew: nothing had left by then', () => {
  const late = [...SENT, answered(unknown()), escalated(), answered(notSubmitted())];
  expect(folded(...late).state).toBe('registered');
  const again = [...late, marked(1, 2)];
  expect(folded(...again).state).toBe('submitted');
  expect(folded(...again, answered(unknown(), 1, 2)).state).toBe('unknown');
});

test('an event of a kind that a newer release wrote is never passed over: it may forbid what this one would do', () => {
  const [newer] = recorded(registered());
  const events = [...recorded(...SENT), { ...newer, kind: 'withdrawn', seq: 3 }] as unknown as Recorded[];
  expect(() => fold(events)).toThrow(
    'Bug: no rule for "withdrawn". A newer release may have written it; run that one.',
  );
});
