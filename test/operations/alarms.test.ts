// Needs nothing.
import type { OperationEvent } from '../../src/operations/event';
import {
  accepted,
  answered,
  CALL_B,
  confirmed,
  copy,
  effect,
  evidence,
  folded,
  found,
  KEY_2,
  marked,
  NONE,
  NONE_SEND_AGAIN,
  notOurs,
  notSubmitted,
  registered,
  rejected,
  SENT,
  said,
  UNKNOWN,
  unknown,
} from './fixtures';

const webhook = (...effects: Parameters<typeof found>[0]): OperationEvent =>
  evidence(found(effects, false), { source: 'webhook' });

describe('an alarm is raised', () => {
  test.each<[string, readonly OperationEvent[], string]>([
    [
      'by our ID on something else',
      [...UNKNOWN, webhook(effect('re_1', 'succeeded', { mismatch: 'its amount is 5, not 4900' }))],
      're_1 bears our operation ID but its amount is 5, not 4900.',
    ],
    [
      'by a key that is not ours',
      [...UNKNOWN, webhook(effect('re_1', 'succeeded', { key: 'refund-9' }))],
      're_1 bears our operation ID but was made under a key that is not ours.',
    ],
    [
      'by two external IDs',
      [...UNKNOWN, webhook(effect('re_1'), effect('re_2', 'pending'))],
      'There are 2 effects: re_1, re_2.',
    ],
    [
      'by two external IDs, told in the order of their names',
      [...UNKNOWN, webhook(effect('re_2')), webhook(effect('re_1'))],
      'There are 2 effects: re_1, re_2.',
    ],
    [
      'by a success that failed later',
      [...SENT, answered(confirmed()), webhook(effect('re_1', 'failed'))],
      're_1 succeeded and failed.',
    ],
    [
      'by a success that failed before',
      [...SENT, webhook(effect('re_1', 'failed')), answered(confirmed())],
      're_1 succeeded and failed.',
    ],
    [
      'by an effect of a generation that was rejected',
      [...SENT, answered(rejected()), webhook(effect('re_1', 'pending'))],
      're_1 exists, but generation 1 was rejected.',
    ],
    [
      'by an effect of an earlier generation',
      [...UNKNOWN, webhook(effect('re_1', 'failed')), registered(2), marked(2), webhook(effect('re_3'))],
      're_3 exists, but generation 1 was rejected.',
    ],
    [
      'by an effect of a generation that was never sent',
      [...SENT, answered(notSubmitted()), webhook(effect('re_1'))],
      're_1 exists, but generation 1 was never sent.',
    ],
    [
      'by evidence that fits more than one generation',
      [...SENT, answered(rejected()), registered(2), marked(2), webhook(effect('re_1', 'succeeded', { key: null }))],
      're_1 fits more than one generation that was sent.',
    ],
    [
      'by an effect after a person said none',
      [...UNKNOWN, said(NONE, 3), webhook(effect('re_1'))],
      're_1 exists, but a person said that generation 1 had no effect.',
    ],
    [
      'by an effect of an earlier generation after a person said none',
      [
        ...UNKNOWN,
        said(NONE_SEND_AGAIN, 3),
        registered(2),
        marked(2),
        answered(confirmed('re_2'), 2),
        webhook(effect('re_1')),
      ],
      're_1 exists, but a person said that generation 1 had no effect.',
    ],
    [
      'by a success in a stored answer that failed since',
      [...SENT, answered(copy('succeeded')), webhook(effect('re_1', 'failed'))],
      're_1 succeeded and failed.',
    ],
    [
      'by a failure in a stored answer that is a success now',
      [...SENT, webhook(effect('re_1')), answered(copy('failed'))],
      're_1 succeeded and failed.',
    ],
    [
      'by our key on something else',
      [...SENT, answered(notOurs('The provider answered our key with re_9.'))],
      'The provider answered our key with re_9.',
    ],
    [
      'by our key on something else, though another answer to that attempt was recorded before',
      [...UNKNOWN, answered(notOurs('The provider answered our key with re_9.'))],
      'The provider answered our key with re_9.',
    ],
    [
      'by our key on something else, though another answer to that attempt is recorded after',
      [...SENT, answered(notOurs('The provider answered our key with re_9.')), answered(unknown('unsafe'))],
      'The provider answered our key with re_9.',
    ],
    [
      'by an answer that came late and contradicts a refusal of all',
      [...UNKNOWN, marked(1, 2, { call: CALL_B }), answered(rejected(), 1, 2, CALL_B), answered(confirmed())],
      're_1 exists, but generation 1 was rejected.',
    ],
  ])('%s', (_name, events, reason) => {
    const operation = folded(...events);
    expect(operation.state).toBe('escalated');
    expect(operation.alarms).toContain(reason);
    expect(operation.reason).toContain(reason);
    expect(operation.resolvedBy).toBeNull();
  });

  test.each<[string, readonly OperationEvent[]]>([
    [
      'a refund that failed before the next generation',
      [...SENT, answered(rejected('all', 're_1')), registered(2), marked(2)],
    ],
    [
      'what a person knew of and said none about',
      [...UNKNOWN, webhook(effect('re_1', 'pending')), said(NONE_SEND_AGAIN, 4), registered(2), marked(2)],
    ],
    [
      'a stored answer that fails as it failed then',
      [...SENT, answered(copy('failed')), webhook(effect('re_1', 'failed'))],
    ],
    [
      'a stored answer of an older release',
      [...SENT, answered(accepted('re_1', true)), webhook(effect('re_1', 'failed'))],
    ],
    ['the same evidence again', [...UNKNOWN, webhook(effect('re_1')), webhook(effect('re_1'))]],
    [
      'an effect under the key of its own generation',
      [
        ...SENT,
        answered(rejected('all', 're_1')),
        registered(2),
        marked(2),
        webhook(effect('re_2', 'succeeded', { key: KEY_2 })),
      ],
    ],
  ])('not by %s', (_name, events) => {
    expect(folded(...events).alarms).toEqual([]);
  });

  test('with its facts in one order, whatever the order of the history', () => {
    const [one, other] = [answered(notOurs('It is re_9.')), answered(notOurs('It is re_8.'))];
    expect(folded(...SENT, one, other).alarms).toEqual(['It is re_8.', 'It is re_9.']);
    expect(folded(...SENT, other, one).alarms).toEqual(['It is re_8.', 'It is re_9.']);
  });

  test('and calls are told the number of the effect, never of what is not ours', () => {
    const stranger = effect('re_9', 'succeeded', { key: null, mismatch: 'its amount is 5, not 4900' });
    expect(folded(...UNKNOWN, webhook(stranger)).externalId).toBeNull();
    expect(folded(...SENT, answered(accepted('re_1')), webhook(stranger)).externalId).toBe('re_1');
    expect(folded(...SENT, answered(rejected()), registered(2), webhook(effect('re_1'))).externalId).toBe('re_1');
  });
});

