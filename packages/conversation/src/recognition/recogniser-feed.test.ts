/** What happens when a stream of a recogniser is replaced. */
import { expect, it } from 'vitest';
import { SpeechError, type Recogniser, type RecogniserEvent } from '@parley/speech';
import { ProviderChain } from '../provider-chain.ts';
import type { RecognitionEvent } from './recognition-event.ts';
import { RecogniserFeed } from './recogniser-feed.ts';

const RATE_HZ = 8000;
const FRAME_SAMPLES = 160;

function setup() {
  /** The streams in the order in which they were opened. */
  const streams: {
    emit: (event: RecogniserEvent) => void;
    pushed: number;
    finals: number;
    /** When the speech of the latest final result began. */
    speechFromMs: number | undefined;
    expected: readonly string[];
    isClosed: boolean;
  }[] = [];
  const recogniser: Recogniser = {
    capabilities: { hasInterim: true, sampleRateHz: RATE_HZ, finalWithinMs: 300, endOfTurn: 'none' },
    open(_options, onEvent) {
      const stream = {
        emit: onEvent,
        pushed: 0,
        finals: 0,
        speechFromMs: undefined as number | undefined,
        expected: [] as readonly string[],
        isClosed: false,
      };
      streams.push(stream);
      return {
        push: (samples) => void (stream.pushed += samples.length),
        expect: (phrases) => void (stream.expected = phrases),
        finalise(speechFromMs) {
          stream.finals++;
          stream.speechFromMs = speechFromMs;
        },
        close: () => void (stream.isClosed = true),
      };
    },
  };
  const events: RecognitionEvent[] = [];
  const feed = new RecogniserFeed({
    sampleRateHz: RATE_HZ,
    recognisers: new ProviderChain(recogniser),
    language: 'en',
    onEvent: (event) => events.push(event),
    onError: () => undefined,
  });
  const hear = (frames: number): void => {
    const received = new Int16Array(FRAME_SAMPLES);
    for (let index = 0; index < frames; index++) feed.hear({ index, received }, received);
  };
  return { feed, streams, events, hear };
}

it('ignores everything that a replaced stream still reports', () => {
  const { feed, streams, events } = setup();
  streams[0]?.emit({ type: 'failed', error: new SpeechError('unavailable', 'gone') });
  feed.reopen(false);
  expect(streams[0]?.isClosed).toBe(true);
  streams[0]?.emit({ type: 'final', text: 'old' });
  streams[0]?.emit({ type: 'failed', error: new SpeechError('unavailable', 'again') });
  streams[1]?.emit({ type: 'interim', text: 'new' });
  expect(events).toEqual([{ type: 'recogniser.failed' }, { type: 'words.guessed', text: 'new' }]);
});

it('reports nothing after it was closed', () => {
  const { feed, streams, events, hear } = setup();
  feed.close();
  hear(1);
  feed.reopen(false);
  streams[0]?.emit({ type: 'final', text: 'late' });
  expect(events).toEqual([]);
  expect(streams).toMatchObject([{ isClosed: true, pushed: 0 }]);
});

it('gives a new stream the last two seconds without an answer, and asks again for the final', () => {
  const { feed, streams, hear } = setup();
  hear(500);
  feed.finalise({ expected: null, speechFromMs: 9000 });
  feed.reopen(false);
  expect(streams[0]).toMatchObject({ finals: 1, speechFromMs: 9000 });
  // The first of the last 100 frames begins at 8000 ms.
  expect(streams[1]).toMatchObject({ pushed: 100 * FRAME_SAMPLES, finals: 1, speechFromMs: 1000 });
  streams[1]?.emit({ type: 'final', text: 'Yes.' });
  feed.reopen(false);
  expect(streams[2]).toMatchObject({ pushed: 0, finals: 0 });
});

it('expects phrases only where they are given', () => {
  const { feed, streams } = setup();
  feed.finalise({ expected: ['monday'], speechFromMs: 0 });
  expect(streams[0]?.expected).toEqual(['monday']);
  feed.finalise({ expected: null, speechFromMs: 0 });
  expect(streams[0]?.expected).toEqual([]);
});
