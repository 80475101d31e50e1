import { describe, expect, it } from 'vitest';
import type { DialogueEntry } from '../../ports.ts';
import { nextScriptStep, SCRIPT, type ScriptState } from './scripted-dialogue.rules.ts';

const assistant: DialogueEntry = { role: 'assistant', text: 'Hello.' };
const customer = (kind: 'speech' | 'unrecognised' | 'dtmf' | 'silence', text = ''): DialogueEntry => ({
  role: 'customer',
  kind,
  text,
});

describe('the script', () => {
  const states = Object.keys(SCRIPT) as ScriptState[];

  it.each(states)('has an end within reach of %s, whatever the customer does not understand', (state) => {
    for (const event of ['speech', 'silence'] as const) {
      let current = state;
      for (let turn = 0; turn < 3; turn++) current = SCRIPT[current][event].next;
      expect(current).toBe('ended');
    }
  });

  it.each(states)('says something to every event in %s, and nothing once it has ended', (state) => {
    for (const step of Object.values(SCRIPT[state])) expect(step.say === '').toBe(state === 'ended');
  });

  it.each(states)('says goodbye in %s exactly when it ends the call', (state) => {
    if (state === 'ended') return;
    for (const { say, next } of Object.values(SCRIPT[state]))
      expect(/Goodbye/.test(say)).toBe(next === 'ended');
  });
});

describe('a turn', () => {
  it.each([
    ['opens when nothing was said', [], 'greeting', /good time/],
    ['says nothing when it is not its turn', [assistant], 'greeting', /^$/],
    [
      'takes the last of several keys',
      [assistant, customer('dtmf', '1'), customer('dtmf', '9')],
      'ended',
      /your call/,
    ],
    [
      'takes the last digit of several in one entry',
      [assistant, customer('dtmf', '12')],
      'times',
      /another time/,
    ],
    [
      'counts a key more than noise',
      [assistant, customer('dtmf', '1'), customer('unrecognised')],
      'ended',
      /confirmed/,
    ],
    [
      'counts noise more than silence',
      [assistant, customer('unrecognised'), customer('silence')],
      'menu',
      /Press 1/,
    ],
    [
      'counts noise in one breath once',
      [assistant, customer('unrecognised'), customer('unrecognised')],
      'menu',
      /Press 1/,
    ],
    ['hears a goodbye in words', [assistant, customer('speech', 'Okay, bye then')], 'ended', /Goodbye/],
    ['hears a number in words', [assistant, customer('speech', 'Two.')], 'times', /another time/],
    [
      'takes no choice from a number in passing',
      [assistant, customer('speech', 'One moment')],
      'menu',
      /Press 1/,
    ],
    ['finds no words within words', [assistant, customer('speech', 'Bygone days')], 'menu', /Press 1/],
    ['explains an unknown key', [assistant, customer('dtmf', '#')], 'menu', /Press 1/],
  ] as const)('%s', (_name, dialogue, next, say) => {
    const step = nextScriptStep(dialogue);
    expect(step.next).toBe(next);
    expect(step.say).toMatch(say);
  });
});
