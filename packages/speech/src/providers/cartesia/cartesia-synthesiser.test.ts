import { afterEach, expect, it } from 'vitest';
import { collect } from '../../../test/collect.ts';
import {
  describeRemoteSynthesiser,
  itReportsWords,
  openVoice,
  stopVoices,
} from '../../../test/conformance/remote-synthesiser.ts';
import { CartesiaSimulator } from '../../fakes/index.ts';
import { createCartesiaSynthesiser } from './cartesia-synthesiser.ts';

const subject = {
  name: 'Cartesia',
  voice: 'voice-1',
  simulate: (options: ConstructorParameters<typeof CartesiaSimulator>[0]) => new CartesiaSimulator(options),
  make: createCartesiaSynthesiser,
};

describeRemoteSynthesiser(subject);
itReportsWords(subject);
afterEach(stopVoices);

it('requests a voice at the sample rate of the call, in a separate context', async () => {
  const { simulator, speak, synthesiser } = await openVoice(subject);
  await collect(speak({ speed: 1.1 }));
  const { path, headers, messages } = await simulator.request(0);
  expect(path).toBe('/tts/websocket');
  expect(headers).toMatchObject({
    'x-api-key': 'key-that-must-stay-secret',
    'cartesia-version': '2025-04-16',
  });
  expect(messages).toEqual([
    {
      model_id: 'sonic-3',
      transcript: 'Good morning.',
      voice: { mode: 'id', id: 'voice-1' },
      language: 'en',
      context_id: 'text-1',
      output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: 8000 },
      generation_config: { speed: 1.1 },
      add_timestamps: true,
      continue: false,
    },
  ]);
  synthesiser.release?.();
});

it('breaks one context off without the others, on the one socket of the call', async () => {
  const { simulator, speak, synthesiser } = await openVoice(subject);
  simulator.failNext({ type: 'stall', after: 1 });
  const leaving = new AbortController();
  for await (const _chunk of speak({}, leaving.signal)) leaving.abort();
  await simulator.until(() => simulator.requests[0]?.messages.length === 2);
  expect(simulator.requests[0]?.messages[1]).toEqual({ context_id: 'text-1', cancel: true });
  synthesiser.release?.();
  expect(await simulator.requests[0]?.outcome).toBe('finished');
});

it('tells a voice that does not exist as rejected, and speaks on with another', async () => {
  const { simulator, speak, synthesiser } = await openVoice(subject);
  await expect(collect(speak({ voice: 'missing' }))).rejects.toMatchObject({
    kind: 'rejected',
    message: 'The provider says: No such voice',
  });
  expect((await collect(speak())).length).toBeGreaterThan(0);
  expect(simulator.requests).toHaveLength(1);
  synthesiser.release?.();
});
