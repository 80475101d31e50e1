import { afterEach, expect, it } from 'vitest';
import { asked, describeRemoteModel, openModel, stopModels } from '../../../test/conformance/remote-model.ts';
import { AnthropicSimulator } from '../../fakes/index.ts';
import { createAnthropicModel } from './anthropic-model.ts';

const subject = {
  name: 'Anthropic',
  simulate: (options: ConstructorParameters<typeof AnthropicSimulator>[0]) => new AnthropicSimulator(options),
  make: createAnthropicModel,
  piecesBeforeText: 2,
};

describeRemoteModel(subject);
afterEach(stopModels);

it('sends prompt, dialogue, tools and temperature as the protocol requires', async () => {
  const { simulator, ask } = await openModel(subject);
  await ask(asked('Hello'));
  const { path, headers, body } = await simulator.request(0);
  expect(path).toBe('/v1/messages');
  expect(headers['x-api-key']).toBe('key-that-must-stay-secret');
  expect(body).toMatchObject({
    model: 'simulated',
    stream: true,
    temperature: 0.3,
    system: [{ type: 'text', text: 'You are brief.' }],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    tools: [{ name: 'end_call', input_schema: { type: 'object' } }],
  });
});
