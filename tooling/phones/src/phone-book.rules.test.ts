import { describe, expect, test } from 'vitest';
import { findCharacter, type PhoneBookOptions } from './phone-book.rules.ts';
import type { Character } from './script.ts';

const OPTIONS: PhoneBookOptions = {
  seed: 1,
  ringMs: { first: 500, last: 1500 },
  answerRate: 0.3,
  talkMs: { first: 2000, last: 8000 },
};

/** A few words that tell the people apart. */
function describePerson(person: Character): string {
  if (person.takes === 'refuses') return `refuses ${person.status}`;
  if (person.takes === 'ignores') return 'ignores';
  const steps = person.script.map((step) => step.do);
  if (steps.includes('press'))
    return `presses ${person.script.map((step) => (step.do === 'press' ? step.keys : '')).join('')}`;
  if (steps.includes('beep')) return 'voicemail';
  if (steps.includes('echo')) return 'echoes';
  if (steps.includes('listen-into')) return 'hangs up in mid-sentence';
  return steps.includes('say') ? 'talks' : 'silent';
}

function at(number: string, options: Partial<PhoneBookOptions> = {}): string {
  return describePerson(findCharacter(number, { ...OPTIONS, ...options }));
}

/** All thousands of campaign numbers. */
const CROWD = Array.from({ length: 100 }, (_, npa) =>
  Array.from({ length: 100 }, (_, xx) => `+1${900 + npa}55501${String(xx).padStart(2, '0')}`),
).flat();

describe('phone book', () => {
  test.each([
    [0, 49, 'talks'],
    [50, 59, 'voicemail'],
    [60, 69, 'refuses 486'],
    [70, 79, 'ignores'],
    [80, 84, 'refuses 603'],
    [85, 89, 'hangs up in mid-sentence'],
    [90, 94, 'presses 19'],
    [95, 97, 'refuses 503'],
    [98, 98, 'silent'],
    [99, 99, 'echoes'],
  ])('numbers %i to %i: %s', (first, last, expected) => {
    for (let xx = first; xx <= last; xx++) {
      expect(at(`+120255501${String(xx).padStart(2, '0')}`)).toBe(expected);
      expect(at(`+189955501${String(xx).padStart(2, '0')}`)).toBe(expected);
    }
  });

  test.each(['+14155552671', '+12025550200', '+11025550100', '+4930123456', '12025550', '', 'alice'])(
    '%s is not assigned',
    (number) => expect(at(number)).toBe('refuses 404'),
  );

  test('a number without its plus is the same number', () => {
    expect(findCharacter('12025550110', OPTIONS)).toEqual(findCharacter('+12025550110', OPTIONS));
    expect(findCharacter('19025550110', OPTIONS)).toEqual(findCharacter('+19025550110', OPTIONS));
  });

  test('ring times are within the limits and vary', () => {
    const people = Array.from({ length: 50 }, (_, xx) =>
      findCharacter(`+130355501${String(xx).padStart(2, '0')}`, OPTIONS),
    );
    const times = people.map((person) => (person.takes === 'answers' ? person.ringMs : 0));
    expect(Math.min(...times)).toBeGreaterThanOrEqual(500);
    expect(Math.max(...times)).toBeLessThanOrEqual(1500);
    expect(new Set(times).size).toBeGreaterThan(20);
  });

  test('there are several voices, none of them that of the assistant', () => {
    const voices = new Set(
      CROWD.map((number) => findCharacter(number, { ...OPTIONS, answerRate: 1 })).map((person) =>
        person.takes === 'answers' ? person.voice : '',
      ),
    );
    expect([...voices].sort()).toEqual(['awb', 'kal16', 'rms']);
  });

  test.each([0, 0.3, 1])('a share of %d of the campaign numbers answers', (answerRate) => {
    const answering = CROWD.filter((number) => at(number, { answerRate }) === 'hangs up in mid-sentence');
    expect(Math.abs(answering.length / CROWD.length - answerRate)).toBeLessThan(0.015);
  });

  test('the other campaign numbers show every behaviour', () => {
    const kinds = new Set(CROWD.map((number) => at(number, { answerRate: 0 })));
    expect([...kinds].sort()).toEqual(['ignores', 'refuses 486', 'refuses 503', 'refuses 603', 'voicemail']);
  });

  test('the behaviour depends on the seed only', () => {
    const crowd = (seed: number): string =>
      CROWD.slice(0, 500)
        .map((number) => at(number, { seed }))
        .join();
    expect(crowd(7)).toBe(crowd(7));
    expect(crowd(7)).not.toBe(crowd(8));
  });
});
