/**
 * Requests embeddings from providers with OpenAI's protocol (`POST /v1/embeddings`), which OpenAI, Google, Ollama, LM
 * Studio, llama.cpp and vLLM serve. Only operators configure the addresses. Each process has one embedder, whose
 * connections are kept, because a caller waits for the embedding of a question.
 *
 * @see https://platform.openai.com/docs/api-reference/embeddings
 */
import type { Clock, Log } from '@parley/runtime';
import { createGuardedClient, type GuardedOutcome } from '@parley/runtime/guarded-http';
import { z } from 'zod';
import { PROVIDER_KINDS, type RemoteKind } from '../lookups/providers/provider-kinds.rules.ts';
import { MAX_NUMBERS, MIN_NUMBERS } from './embedding-code.rules.ts';

/** A model with its provider and the opened key. Never logged, never stored. */
export interface EmbeddingModel {
  llmModelId: number;
  name: string;
  wireName: string;
  providerId: number;
  providerName: string;
  kind: RemoteKind;
  baseUrl: string;
  apiKey: string | null;
}

/** The embeddings in the order of the texts, or why there are none, as a sentence for the owner. */
type EmbeddingOutcome =
  | { vectors: Float32Array[]; tokens: number; isEstimated: boolean }
  | { failure: string };

/** @see createEmbedder */
export interface Embedder {
  /** Never rejects. */
  embed(model: EmbeddingModel, texts: readonly string[], timeLimitMs: number): Promise<EmbeddingOutcome>;
  /**
   * The embedding of a question in a conversation. After a failure the model is not asked for some seconds, so that not
   * every search of a call waits for a server that does not answer.
   */
  embedQuestion(model: EmbeddingModel, text: string): Promise<EmbeddingOutcome>;
  close(): Promise<void>;
}

/** A caller waits meanwhile. Providers answer in 50 to 300 ms. */
const QUESTION_LIMIT_MS = 500;
/** After a failed question. */
const REST_MS = 15_000;
const RESTING: EmbeddingOutcome = { failure: 'The provider has not answered a moment ago.' };

/** 64 embeddings with 4096 numbers of 12 characters need 3 MiB. */
const BODY_LIMIT_BYTES = 8 * 1024 * 1024;
const CHARACTERS_OF_TOKEN = 4;

const answerShape = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()) })),
  usage: z.object({ prompt_tokens: z.int().min(0) }).optional(),
});

/** The caller closes it. */
export function createEmbedder({ clock, log }: { clock: Clock; log: Log }): Embedder {
  const client = createGuardedClient({ clock, allowPrivate: 'all', bodyLimitBytes: BODY_LIMIT_BYTES });
  /** Until when a model is not asked, by its id. */
  const resting = new Map<number, number>();

  async function embed(
    model: EmbeddingModel,
    texts: readonly string[],
    timeLimitMs: number,
  ): Promise<EmbeddingOutcome> {
    const path = PROVIDER_KINDS[model.kind].embeddingsPath;
    if (path === null) return { failure: 'Providers of this kind have no embeddings.' };
    const key = model.apiKey === null ? {} : { authorization: `Bearer ${model.apiKey}` };
    const outcome = await client.send({
      url: `${model.baseUrl}${path}`,
      headers: { accept: 'application/json', 'content-type': 'application/json', ...key },
      body: JSON.stringify({ model: model.wireName, input: texts, encoding_format: 'float' }),
      timeLimitMs,
    });
    return readOutcome(outcome, texts);
  }

  return {
    embed,
    async embedQuestion(model, text) {
      const { llmModelId } = model;
      if ((resting.get(llmModelId) ?? 0) > clock.monotonic()) return RESTING;
      const outcome = await embed(model, [text], QUESTION_LIMIT_MS);
      if ('failure' in outcome) {
        resting.set(llmModelId, clock.monotonic() + REST_MS);
        log.warn({ llmModelId, reason: outcome.failure }, 'A question was not embedded');
      } else resting.delete(llmModelId);
      return outcome;
    },
    close: () => client.close(),
  };
}

function readOutcome(outcome: GuardedOutcome, texts: readonly string[]): EmbeddingOutcome {
  if ('error' in outcome) return { failure: `${outcome.error}.` };
  const { status, body } = outcome;
  if (status === 401 || status === 403)
    return { failure: `The provider refuses its key (status ${status}).` };
  if (status === 429) return { failure: 'The provider accepts no more requests for now (status 429).' };
  if (status !== 200) return { failure: `The provider answered with the status ${status}.` };
  const answer = answerShape.safeParse(parsed(body)).data;
  const vectors = answer && vectorsOf(answer.data, texts.length);
  if (!vectors) return { failure: 'The answer of the provider contains no embeddings that can be used.' };
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  const tokens = answer.usage?.prompt_tokens;
  return {
    vectors,
    tokens: tokens ?? Math.ceil(characters / CHARACTERS_OF_TOKEN),
    isEstimated: tokens === undefined,
  };
}

/** One for each text, whatever their order; null when one is missing, twice, of another length or without a direction. */
function vectorsOf(
  data: readonly { index: number; embedding: number[] }[],
  count: number,
): Float32Array[] | null {
  const inOrder = data.toSorted((one, other) => one.index - other.index);
  const isComplete = data.length === count && inOrder.every(({ index }, place) => index === place);
  const length = inOrder[0]?.embedding.length ?? 0;
  if (!isComplete || length < MIN_NUMBERS || length > MAX_NUMBERS) return null;
  const vectors = inOrder.map(({ embedding }) => Float32Array.from(embedding));
  const isUsable = (vector: Float32Array): boolean =>
    vector.length === length && vector.every(Number.isFinite) && vector.some((value) => value !== 0);
  return vectors.every(isUsable) ? vectors : null;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
