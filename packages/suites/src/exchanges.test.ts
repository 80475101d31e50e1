import { expect, test } from 'vitest';
import { besideRecording, replayScript } from './exchanges.ts';
import type { SpokenTurn } from './conversation.ts';

const assistant = (text: string): SpokenTurn => ({ speaker: 'assistant', text });
const caller = (text: string): SpokenTurn => ({ speaker: 'caller', text });

test('adjacent turns of one side are one turn', () => {
  const recorded = [
    assistant('Hello.'),
    caller('I need'),
    caller('a table.'),
    assistant('When?'),
    assistant('Today?'),
  ];
  expect(replayScript(recorded)).toEqual(['I need a table.']);
  expect(
    besideRecording(recorded, [assistant('Hi.'), caller('I need a table.'), assistant('For how many?')]),
  ).toEqual([
    { caller: null, recorded: 'Hello.', now: 'Hi.' },
    { caller: 'I need a table.', recorded: 'When? Today?', now: 'For how many?' },
  ]);
});

test('speech that was not recognised is not said again', () => {
  const recorded = [
    assistant('What day?'),
    caller('[not recognised]'),
    assistant('I did not understand you.'),
    caller('Monday.'),
    assistant('Very good.'),
  ];
  expect(replayScript(recorded)).toEqual(['Monday.']);
  expect(besideRecording(recorded, [assistant('What day?'), caller('Monday.'), assistant('Done.')])).toEqual([
    { caller: null, recorded: 'What day? I did not understand you.', now: 'What day?' },
    { caller: 'Monday.', recorded: 'Very good.', now: 'Done.' },
  ]);
});
