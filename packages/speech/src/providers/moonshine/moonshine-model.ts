/**
 * The English Moonshine tiny model on the CPU: its inputs, its outputs, and the texts that it computes probabilities of.
 *
 * The encoder turns the whole utterance into hidden states; the decoder predicts one token after the other from them. The
 * first run of the decoder computes the keys and values of the hidden states; later runs reuse them. The vocabulary is that
 * of Llama 2.
 *
 * @see https://github.com/moonshine-ai/moonshine-js (code and English model: MIT)
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import llamaTokenizer from 'llama-tokenizer-js';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { leastLogProbability } from './phrase-choice.rules.ts';
import type { MoonshineRequest, MoonshineResult, ScoredText } from './moonshine-message.ts';

const SAMPLE_RATE_HZ = 16_000;
const LAYERS = 6;
const HEADS = 8;
const HEAD_SIZE = 36;
const START_TOKEN = 1;
const END_TOKEN = 2;
/** The limit of the model's authors: more tokens than this are a repetition, not speech. */
const TOKENS_PER_SECOND = 6;
const ERRORS_ONLY = 3;

type Tensors = Record<string, Tensor>;
interface Prediction {
  /** One row of the vocabulary's size per input token. */
  logits: Float32Array;
  vocabularySize: number;
  outputs: Tensors;
}

/** The two loaded networks. Keeps nothing between utterances. */
export class MoonshineModel {
  readonly #encoder: InferenceSession;
  readonly #decoder: InferenceSession;

  private constructor(encoder: InferenceSession, decoder: InferenceSession) {
    this.#encoder = encoder;
    this.#decoder = decoder;
  }

  /** @throws Error where the runtime has no build for this machine, or a file is missing */
  static async load(): Promise<MoonshineModel> {
    const main = fileURLToPath(import.meta.resolve('@moonshine-ai/moonshine-js'));
    const folder = join(dirname(main), 'model/tiny/quantized');
    // One thread: live media needs the other cores.
    const options = {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      logSeverityLevel: ERRORS_ONLY,
    } as const;
    const encoder = await InferenceSession.create(join(folder, 'encoder_model.onnx'), options);
    const decoder = await InferenceSession.create(join(folder, 'decoder_model_merged.onnx'), options);
    return new MoonshineModel(encoder, decoder);
  }

  /** @returns the most probable text, and the probability of each expected phrase */
  async recognise({ samples, phrases }: MoonshineRequest): Promise<MoonshineResult> {
    const input = new Tensor('float32', samples, [1, samples.length]);
    const { last_hidden_state: hidden } = await this.#encoder.run({ input_values: input });
    if (!hidden) throw new Error('The model file has other outputs than those of Moonshine tiny');
    const { free, firstLogits } = await this.#transcribe(
      hidden,
      Math.ceil((samples.length / SAMPLE_RATE_HZ) * TOKENS_PER_SECOND),
    );
    const said = phrases.find((phrase) => plain(phrase) === plain(free.text));
    const candidates = said === undefined ? phrases.map(tokenise) : [tokenise(said)];
    // A text is at most as probable as its first token. With 40 first names as phrases, an utterance costs 118 ms of
    // processor time with this filter and 502 ms without it, with the same results.
    const possible = candidates.filter(
      ({ tokens }) =>
        logProbabilityOf(firstLogits, tokens[0] ?? END_TOKEN) >= leastLogProbability(free.logProbability),
    );
    const scored: ScoredText[] = [];
    for (const { phrase, tokens } of possible)
      scored.push({ text: phrase, logProbability: await this.#logProbability(hidden, tokens) });
    return { free, phrases: scored };
  }

  /** Takes the most probable token each time. @returns also the prediction of the first token */
  async #transcribe(hidden: Tensor, limit: number): Promise<{ free: ScoredText; firstLogits: Float32Array }> {
    const tokens: number[] = [];
    let memory = emptyMemory();
    let logProbability = 0;
    let firstLogits: Float32Array | null = null;
    while (tokens.length < limit) {
      const { logits, outputs } = await this.#predict(
        hidden,
        [tokens.at(-1) ?? START_TOKEN],
        memory,
        tokens.length > 0,
      );
      firstLogits ??= logits;
      const next = indexOfLargest(logits);
      logProbability += logProbabilityOf(logits, next);
      if (next === END_TOKEN) break;
      memory = nextMemory(memory, outputs, tokens.length === 0);
      tokens.push(next);
    }
    const text = llamaTokenizer.decode([START_TOKEN, ...tokens]).trim();
    return { free: { text, logProbability }, firstLogits: firstLogits ?? new Float32Array() };
  }

  /** One run for the whole text: the decoder predicts every token from those before it. */
  async #logProbability(hidden: Tensor, tokens: readonly number[]): Promise<number> {
    const input = [START_TOKEN, ...tokens.slice(0, -1)];
    const { logits, vocabularySize } = await this.#predict(hidden, input, emptyMemory(), false);
    return tokens.reduce((sum, token, at) => {
      const row = logits.subarray(at * vocabularySize, (at + 1) * vocabularySize);
      return sum + logProbabilityOf(row, token);
    }, 0);
  }

  async #predict(
    hidden: Tensor,
    tokens: readonly number[],
    memory: Tensors,
    hasMemory: boolean,
  ): Promise<Prediction> {
    const outputs = await this.#decoder.run({
      input_ids: new Tensor('int64', BigInt64Array.from(tokens, BigInt), [1, tokens.length]),
      encoder_hidden_states: hidden,
      use_cache_branch: new Tensor('bool', [hasMemory]),
      ...memory,
    });
    const { logits } = outputs;
    if (!(logits?.data instanceof Float32Array))
      throw new Error('The model file has other outputs than those of Moonshine tiny');
    return { logits: logits.data, vocabularySize: logits.data.length / tokens.length, outputs };
  }
}

/** With the token of the end. */
function tokenise(phrase: string): { phrase: string; tokens: number[] } {
  return { phrase, tokens: [...llamaTokenizer.encode(asSentence(phrase), false, true), END_TOKEN] };
}

/** Without case and punctuation. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N} ]/gu, '');
}

/** The model writes an answer as a sentence. */
function asSentence(phrase: string): string {
  return `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.`;
}

function emptyMemory(): Tensors {
  const names = Array.from({ length: LAYERS }, (_, layer) =>
    ['decoder', 'encoder'].flatMap((part) =>
      ['key', 'value'].map((kind) => `past_key_values.${layer}.${part}.${kind}`),
    ),
  ).flat();
  const empty = () => new Tensor('float32', new Float32Array(0), [0, HEADS, 1, HEAD_SIZE]);
  return Object.fromEntries(names.map((name) => [name, empty()]));
}

/** The keys and values of the hidden states come with the first run only. */
function nextMemory(memory: Tensors, outputs: Tensors, isFirst: boolean): Tensors {
  return Object.fromEntries(
    Object.entries(memory).map(([name, kept]) => {
      const present = outputs[name.replace('past_key_values', 'present')];
      return [name, present && (isFirst || name.includes('.decoder.')) ? present : kept];
    }),
  );
}

function indexOfLargest(values: Float32Array): number {
  let best = 0;
  for (let at = 1; at < values.length; at++) if ((values[at] ?? 0) > (values[best] ?? 0)) best = at;
  return best;
}

/** Softmax, of which one value is needed. */
function logProbabilityOf(logits: Float32Array, token: number): number {
  const largest = logits[indexOfLargest(logits)] ?? 0;
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - largest);
  return (logits[token] ?? 0) - largest - Math.log(sum);
}
