import { afterEach, expect, it } from 'vitest';
import { systemClock } from '@parley/runtime';
import { collect } from '../../../test/collect.ts';
import { asked, describeRemoteModel, openModel, stopModels } from '../../../test/conformance/remote-model.ts';
import { GoogleSimulator } from '../../fakes/index.ts';
import { createGoogleModel } from './google-model.ts';

const subject = {
  name: 'Google',
  simulate: (options: ConstructorParameters<typeof GoogleSimulator>[0]) => new GoogleSimulator(options),
  make: createGoogleModel,
  piecesBeforeText: 0,
};

describeRemoteModel(subject);
afterEach(stopModels);

it('sends prompt, dialogue, tools and temperature as the protocol requires', async () => {
  const { simulator, ask } = await openModel(subject);
  await ask(asked('Hello'));
  const { path, query, headers, body } = await simulator.request(0);
  expect({ path, query }).toEqual({
    path: '/v1beta/models/simulated:streamGenerateContent',
    query: { alt: 'sse' },
  });
  expect(headers['x-goog-api-key']).toBe('key-that-must-stay-secret');
  expect(body).toMatchObject({
    generationConfig: { temperature: 0.3 },
    systemInstruction: { parts: [{ text: 'You are brief.' }] },
    contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
    tools: [{ functionDeclarations: [{ name: 'end_call' }] }],
  });
});

it('tells models that think first not to', async () => {
  const { simulator } = await openModel(subject);
  const account = { baseUrl: simulator.origin, apiKey: 'key' };
  for (const name of ['gemini-2.5-flash', 'gemini-2.0-flash']) {
    const model = createGoogleModel({ account, model: name, clock: systemClock });
    await collect(model.stream(asked('Hello'), new AbortController().signal));
  }
  const thinking = simulator.requests.map(({ body }) => body['generationConfig']);
  expect(thinking[0]).toMatchObject({ thinkingConfig: { thinkingBudget: 0 } });
  expect(thinking[1]).not.toHaveProperty('thinkingConfig');
});
