import { describe, expect, it } from 'vitest';
import { tone, tonePurity } from '@parley/audio';
import { ManualClock, systemClock } from '@parley/runtime';
import { describeDetector } from '../../test/conformance/voice-activity-detector.ts';
import { describeLanguageModel, END_CALL } from '../../test/conformance/language-model.ts';
import { describeRecogniser, UTTERANCES } from '../../test/conformance/recogniser.ts';
import { describeSynthesiser } from '../../test/conformance/synthesiser.ts';
import { SpeechError, type LanguageModelRequest, type RecogniserEvent, type SpeakOptions } from '../ports.ts';
import {
  createFakeDetector,
  createFakeModel,
  createFakeRecogniser,
  createFakeSynthesiser,
  fakeSpeech,
  fakeToolCall,
} from './index.ts';

const request = (systemPrompt: string): LanguageModelRequest => ({
  systemPrompt,
  dialogue: [],
  tools: [END_CALL],
  temperature: 0,
  language: 'en',
});
const speakOptions: SpeakOptions = {
  voice: 'hum',
  sampleRateHz: 8000,
  speed: 1,
  stability: 0,
  similarity: 0,
  language: 'en',
};
const turn = async (): Promise<void> => new Promise<void>((resolve) => setImmediate(resolve));

describeDetector('the fake detector', async () => ({
  detector: createFakeDetector(),
  speech: tone({ hz: 300, sampleRateHz: 16_000, samples: 40_000 }),
}));

describeSynthesiser('the fake synthesiser', async () => ({
  synthesiser: createFakeSynthesiser({ clock: systemClock }),
  voice: 'hum',
  stop: async () => {},
}));

describeRecogniser('the fake recogniser', async () => ({
  recogniser: createFakeRecogniser({ clock: systemClock, utterances: UTTERANCES }),
  stop: async () => {},
}));

describeLanguageModel('the fake model', async () => ({
  model: createFakeModel({
    clock: systemClock,
    answers: ({ systemPrompt }) =>
      systemPrompt === 'talk' ? fakeSpeech('How can I help you?') : fakeToolCall('Goodbye.', 'end_call'),
  }),
  talk: request('talk'),
  goodbye: request('goodbye'),
  stop: async () => {},
}));

describe('the fake detector with a plan', () => {
  it('calls speech what the plan calls speech, whatever the sound', async () => {
    const detector = createFakeDetector({ speech: [{ fromMs: 64, toMs: 128 }] });
    const speaking: number[] = [];
    const stream = detector.open((probability, endMs) => {
      if (probability > 0.5) speaking.push(endMs);
    });
    stream.push(new Int16Array(16 * 320));
    await turn();
    expect(speaking).toEqual([96, 128]);
  });
});

describe('the fake synthesiser', () => {
  it('hums for as long as the text is, at the tone it was given', async () => {
    const synthesiser = createFakeSynthesiser({ clock: systemClock, toneHz: 700, msPerCharacter: 20 });
    const chunks: Int16Array[] = [];
    for await (const chunk of synthesiser.speak('ten chars.', speakOptions, new AbortController().signal))
      chunks.push(chunk);
    expect(chunks.map((chunk) => chunk.length)).toEqual([800, 800]);
    expect(tonePurity(chunks[1] ?? new Int16Array(), 700, 8000)).toBeGreaterThan(0.99);
    expect(synthesiser.spoken).toMatchObject([{ text: 'ten chars.' }]);
  });

  it('waits for the clock before the first chunk, and fails when told to', async () => {
    const clock = new ManualClock();
    const synthesiser = createFakeSynthesiser({
      clock,
      firstChunkAfterMs: 300,
      failWith: (text) => (text === 'no' ? new SpeechError('unavailable', 'gone') : null),
    });
    const failing = synthesiser.speak('no', speakOptions, new AbortController().signal);
    const outcome = failing[Symbol.asyncIterator]().next();
    let isSettled = false;
    outcome.catch(() => void (isSettled = true));
    await clock.advanceAsync(290);
    expect(isSettled).toBe(false);
    clock.advance(10);
    await expect(outcome).rejects.toMatchObject({ kind: 'unavailable' });
    expect(clock.pendingTimers()).toBe(0);
  });
});

describe('the fake recogniser', () => {
  it('waits for the clock, sends interims when asked to, and passes errors on', async () => {
    const clock = new ManualClock();
    const error = new SpeechError('timed-out', 'slow');
    const recogniser = createFakeRecogniser({
      clock,
      utterances: ['see you tomorrow', error],
      finalAfterMs: 200,
      hasInterim: true,
    });
    const heard: RecogniserEvent[] = [];
    const stream = recogniser.open({ language: 'en' }, (event) => heard.push(event));
    stream.push(new Int16Array(1600));
    stream.finalise();
    await turn();
    expect(heard).toEqual([{ type: 'interim', text: 'see you' }]);
    clock.advance(200);
    stream.push(new Int16Array(1600));
    stream.finalise();
    clock.advance(200);
    expect(heard.slice(1)).toEqual([
      { type: 'final', text: 'see you tomorrow', endMs: 100 },
      { type: 'failed', error },
    ]);
  });

  it('leaves no timer when it is closed', () => {
    const clock = new ManualClock();
    const recogniser = createFakeRecogniser({ clock, utterances: ['never'], finalAfterMs: 200 });
    const stream = recogniser.open({ language: 'en' }, () => {});
    stream.push(new Int16Array(160));
    stream.finalise();
    stream.close();
    expect(clock.pendingTimers()).toBe(0);
  });
});

describe('the fake model', () => {
  it('keeps the delays of its script and counts answers that were broken off', async () => {
    const clock = new ManualClock();
    const model = createFakeModel({
      clock,
      answers: [fakeSpeech('one two three', { firstAfterMs: 200, eachAfterMs: 50 })],
    });
    const leaving = new AbortController();
    const times: number[] = [];
    const listening = (async () => {
      for await (const _event of model.stream(request('talk'), leaving.signal)) times.push(clock.monotonic());
    })();
    await clock.advanceAsync(260);
    leaving.abort();
    await listening;
    expect(times).toEqual([200, 250]);
    expect(model.abortedCount).toBe(1);
    expect(model.requests).toHaveLength(1);
    expect(clock.pendingTimers()).toBe(0);
  });

  it('fails after its last word when told to', async () => {
    const error = new SpeechError('unavailable', 'gone');
    const model = createFakeModel({
      clock: systemClock,
      answers: [{ ...fakeSpeech('one'), failWith: error }],
    });
    const stream = model.stream(request('talk'), new AbortController().signal)[Symbol.asyncIterator]();
    expect(await stream.next()).toMatchObject({ value: { text: 'one' } });
    await expect(stream.next()).rejects.toBe(error);
  });
});
