/**
 * The endpoint `embeddings` of the OpenAI wire protocol, as strict as the reference: a model, one to 2048 texts, none of
 * them empty, and a format of the answer that is known.
 *
 * @see https://platform.openai.com/docs/api-reference/embeddings/create
 */
import { jsonReply } from './openai-wire.ts';
import type { SimulatedReply } from './simulator/provider-simulator.ts';

const MAX_TEXTS = 2048;
const NUMBERS = 256;
const CHARACTERS_OF_TOKEN = 4;

/** Answers in reverse order, because clients must go by the index. A wrong request is answered with what is wrong. */
export function embeddingsReply(
  { model, input, encoding_format: format = 'float' }: Record<string, unknown>,
  embed: (text: string) => readonly number[],
): SimulatedReply {
  const texts = typeof input === 'string' ? [input] : input;
  const isRight =
    typeof model === 'string' &&
    Array.isArray(texts) &&
    texts.length > 0 &&
    texts.length <= MAX_TEXTS &&
    texts.every((text) => typeof text === 'string' && text !== '');
  if (!isRight || format !== 'float')
    return jsonReply({ error: { message: 'Invalid request', type: 'invalid_request_error' } });
  const characters = texts.reduce((sum: number, text: string) => sum + text.length, 0);
  const tokens = Math.ceil(characters / CHARACTERS_OF_TOKEN);
  const data = texts.map((text: string, index) => ({ object: 'embedding', index, embedding: embed(text) }));
  return jsonReply({
    object: 'list',
    data: data.toReversed(),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
}

/** Texts with the same words are near each other. */
export function wordsOf(text: string): number[] {
  const numbers = Array.from({ length: NUMBERS }, () => 0.001);
  for (const word of text.toLowerCase().split(/[^\p{L}\p{N}]+/u)) {
    let hash = 0;
    for (const character of word) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
    numbers[hash % NUMBERS] = (numbers[hash % NUMBERS] ?? 0) + 1;
  }
  return numbers;
}
