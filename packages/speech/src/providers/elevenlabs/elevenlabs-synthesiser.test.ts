import { afterEach, expect, it } from 'vitest';
import { collect } from '../../../test/collect.ts';
import {
  describeRemoteSynthesiser,
  itReportsWords,
  openVoice,
  stopVoices,
} from '../../../test/conformance/remote-synthesiser.ts';
import { ElevenLabsSimulator } from '../../fakes/index.ts';
import { createElevenLabsSynthesiser } from './elevenlabs-synthesiser.ts';

const subject = {
  name: 'ElevenLabs',
  voice: 'voice/1',
  simulate: (options: ConstructorParameters<typeof ElevenLabsSimulator>[0]) =>
    new ElevenLabsSimulator(options),
  make: createElevenLabsSynthesiser,
};

describeRemoteSynthesiser(subject);
itReportsWords(subject);
afterEach(stopVoices);

it('asks for a voice at the rate of the line, with its settings, and flushes each text', async () => {
  const { simulator, speak, synthesiser } = await openVoice(subject);
  await collect(speak({ speed: 1.4 }));
  const { path, query, headers, messages } = await simulator.request(0);
  expect(path).toBe('/v1/text-to-speech/voice%2F1/multi-stream-input');
  expect(headers['xi-api-key']).toBe('key-that-must-stay-secret');
  expect(query).toMatchObject({
    output_format: 'pcm_8000',
    language_code: 'en',
    auto_mode: 'true',
    sync_alignment: 'true',
  });
  const context = 'text-1';
  expect(messages).toEqual([
    {
      text: ' ',
      context_id: context,
      voice_settings: { stability: 0.7, similarity_boost: 0.4, speed: 1.2 },
    },
    { text: 'Good morning. ', context_id: context, flush: true },
    { context_id: context, close_context: true },
  ]);
  synthesiser.release?.();
});

it('keeps one socket for a call, and closes it when it is released', async () => {
  const { simulator, speak, synthesiser } = await openVoice(subject);
  await collect(speak());
  await Promise.all([collect(speak()), collect(speak())]);
  expect(simulator.requests).toHaveLength(1);
  synthesiser.release?.();
  expect(await simulator.requests[0]?.outcome).toBe('finished');
});

it('never opens more contexts on a socket than the provider allows', async () => {
  const { simulator, speak, synthesiser } = await openVoice(subject);
  simulator.failNext({ type: 'stall', after: 0 });
  const leaving = new AbortController();
  const left = Array.from({ length: 5 }, async () => collect(speak({}, leaving.signal)));
  await simulator.until(() => simulator.requests[0]?.messages.length === 15);
  leaving.abort();
  await Promise.all(left);
  expect((await collect(speak())).length).toBeGreaterThan(0);
  expect(simulator.requests).toHaveLength(2);
  synthesiser.release?.();
});
