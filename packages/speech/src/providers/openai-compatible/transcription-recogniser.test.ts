import { afterEach, describe, expect, it } from 'vitest';
import { tone, tonePurity } from '@parley/audio';
import { ManualClock, systemClock } from '@parley/runtime';
import { describeRecogniser, UTTERANCES } from '../../../test/conformance/recogniser.ts';
import { OpenAiSimulator, type OpenAiSimulatorOptions } from '../../fakes/index.ts';
import type { RecogniserEvent } from '../../ports.ts';
import { createTranscriptionRecogniser } from './transcription-recogniser.ts';

describeRecogniser('an OpenAI-compatible recogniser', async () => {
  const simulator = new OpenAiSimulator({
    clock: systemClock,
    transcribe: (_sound, index) => UTTERANCES[index % UTTERANCES.length] ?? '',
  });
  await simulator.start();
  return {
    recogniser: createTranscriptionRecogniser({
      account: { baseUrl: simulator.baseUrl, apiKey: null },
      model: 'whisper',
      clock: systemClock,
    }),
    stop: async () => simulator.stop(),
  };
});

describe('an OpenAI-compatible recogniser', () => {
  const running: OpenAiSimulator[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map(async (simulator) => simulator.stop()));
  });

  const setup = async (given: Partial<OpenAiSimulatorOptions> = {}) => {
    const clock = new ManualClock();
    const simulator = new OpenAiSimulator({ clock: systemClock, ...given });
    running.push(simulator);
    await simulator.start();
    const recogniser = createTranscriptionRecogniser({
      account: { baseUrl: simulator.baseUrl, apiKey: 'sk-test' },
      model: 'whisper',
      clock,
      limits: { firstMs: 4000, betweenMs: 1000 },
    });
    const told: RecogniserEvent[] = [];
    let wake = (): void => {};
    const stream = recogniser.open({ language: 'en-GB' }, (event) => {
      told.push(event);
      wake();
    });
    const events = async (count: number): Promise<RecogniserEvent[]> => {
      while (told.length < count) await new Promise<void>((resolve) => void (wake = resolve));
      return told;
    };
    const speech = (seconds: number) => tone({ hz: 300, sampleRateHz: 16_000, samples: 16_000 * seconds });
    return { clock, simulator, stream, events, speech };
  };

  it('sends an utterance as a WAV file with model and language', async () => {
    const { simulator, stream, speech, events } = await setup();
    const sound = speech(1);
    for (let at = 0; at < sound.length; at += 320) stream.push(sound.subarray(at, at + 320));
    stream.finalise();
    await events(1);
    const { path, authorization, body, sound: file } = await simulator.request(0);
    expect({ path, authorization }).toEqual({
      path: '/v1/audio/transcriptions',
      authorization: 'Bearer sk-test',
    });
    expect(body).toMatchObject({ model: 'whisper', language: 'en', response_format: 'json' });
    expect(file?.sampleRateHz).toBe(16_000);
    expect(file?.channels[0]).toHaveLength(16_000);
    expect(tonePurity(file?.channels[0] ?? new Int16Array(), 300, 16_000)).toBeGreaterThan(0.999);
  });

  it('sends only the speech, with 200 ms around it', async () => {
    const { simulator, stream, speech, events } = await setup({ transcribe: () => 'Yes.' });
    for (let second = 0; second < 16; second++) stream.push(new Int16Array(16_000));
    stream.push(speech(0.5));
    stream.push(new Int16Array(8000));
    stream.finalise();
    expect(await events(1)).toEqual([{ type: 'final', text: 'Yes.', endMs: 17_000 }]);
    const { sound } = await simulator.request(0);
    expect((sound?.channels[0]?.length ?? 0) / 16_000).toBeCloseTo(0.9);
  });

  it('sends nothing for a silent line', async () => {
    const { simulator, stream, events } = await setup({ transcribe: () => 'Thanks for watching!' });
    stream.push(new Int16Array(32_000));
    stream.finalise();
    expect(await events(1)).toEqual([{ type: 'final', text: '', endMs: 2000 }]);
    expect(simulator.requests).toHaveLength(0);
  });

  it('sends the end of an utterance that is far too long', async () => {
    const { simulator, stream, speech, events } = await setup();
    for (let second = 0; second < 70; second++) stream.push(speech(1));
    stream.finalise();
    expect(await events(1)).toMatchObject([{ type: 'final', endMs: 70_000 }]);
    const { sound } = await simulator.request(0);
    expect((sound?.channels[0]?.length ?? 0) / 16_000).toBe(61);
  });

  it('tells a failure in its place, and goes on', async () => {
    const { simulator, stream, speech, events } = await setup({ transcribe: () => ' Nine. ' });
    simulator.failNext({ type: 'status', status: 429, message: 'slow down' });
    for (let i = 0; i < 2; i++) {
      stream.push(speech(1));
      stream.finalise();
    }
    expect(await events(2)).toMatchObject([
      { type: 'failed', error: { kind: 'unavailable' } },
      { type: 'final', text: 'Nine.' },
    ]);
  });

  it('tells utterances in their order, also when a later one is answered first', async () => {
    const { clock, simulator, stream, speech, events } = await setup({ transcribe: () => 'Nine.' });
    simulator.failNext({ type: 'stall', after: 0 });
    stream.push(speech(1));
    stream.finalise();
    await simulator.request(0);
    clock.advance(2000);
    stream.push(speech(1));
    stream.finalise();
    expect(await (await simulator.request(1)).outcome).toBe('finished');
    clock.advance(2000); // the patience with the first one ends, the second one has 2 s left
    expect(await events(2)).toMatchObject([
      { type: 'failed', error: { kind: 'timed-out' } },
      { type: 'final', text: 'Nine.' },
    ]);
  });

  it('is unavailable when the reply is no transcription', async () => {
    const { simulator, stream, speech, events } = await setup();
    simulator.failNext({ type: 'garbage', after: 0 });
    stream.push(speech(1));
    stream.finalise();
    expect(await events(1)).toMatchObject([{ type: 'failed', error: { kind: 'unavailable' } }]);
  });

  it('gives up a server that does not answer', async () => {
    const { clock, simulator, stream, speech, events } = await setup();
    simulator.failNext({ type: 'stall', after: 0 });
    stream.push(speech(1));
    stream.finalise();
    const received = await simulator.request(0);
    clock.advance(4000);
    expect(await events(1)).toMatchObject([{ type: 'failed', error: { kind: 'timed-out' } }]);
    expect(await received.outcome).toBe('aborted');
    expect(clock.pendingTimers()).toBe(0);
  });

  it('hangs up on the server when it is closed', async () => {
    const { clock, simulator, stream, speech } = await setup();
    simulator.failNext({ type: 'stall', after: 0 });
    stream.push(speech(1));
    stream.finalise();
    const received = await simulator.request(0);
    stream.close();
    expect(await received.outcome).toBe('aborted');
    expect(clock.pendingTimers()).toBe(0);
  });
});
