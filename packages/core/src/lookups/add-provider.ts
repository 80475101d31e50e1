/** Adds a server of models and voices that speaks OpenAI's interface. Shared by all users, so only operators come here. */
import { isUniqueViolation, LlmModel, Provider, Voice } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';

/** A server and what it offers. */
export interface AddProviderInput {
  name: string;
  kind: 'openai-compatible';
  /** Without `/chat/completions`, for example `http://127.0.0.1:11434/v1`. */
  baseUrl: string;
  apiKey?: string | undefined;
  /** `name` is shown and unique; `wireName` is what the server calls it. */
  models: { name: string; wireName: string }[];
  voices: { name: string; wireName: string }[];
}

/** @throws DomainError `conflict` when the name of a model or voice is taken */
export async function addProvider(ctx: CoreContext, input: AddProviderInput): Promise<{ id: number }> {
  try {
    return await ctx.db.orm().transactional(async (em) => {
      const provider = em.create(Provider, {
        userId: null,
        name: input.name,
        kind: input.kind,
        baseUrl: input.baseUrl.replace(/\/+$/, ''),
        apiKeySealed: input.apiKey === undefined ? null : ctx.secretBox.seal(input.apiKey),
        createdAt: now(ctx),
      });
      await em.flush();
      const shared = { providerId: provider.id, userId: null, languageId: null };
      for (const model of input.models) em.create(LlmModel, { ...model, providerId: provider.id });
      for (const voice of input.voices) em.create(Voice, { ...voice, ...shared, mode: 'pipeline' });
      return { id: provider.id };
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new DomainError('conflict', 'A model or voice with this name exists already.', { cause: error });
  }
}
