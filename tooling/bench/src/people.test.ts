import { describe, expect, test } from 'vitest';
import { seededRandom } from '@parley/phones';
import { answersOf, deadAirOf, holesOf, type PersonsCall } from './people-figures.ts';
import { needsAnswer, planCall, type Act } from '@parley/testkit';
import { actNow, type PersonView } from '@parley/testkit';
import type { HeardPacket } from './talk-wire.ts';

const SILENCE_LIMIT_MS = 7000;

/** Sound of the assistant, in packets of 20 ms. */
function sound(fromMs: number, toMs: number): HeardPacket[] {
  return Array.from({ length: (toMs - fromMs) / 20 }, (_none, n) => {
    const atMs = fromMs + n * 20;
    return { atMs, sequence: atMs / 20, loud: { fromMs: atMs, toMs: atMs + 20 } };
  });
}

/** Answered at 1 s: a greeting, an act of the person from 6 s to 7 s, and the answer at 8 s. */
function call(act: Act, more: Partial<PersonsCall> = {}): PersonsCall {
  return {
    number: '+13035550000',
    answeredMs: 1000,
    doneMs: 10_000,
    wasCutOff: false,
    said: [{ act, onsetMs: 6000, endMs: 7000 }],
    heard: [...sound(2000, 5800), ...sound(8000, 10_000)],
    botTurnsMs: [1000, 7000],
    ...more,
  };
}

describe('what a call of a person shows', () => {
  test('an answer that is on record and can be heard', () => {
    expect(answersOf(call('reply'))).toEqual([
      { act: 'reply', number: '+13035550000', atMs: 6000, latencyMs: 1000 },
    ]);
  });

  test.each<[string, Partial<PersonsCall>]>([
    ['is on record and cannot be heard', { heard: sound(2000, 5800) }],
    ['can be heard and is not on record', { botTurnsMs: [1000] }],
    ['comes after 4 s', { botTurnsMs: [1000, 10_500], heard: sound(11_500, 12_000), doneMs: 20_000 }],
    ['was the end of an earlier turn', { heard: sound(2000, 7500), botTurnsMs: [1000] }],
  ])('no answer if it %s', (_name, more) => {
    expect(answersOf(call('early', more))).toMatchObject([{ act: 'early', latencyMs: null }]);
  });

  test('acts that need no answer are not counted', () => {
    expect(answersOf(call('backchannel'))).toEqual([]);
  });

  test('silence of more than 4 s, and more than the limit where the person was silent on purpose', () => {
    const heard = [...sound(2000, 5800), ...sound(12_000, 14_000)];
    const late = { heard, doneMs: 14_000 };
    expect(deadAirOf(call('reply'), SILENCE_LIMIT_MS)).toEqual([]);
    expect(deadAirOf(call('reply', late), SILENCE_LIMIT_MS)).toMatchObject([{ atMs: 6000, lengthMs: 5000 }]);
    const silent = { ...late, said: [{ act: 'silence', onsetMs: 6000, endMs: 12_000 } as const] };
    expect(deadAirOf(call('silence', silent), SILENCE_LIMIT_MS)).toEqual([]);
    const never = { ...silent, heard: sound(2000, 5800), doneMs: 20_000 };
    expect(deadAirOf(call('silence', never), SILENCE_LIMIT_MS)).toMatchObject([{ lengthMs: 14_200 }]);
  });

  test('a hole in the speech around a backchannel', () => {
    const said = [{ act: 'backchannel', onsetMs: 3000, endMs: 3400 } as const];
    expect(holesOf(call('backchannel', { said }))).toMatchObject([{ lengthMs: 0 }]);
    const heard = [...sound(2000, 3200), ...sound(3800, 5800)];
    expect(holesOf(call('backchannel', { said, heard }))).toMatchObject([{ atMs: 2000, lengthMs: 600 }]);
  });
});

describe('when a person acts', () => {
  const view: PersonView = {
    answeredMs: 0,
    assistant: { fromMs: 1000, toMs: 3000 },
    expectedMs: 4000,
    doneMs: 0,
    wasAside: false,
  };
  const planned = (act: Act, atMs = 0) => ({ act, gapMs: 600, atMs, chance: 0.5 });

  test('a reply waits for the end of the turn, an early one does not', () => {
    expect(actNow(planned('reply'), view, 3100)).toBeNull();
    expect(actNow(planned('reply'), view, 3600)).toBe('reply');
    expect(
      actNow(planned('early', 500), { ...view, assistant: { fromMs: 1000, toMs: 4480 } }, 4490),
    ).toBeNull();
    expect(actNow(planned('early', 500), { ...view, assistant: { fromMs: 1000, toMs: 4500 } }, 4510)).toBe(
      'early',
    );
  });

  test('an interruption whose moment has passed becomes a reply', () => {
    expect(actNow(planned('interrupt', 1000), view, 3010)).toBe('interrupt');
    expect(actNow(planned('interrupt', 1000), view, 3700)).toBe('reply');
  });

  test('an "uh-huh" that would be the answer to the question is left out', () => {
    const speaking = (toMs: number) => ({ ...view, expectedMs: 4000, assistant: { fromMs: 1000, toMs } });
    expect(actNow(planned('backchannel', 1000), speaking(3480), 3490)).toBe('backchannel');
    expect(actNow(planned('backchannel', 1000), speaking(3500), 3510)).toBeNull();
    expect(actNow(planned('backchannel', 1000), speaking(5000), 5700)).toBe('reply');
  });

  test('an answer is awaited for 9 s', () => {
    const waiting = { ...view, doneMs: 4000 };
    expect(actNow(planned('reply'), waiting, 12_900)).toBeNull();
    expect(actNow(planned('reply'), waiting, 13_100)).toBe('reply');
    expect(actNow(planned('reply'), { ...waiting, wasAside: true }, 4700)).toBe('reply');
  });
});

test('a seed always gives the same plan, and all acts occur', () => {
  const plans = (seed: number) =>
    Array.from({ length: 60 }, (_none, n) => planCall(seededRandom(`+1303555${n}`, seed)));
  expect(plans(1)).toEqual(plans(1));
  expect(plans(1)).not.toEqual(plans(2));
  const acts = new Set(
    plans(1)
      .flat()
      .map(({ act }) => act),
  );
  expect(acts.size).toBe(10);
  expect([...acts].filter((act) => !needsAnswer(act)).toSorted()).toEqual([
    'backchannel',
    'hello',
    'silence',
  ]);
});
