import type { CoreContext } from '../context.ts';

export interface AddProviderInput {
  name: string;
  kind: 'openai-compatible';
  baseUrl: string;
  apiKey?: string | undefined;
  /** `name` is shown and unique; `wireName` is what the server calls it. */
  models: { name: string; wireName: string }[];
  voices: { name: string; wireName: string }[];
}

/** @throws DomainError conflict when a name is taken */
export async function addProvider(_ctx: CoreContext, _input: AddProviderInput): Promise<{ id: number }> {
  throw new Error('coming');
}
