import { afterEach, expect, it } from 'vitest';
import { collect } from '../../../test/collect.ts';
import {
  describeRemoteSynthesiser,
  openVoice,
  stopVoices,
} from '../../../test/conformance/remote-synthesiser.ts';
import { DeepgramSimulator } from '../../fakes/index.ts';
import { createAuraSynthesiser } from './aura-synthesiser.ts';

const subject = {
  name: 'Deepgram Aura',
  voice: 'aura-2-thalia-en',
  simulate: (options: ConstructorParameters<typeof DeepgramSimulator>[0]) => new DeepgramSimulator(options),
  make: createAuraSynthesiser,
};

describeRemoteSynthesiser(subject);
afterEach(stopVoices);

it('asks for raw samples at the rate of the line', async () => {
  const { simulator, speak } = await openVoice(subject);
  await collect(speak({ speed: 1.1 }));
  const { path, query, authorization, body } = await simulator.request(0);
  expect({ path, authorization, body }).toEqual({
    path: '/v1/speak',
    authorization: 'Token key-that-must-stay-secret',
    body: { text: 'Good morning.' },
  });
  expect(query).toEqual({
    model: 'aura-2-thalia-en',
    encoding: 'linear16',
    container: 'none',
    sample_rate: '8000',
    speed: '1.1',
  });
});
