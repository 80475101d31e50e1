/**
 * The Silero voice activity model, version 6, on the CPU: its inputs, its outputs, and the state of each stream. Windows of
 * different streams are computed together, which takes a third of the time of computing them one by one.
 *
 * The input is 512 new samples at 16 000 Hz, preceded by the last 64 samples of the previous window; without that context the
 * model runs but detects far worse. It is recurrent: a state of 2 x 128 numbers is an input and an output.
 *
 * @see https://github.com/snakers4/silero-vad (MIT); the file comes with the package @ricky0123/vad-web (ISC)
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { SILERO_WINDOW_SAMPLES, type SileroBatch } from './silero-message.ts';

const CONTEXT_SAMPLES = 64;
const INPUT_SAMPLES = CONTEXT_SAMPLES + SILERO_WINDOW_SAMPLES;
/** The state is 2 layers of this many numbers. */
const STATE_SIZE = 128;
const FULL_SCALE = 32_768;
const ERRORS_ONLY = 3;

interface StreamMemory {
  /** The last samples of the window before, -1 to 1. */
  context: Float32Array;
  /** Layer 0, then layer 1. */
  state: Float32Array;
}

/** One window of a batch. */
interface BatchItem {
  index: number;
  memory: StreamMemory;
}

/** The loaded model and the memory of every stream it has heard. */
export class SileroModel {
  readonly #session: InferenceSession;
  readonly #rate = new Tensor('int64', BigInt64Array.of(16_000n), []);
  readonly #memories = new Map<number, StreamMemory>();

  private constructor(session: InferenceSession) {
    this.#session = session;
  }

  /** @throws Error where the runtime has no build for this machine, or the file is missing */
  static async load(): Promise<SileroModel> {
    const require = createRequire(import.meta.url);
    const folder = dirname(require.resolve('@ricky0123/vad-web'));
    const session = await InferenceSession.create(join(folder, 'silero_vad_v6.onnx'), {
      // One thread: the process has as many as it has cores for already, and a batch takes few milliseconds.
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      logSeverityLevel: ERRORS_ONLY,
    });
    return new SileroModel(session);
  }

  /** @returns one probability for each window of the batch */
  async analyse({ streamIds, windows, closedIds }: SileroBatch): Promise<Float32Array> {
    const probabilities = new Float32Array(streamIds.length);
    for (const round of this.#rounds(streamIds)) await this.#run(round, windows, probabilities);
    for (const id of closedIds) this.#memories.delete(id);
    return probabilities;
  }

  /** The first windows of all streams, then the second ones of those that have more, and so on. */
  #rounds(streamIds: readonly number[]): BatchItem[][] {
    const rounds: BatchItem[][] = [];
    const counts = new Map<number, number>();
    for (const [index, id] of streamIds.entries()) {
      const round = counts.get(id) ?? 0;
      counts.set(id, round + 1);
      (rounds[round] ??= []).push({ index, memory: this.#memoryOf(id) });
    }
    return rounds;
  }

  #memoryOf(id: number): StreamMemory {
    let memory = this.#memories.get(id);
    if (!memory) {
      memory = { context: new Float32Array(CONTEXT_SAMPLES), state: new Float32Array(2 * STATE_SIZE) };
      this.#memories.set(id, memory);
    }
    return memory;
  }

  async #run(items: readonly BatchItem[], windows: Int16Array, probabilities: Float32Array): Promise<void> {
    const input = new Float32Array(items.length * INPUT_SAMPLES);
    const state = new Float32Array(items.length * 2 * STATE_SIZE);
    for (const [row, item] of items.entries()) fillRow({ row, item, windows, input });
    for (const { layer, at } of layersOf(items)) state.set(layer, at);
    const output = await this.#session.run({
      input: new Tensor('float32', input, [items.length, INPUT_SAMPLES]),
      state: new Tensor('float32', state, [2, items.length, STATE_SIZE]),
      sr: this.#rate,
    });
    const nextState = numbersOf(output['stateN']);
    for (const { layer, at } of layersOf(items)) layer.set(nextState.subarray(at, at + STATE_SIZE));
    const results = numbersOf(output['output']);
    for (const [row, { index }] of items.entries()) probabilities[index] = results[row] ?? 0;
  }
}

/** Writes context and window of one stream into its row, and remembers the context of the next one. */
function fillRow(given: { row: number; item: BatchItem; windows: Int16Array; input: Float32Array }): void {
  const { index, memory } = given.item;
  const start = given.row * INPUT_SAMPLES;
  const row = given.input.subarray(start, start + INPUT_SAMPLES);
  row.set(memory.context);
  for (let i = 0; i < SILERO_WINDOW_SAMPLES; i++)
    row[CONTEXT_SAMPLES + i] = (given.windows[index * SILERO_WINDOW_SAMPLES + i] ?? 0) / FULL_SCALE;
  memory.context.set(row.subarray(-CONTEXT_SAMPLES));
}

/** Every layer of every stream's state, and where it lies in the batch's: layer 0 of all rows, then layer 1 of all rows. */
function* layersOf(items: readonly BatchItem[]): Generator<{ layer: Float32Array; at: number }> {
  for (const number of [0, 1]) {
    for (const [row, { memory }] of items.entries()) {
      const layer = memory.state.subarray(number * STATE_SIZE, (number + 1) * STATE_SIZE);
      yield { layer, at: (number * items.length + row) * STATE_SIZE };
    }
  }
}

function numbersOf(tensor: Tensor | undefined): Float32Array {
  if (tensor?.data instanceof Float32Array) return tensor.data;
  throw new Error('The model file has other outputs than those of Silero version 6');
}
