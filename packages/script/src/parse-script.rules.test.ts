import { describe, expect, it } from 'vitest';
import { checkScript, isScript, parseScript } from './parse-script.rules.ts';

const GOOD = `#script
// one question
[Day]
say: Which day?
say Monday or Tuesday.
again "Monday or Tuesday, please."
tries 1
on monday, "on Monday", key 1 -> time, day = Monday
On tuesday | key 2 => time, day = "Tuesday"
on anything → other, wish = {said}
otherwise -> other
[time]
say Hello {{customer_name}}, see you on {day}.
[other]
say Somebody will call you about {wish}.
end
[anywhere]
on goodbye, key 9 -> other
`;

describe('a script', () => {
  it.each([
    ['#script', true],
    ['  \n# Script for the dentist\n[a]', true],
    ['You are a friendly dentist.', false],
    ['Use the #script', false],
  ])('is recognised by its first line: %j', (prompt, expected) => {
    expect(isScript(prompt)).toBe(expected);
  });

  it('is parsed with any variant of colons, quotes, arrows and capitals', () => {
    const script = parseScript(GOOD);
    expect(script.first).toBe('day');
    expect([...script.states.keys()]).toEqual(['day', 'time', 'other']);
    expect(script.states.get('day')).toMatchObject({
      say: 'Which day? Monday or Tuesday.',
      again: '"Monday or Tuesday, please."',
      tries: 1,
      otherwise: 'other',
      answers: [
        { phrases: ['monday', 'on Monday'], keys: ['1'], next: 'time', notes: { day: 'Monday' } },
        { phrases: ['tuesday'], keys: ['2'], next: 'time', notes: { day: 'Tuesday' } },
        { phrases: [], takesAnything: true, next: 'other', notes: { wish: '{said}' } },
      ],
    });
    expect(script.anywhere).toMatchObject([{ phrases: ['goodbye'], keys: ['9'], next: 'other' }]);
  });

  it.each([
    ['no state', '#script', 1, 'There is no [state].'],
    ['an unknown line', '#script\n[a]\nask Hello', 3, 'A line must begin with say'],
    [
      'a name of an object as instruction',
      '#script\n[a]\nconstructor Hello',
      3,
      'A line must begin with say',
    ],
    ['a line before the first state', '#script\nsay Hello', 2, 'comes before the first [state]'],
    ['a transition to a missing state', '#script\n[a]\nsay Hi\non yes -> b', 4, 'There is no state [b].'],
    ['an answer that leads nowhere', '#script\n[a]\nsay Hi\non yes', 4, 'Write an answer as'],
    ['no words between commas', '#script\n[a]\nsay Hi\non yes, -> a', 4, 'Each answer between commas'],
    ['a state twice', '#script\n[a]\nsay Hi\n[A]\nsay Ho', 4, 'There are two states [a].'],
    ['an answer twice', '#script\n[a]\nsay Hi\non yes -> a\non Yes! -> a', 5, 'the answer "yes" twice'],
    ['a key twice', '#script\n[a]\nsay Hi\non key 1 -> a\non key 1 -> a', 5, 'the answer "key 1" twice'],
    ['too many tries', '#script\n[a]\nsay Hi\ntries 9', 4, 'a number from 0 to 5'],
    ['a state that says nothing', '#script\n[a]\non yes -> a', 2, '[a] says nothing.'],
    ['a variable that no answer stores', '#script\n[a]\nsay On {dya}', 2, 'No answer stores {dya}.'],
    [
      'a note that is none',
      '#script\n[a]\nsay Hi\non yes -> a, monday',
      4,
      '"monday" is not a value to store',
    ],
    [
      'more answers than can be distinguished',
      `#script\n[a]\nsay Hi\non ${Array.from({ length: 61 }, (_, n) => `word${n}`).join(', ')} -> a`,
      2,
      'at most 60',
    ],
  ])('is refused for %s', (_name, text, line, message) => {
    expect(checkScript(text)).toContainEqual({ line, message: expect.stringContaining(message) as string });
  });

  it('tells all faults at once, in the order of their lines', () => {
    const faults = checkScript('#script\n[a]\nsay Hi\non yes -> b\nask\non no -> c');
    expect(faults.map(({ line }) => line)).toEqual([4, 5, 6]);
  });

  const LENGTH = 200_000;
  it.each([
    ['a state without an end', `[a${' '.repeat(LENGTH)}`],
    ['blanks where an arrow should be', `on yes${' '.repeat(LENGTH)}no`],
    ['blanks before a line separator', `say${' '.repeat(LENGTH)}x\u2028`],
    ['a note of blanks', `on yes -> a, x${' '.repeat(LENGTH)}\u2028`],
    ['braces that never close', `say ${'{'.repeat(LENGTH)}`],
    ['blanks before the mark', `on yes -> a${' '.repeat(LENGTH)}b`],
  ])('is parsed in linear time: %s', (_name, line) => {
    expect(checkScript(`#script\n[a]\nsay Hello\n${line}`)).toBeDefined();
  });

  it('is parsed in time linear in the number of its states', () => {
    const states = Array.from({ length: 40_000 }, (_, n) => `[s${n}]\nsay Hi\non yes -> s0`);
    expect(parseScript(`#script\n${states.join('\n')}`).states.size).toBe(40_000);
  });

  it('reports at most 50 faults, those of the first lines', () => {
    const faults = checkScript(`#script\n[a]\nsay Hi\n${'ask\n'.repeat(1000)}`);
    expect(faults).toHaveLength(50);
    expect(faults.at(-1)?.line).toBe(53);
  });
});
