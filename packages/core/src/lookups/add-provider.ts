/** Adds a server of models and voices that speaks OpenAI's interface. Shared by all users, so only operators come here. */
import { statement } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { writeOffers, type Offer } from './providers/offers.ts';

/** A server and what it offers. */
export interface AddProviderInput {
  name: string;
  kind: 'openai-compatible';
  /** Without `/chat/completions`, for example `http://127.0.0.1:11434/v1`. */
  baseUrl: string;
  apiKey?: string | undefined;
  models: Offer[];
  voices: Offer[];
}

const insertProvider = statement<{ id: number }>(
  'insert_provider',
  `insert into providers (name, kind, base_url, api_key_sealed, created_at) values ($1, $2, $3, $4, $5) returning id`,
);

/** @throws DomainError `invalid` when the name of a model or voice is taken */
export async function addProvider(ctx: CoreContext, input: AddProviderInput): Promise<{ id: number }> {
  const apiKeySealed = input.apiKey === undefined ? null : ctx.secretBox.seal(input.apiKey);
  return ctx.db.transaction(async (tx) => {
    const values = [input.name, input.kind, plainAddress(input.baseUrl), apiKeySealed, now(ctx)];
    const [provider] = await tx.query(insertProvider, values);
    if (!provider) throw new Error('A provider could not be written');
    await writeOffers(tx, provider.id, input);
    return provider;
  });
}

/** Without slashes at the end, so that paths can be appended. */
export function plainAddress(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '');
}
