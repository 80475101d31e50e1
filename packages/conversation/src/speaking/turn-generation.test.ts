import { expect, it } from 'vitest';
import { silentLog } from '@parley/runtime';
import { newSpokenTurn } from '../record/call-record.ts';
import type { SpokenPiece } from './spoken-reply.ts';
import { TurnGeneration } from './turn-generation.ts';

it('puts a filler between the words that have their sound and those whose sound stalls', async () => {
  const spoken = newSpokenTurn({ number: 1, kind: 'reply', attempt: 1, cause: null });
  const making = new TurnGeneration({
    spoken,
    isDraft: false,
    voiceCount: 1,
    replaceVoice: () => undefined,
    sampleRateHz: 8000,
    soundOf: async function* () {},
    isRecorded: () => false,
    pace: () => 10,
    play: () => undefined,
    onUnderrun: () => undefined,
    nowMs: () => 0,
    onEvent: () => undefined,
    callSignal: new AbortController().signal,
    log: silentLog,
  });
  const sound = (): SpokenPiece => ({ type: 'sound', item: 'a', samples: new Int16Array(100) });
  const clip = (): Int16Array => new Int16Array(50);
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