describe('a person ends an alarm', () => {
  const alarm = [...SENT, answered(confirmed()), webhook(effect('re_1', 'failed'))] as const;

  test('by an act that names the version they saw', () => {
    expect(folded(...alarm, said({ as: 'confirmed', externalId: 're_1' }, 4))).toMatchObject({
      state: 'confirmed',
      alarms: [],
    });
    expect(folded(...alarm, said(NONE, 4))).toMatchObject({ state: 'rejected', alarms: [] });
  });

  test('and an act that saw less leaves what it did not see', () => {
    expect(folded(...alarm, said({ as: 'confirmed', externalId: 're_1' }, 3)).alarms).toEqual([
      're_1 succeeded and failed.',
    ]);
  });

  test('about an answer too: the same answer again adds nothing, another one raises it again', () => {
    const ended = [...SENT, answered(notOurs('It is re_9.')), said(NONE_SEND_AGAIN, 3)] as const;
    expect(folded(...ended)).toMatchObject({ state: 'rejected', alarms: [] });
    const again = [...ended, registered(2), marked(2)] as const;
    expect(folded(...again, answered(notOurs('It is re_9.')))).toMatchObject({ state: 'submitted', alarms: [] });
    expect(folded(...again, answered(notOurs('It is re_8.'), 2))).toMatchObject({
      state: 'escalated',
      alarms: ['It is re_8.'],
    });
  });

  test('and what a stored answer told them of is news once it is told of now', () => {
    const judged = [...SENT, answered(copy('succeeded')), said(NONE, 3)] as const;
    expect(folded(...judged)).toMatchObject({ state: 'rejected', alarms: [] });
    expect(folded(...judged, answered(copy('pending'))).state).toBe('rejected');
    expect(folded(...judged, webhook(effect('re_1'))).alarms).toEqual([
      're_1 exists, but a person said that generation 1 had no effect.',
    ]);
  });

  test('and what was pending as they knew is no news where a stored answer repeats it', () => {
    const judged = [...UNKNOWN, webhook(effect('re_1', 'pending')), said(NONE, 4)] as const;
    expect(folded(...judged, answered(copy('succeeded')))).toMatchObject({ state: 'rejected', alarms: [] });
  });

  test('and what shows and fails after their word is as they said: there is no effect', () => {
    const judged = [...UNKNOWN, said(NONE, 3), webhook(effect('re_1', 'pending'))] as const;
    expect(folded(...judged).state).toBe('escalated');
    expect(folded(...judged, webhook(effect('re_1', 'failed')))).toMatchObject({ state: 'rejected', alarms: [] });
  });

  test('and a failure after their word is news of the effect, not of their word', () => {
    const judged = [...SENT, answered(confirmed()), said(NONE, 3)] as const;
    expect(folded(...judged).alarms).toEqual([]);
    expect(folded(...judged, webhook(effect('re_1', 'failed'))).alarms).toEqual(['re_1 succeeded and failed.']);
  });

  test('and a second effect after their word contradicts it alone, not the one they knew of', () => {
    const judged = [...UNKNOWN, webhook(effect('re_1', 'pending')), said(NONE, 4)] as const;
    const { alarms, reason } = folded(...judged, webhook(effect('re_2')));
    expect(alarms).toEqual([
      'There are 2 effects: re_1, re_2.',
      're_2 exists, but a person said that generation 1 had no effect.',
    ]);
    expect(reason).toBe(
      'There are 2 effects: re_1, re_2. re_2 exists, but a person said that generation 1 had no effect.',
    );
  });

  test('and newer evidence raises it again, while the same adds nothing', () => {
    const ended = [...alarm, said({ as: 'confirmed', externalId: 're_1' }, 4)] as const;
    expect(folded(...ended, webhook(effect('re_1', 'failed'))).state).toBe('confirmed');
    expect(folded(...ended, webhook(effect('re_2')))).toMatchObject({
      state: 'escalated',
      alarms: ['There are 2 effects: re_1, re_2.'],
    });
  });

  test('and their own word raises none: they knew what it contradicts', () => {
    // re_1 is of generation 1, and they confirm it for the operation, whose generation is 2 by now.
    const late = [
      ...SENT,
      answered(rejected()),
      registered(2),
      marked(2),
      answered(confirmed('re_2'), 2),
      webhook(effect('re_1')),
    ] as const;
    expect(folded(...late).state).toBe('escalated');
    expect(folded(...late, said({ as: 'confirmed', externalId: 're_1' }, 7, 2))).toMatchObject({
      state: 'confirmed',
      alarms: [],
    });
  });

  test('and what looked foreign and matches now is news to them', () => {
    const stranger = effect('re_9', 'succeeded', { mismatch: 'its amount is 5, not 4900' });
    const judged = [...UNKNOWN, webhook(stranger), said(NONE, 4)] as const;
    expect(folded(...judged).state).toBe('rejected');
    expect(folded(...judged, webhook(effect('re_9')))).toMatchObject({
      state: 'escalated',
      alarms: ['re_9 exists, but a person said that generation 1 had no effect.'],
    });
  });

  test('and their word about one generation is not about another', () => {
    const second = [
      ...UNKNOWN,
      said(NONE_SEND_AGAIN, 3),
      registered(2),
      marked(2),
      answered(confirmed('re_2'), 2),
    ] as const;
    expect(folded(...second)).toMatchObject({ state: 'confirmed', externalId: 're_2', alarms: [] });
  });
});
