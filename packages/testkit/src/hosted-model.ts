/** A model of a provider without a server, for assistants that require a model that is not built in. */
import { addProvider, type CoreContext } from '@parley/core';
import { randomUUID } from 'node:crypto';

/** @returns its name in the settings of assistants */
export async function createHostedModel(core: CoreContext): Promise<string> {
  const name = `Hosted ${randomUUID()}`;
  await addProvider(core, {
    name,
    kind: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:9/v1',
    models: [{ name, wireName: 'hosted' }],
    voices: [],
  });
  return name;
}
