import { describe, expect, it } from 'vitest';
import { expectedPhrases, followScript, openScript, type CustomerEntry } from './follow-script.rules.ts';
import { parseScript } from './parse-script.rules.ts';

const SCRIPT = parseScript(`#script
[day]
say Monday or Tuesday?
on monday, key 1 -> time, day = Monday
on tuesday, the second day, key 2 -> time, day = Tuesday
on one, two -> time, day = day {said}
otherwise -> open
[time]
say {day}. Morning or afternoon?
tries 0
on morning -> done, time = in the morning
on afternoon, no morning -> done, time = in the afternoon
[open]
say What do you want?
again Tell me what you want.
on anything -> done, wish = {said}
[done]
say Thank you.
[bye]
say Goodbye.
[anywhere]
on goodbye, key 9 -> bye
`);

const said = (text: string): CustomerEntry => ({ kind: 'speech', text });
const pressed = (text: string): CustomerEntry => ({ kind: 'dtmf', text });
const NOISE: CustomerEntry = { kind: 'unrecognised', text: '' };
const SILENCE: CustomerEntry = { kind: 'silence', text: '' };

/** The dialogue after these turns, by default after a greeting. */
function after(turns: readonly (readonly CustomerEntry[])[], { wasGreeted = true } = {}) {
  let standing = openScript(SCRIPT);
  for (const [index, turn] of turns.entries())
    standing = followScript(SCRIPT, standing, { turn, wasAsked: wasGreeted || index > 0 });
  return standing;
}

describe('a script', () => {
  it.each([
    ['takes a phrase', [[said('On Monday, please!')]], 'time', 'Monday. Morning or afternoon?'],
    ['takes a phrase of several words', [[said("I'd like the second day")]], 'time', 'Tuesday. Morning'],
    ['takes a key', [[pressed('2')]], 'time', 'Tuesday. Morning'],
    ['takes the last of several keys', [[pressed('12')]], 'time', 'Tuesday. Morning'],
    ['counts a key more than words', [[said('monday'), pressed('2')]], 'time', 'Tuesday. Morning'],
    ['takes a number alone', [[said('Number 2, please.')]], 'time', 'day two. Morning'],
    ['takes no number in passing', [[said('one moment')]], 'day', 'Sorry, I did not get that. Monday or'],
    ['finds no words within words', [[said('mondays')]], 'day', 'Sorry'],
    ['prefers the longer phrase', [[said('monday')], [said('no morning')]], 'done', 'Thank you.'],
    ['takes several answers of one turn in order', [[said('monday'), said('morning')]], 'done', 'Thank you.'],
    ['accepts answers that are valid in every state', [[said('okay goodbye')]], 'bye', 'Goodbye.'],
    [
      'asks again after an unknown key',
      [[pressed('7')]],
      'day',
      'Sorry, I did not get that. Monday or Tuesday?',
    ],
    ['asks again', [[NOISE], [NOISE]], 'day', 'Sorry, I did not get that.'],
    [
      'takes another transition after the last attempt',
      [[NOISE], [NOISE], [NOISE]],
      'open',
      'What do you want?',
    ],
    [
      'has a separate text for a repeated question',
      [[NOISE], [NOISE], [NOISE], [NOISE]],
      'open',
      'Tell me what you want.',
    ],
    ['takes anything', [[NOISE], [NOISE], [NOISE], [said('A new roof')]], 'done', 'Thank you.'],
    ['counts misses in a row only', [[NOISE], [NOISE], [SILENCE], [NOISE]], 'open', 'What'],
    ['ends after the configured number of attempts', [[said('monday')], [NOISE]], null, 'I am sorry'],
    ['asks into the silence', [[SILENCE]], 'day', 'Hello? Are you still there? Monday or Tuesday?'],
    ['ends after two silences', [[SILENCE], [SILENCE]], null, 'I cannot hear you'],
    [
      'resets the attempts when the caller speaks after a silence',
      [[SILENCE], [NOISE], [SILENCE]],
      'day',
      'Hello?',
    ],
    ['says nothing after its end', [[pressed('9')], [said('monday')]], 'bye', ''],
  ] as const)('%s', (_name, turns, state, say) => {
    const standing = after(turns);
    expect(standing.state).toBe(state);
    expect(standing.say.slice(0, say.length)).toBe(say);
    expect(say === '').toBe(standing.say === '');
  });

  it('asks its first question if the caller speaks first', () => {
    expect(after([[said('Hello?')]], { wasGreeted: false })).toMatchObject({ state: 'day', misses: 0 });
    expect(after([[said('Monday')]], { wasGreeted: false })).toMatchObject({ state: 'time' });
  });

  it('stores the choice, in the words of the script or of the caller', () => {
    expect(after([[pressed('1')], [said('in the afternoon')]]).notes).toEqual({
      day: 'Monday',
      time: 'in the afternoon',
    });
    expect(after([[NOISE], [NOISE], [NOISE], [said('A new roof')]]).notes).toEqual({ wish: 'A new roof' });
  });

  it('ends in states without answers, and only there', () => {
    expect(after([[said('monday')]]).hasEnded).toBe(false);
    expect(after([[said('monday')], [said('morning')]]).hasEnded).toBe(true);
  });

  it('tells which phrases it waits for', () => {
    expect(expectedPhrases(SCRIPT, after([[said('monday')]]))).toEqual([
      'morning',
      'afternoon',
      'no morning',
      'goodbye',
    ]);
    expect(expectedPhrases(SCRIPT, after([[pressed('9')]]))).toEqual([]);
  });
});
