/** A model at a provider that nobody reaches, for assistants that need one that is not built in. */
import { addProvider, type CoreContext } from '@parley/core';
import { randomUUID } from 'node:crypto';

/** @returns the name by which assistants choose it */
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
