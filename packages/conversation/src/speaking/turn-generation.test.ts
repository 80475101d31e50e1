import { expect, it } from 'vitest';
import { silentLog } from '@parley/runtime';
import { newSpokenTurn } from '../record/call-record.ts';
import type { SpokenPiece } from './spoken-reply.ts';
import { TurnGeneration, type TurnGenerationOptions } from './turn-generation.ts';

const clip = (): Int16Array => new Int16Array(50);

function setup(soundOf: TurnGenerationOptions['soundOf'] = async function* () {}) {
  const spoken = newSpokenTurn({ number: 1, kind: 'reply', attempt: 1, cause: null });
  const making = new TurnGeneration({
    spoken,
    isDraft: false,
    voiceCount: 1,
    replaceVoice: () => undefined,
    sampleRateHz: 8000,
    soundOf,
    isRecorded: () => false,
    pace: () => 10,
    play: () => undefined,
    onUnderrun: () => undefined,
    nowMs: () => 0,
    onEvent: () => undefined,
    callSignal: new AbortController().signal,
    log: silentLog,
  });
  return { spoken, making };
}

it('puts a filler between the words that have their sound and those whose sound stalls', async () => {
  const { spoken, making } = setup();
  const sound = (): SpokenPiece => ({ type: 'sound', item: 'a', samples: new Int16Array(100) });
  async function* pieces(): AsyncGenerator<SpokenPiece> {
    yield { type: 'words', item: 'a', text: 'One two, three four.' };
    yield sound();
    making.fill(clip());
    yield sound();
  }
  await making.makeSpoken(pieces());
  expect(spoken.chunks.map(({ text, givenSamples }) => [text, givenSamples])).toEqual([
    ['One two,', 100],
    ['', 50],
    ['three four.', 100],
  ]);
});

it('words after a filler keep their times, those that were known before it and those that follow', async () => {
  const { spoken, making } = setup(async function* (_text, _signal, onWord) {
    onWord({ text: 'One', startMs: 0, endMs: 100 });
    onWord({ text: 'two', startMs: 110, endMs: 200 });
    yield new Int16Array(800);
    making.fill(clip());
    onWord({ text: 'three', startMs: 210, endMs: 300 });
    yield new Int16Array(1600);
  });
  await making.make(['One two three.']);
  expect(spoken.chunks.map(({ text, givenSamples }) => [text, givenSamples])).toEqual([
    ['One', 800],
    ['', 50],
    ['two three.', 1600],
  ]);
  expect(spoken.chunks[2]?.words).toEqual([
    { text: 'two', start: 80, end: 800 },
    { text: 'three', start: 880, end: 1600 },
  ]);
});
