// Needs nothing.
import { effectsAmong, effectsOf, isLive, type Sighting, succeededAndFailed } from '../../src/operations/sighting';

function sighting(parts: Partial<Sighting> = {}): Sighting {
  const what = { externalId: 're_1', status: 'pending', copy: false, mismatch: null, generation: 1 } as const;
  return { seq: 1, source: 'answer', ...what, ...parts };
}

function told(...parts: readonly Partial<Sighting>[]) {
  const [effect] = effectsAmong(parts.map(sighting));
  if (effect === undefined) throw new Error('Nothing was told.');
  return effect;
}

describe('an effect', () => {
  test('is all that was said of one number', () => {
    const once = { succeeded: false, failed: false };
    expect(told({})).toEqual({ externalId: 're_1', succeeded: false, failed: false, once, source: 'answer' });
    expect(told({}, { status: 'succeeded', source: 'query' })).toEqual({
      ...{ externalId: 're_1', succeeded: true, failed: false, once, source: 'query' },
    });
    expect(told({ status: 'failed' }, { status: 'succeeded' })).toMatchObject({ succeeded: true, failed: true });
  });

  test('is of its generation, and of none where nobody can tell', () => {
    const all = [sighting({ externalId: 're_2' }), sighting({ generation: 2 }), sighting({ externalId: 're_0' })];
    expect(effectsOf(1, all).map(({ externalId }) => externalId)).toEqual(['re_0', 're_2']);
    const unclear = sighting({ externalId: 're_3', generation: 'ambiguous' });
    expect(effectsOf(1, [unclear])).toEqual([]);
    expect(effectsAmong([unclear])).toHaveLength(1);
  });

  test('is none where what bears our ID is something else', () => {
    expect(effectsAmong([sighting({ mismatch: 'its amount is 5, not 4900' })])).toEqual([]);
  });
});

describe('who settled it is whoever first told its most telling status', () => {
  test.each<[string, readonly Partial<Sighting>[], Sighting['source']]>([
    ['pending, then succeeded', [{ source: 'answer' }, { status: 'succeeded', source: 'query' }], 'query'],
    ['pending, then failed', [{ source: 'answer' }, { status: 'failed', source: 'webhook' }], 'webhook'],
    [
      'succeeded twice',
      [
        { status: 'succeeded', source: 'answer' },
        { status: 'succeeded', source: 'query' },
      ],
      'answer',
    ],
    [
      'failed twice',
      [
        { status: 'failed', source: 'webhook' },
        { status: 'failed', source: 'query' },
      ],
      'webhook',
    ],
    [
      'failed, then succeeded',
      [
        { status: 'failed', source: 'webhook' },
        { status: 'succeeded', source: 'query' },
      ],
      'query',
    ],
    [
      'succeeded, then failed',
      [
        { status: 'succeeded', source: 'answer' },
        { status: 'failed', source: 'webhook' },
      ],
      'answer',
    ],
    ['pending after it succeeded', [{ status: 'succeeded', source: 'answer' }, { source: 'query' }], 'answer'],
    ['pending again after it was pending', [{ source: 'answer' }, { source: 'query' }], 'answer'],
  ])('%s: %#', (_how, parts, source) => {
    expect(told(...parts).source).toBe(source);
  });
});

describe('a stored copy of an answer', () => {
  test('tells of now no more than that the provider took it, and is kept as what was true once', () => {
    const effect = told({ status: 'succeeded', copy: true });
    expect(effect).toMatchObject({ succeeded: false, failed: false, once: { succeeded: true, failed: false } });
    expect(isLive(effect)).toBe(true);
    expect(told({ status: 'failed', copy: true }, { copy: true })).toMatchObject({
      once: { succeeded: false, failed: true },
    });
  });

  test('contradicts what is told of now: succeeded and failed cannot both be', () => {
    expect(succeededAndFailed(told({ status: 'succeeded', copy: true }, { status: 'failed' }))).toBe(true);
    expect(succeededAndFailed(told({ status: 'failed', copy: true }, { status: 'succeeded' }))).toBe(true);
    expect(succeededAndFailed(told({ status: 'succeeded', copy: true }, { status: 'failed', copy: true }))).toBe(true);
    expect(succeededAndFailed(told({ status: 'succeeded', copy: true }, { status: 'succeeded' }))).toBe(false);
    expect(succeededAndFailed(told({ status: 'failed' }))).toBe(false);
  });
});

test('an effect that failed and never succeeded is live no more', () => {
  expect(isLive(told({}))).toBe(true);
  expect(isLive(told({ status: 'failed' }))).toBe(false);
  expect(isLive(told({ status: 'failed' }, { status: 'succeeded' }))).toBe(true);
});
