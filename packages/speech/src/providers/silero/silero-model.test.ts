import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { expect, it } from 'vitest';
import { FliteEngine } from '../flite/flite-engine.ts';
import { SileroModel } from './silero-model.ts';

const WINDOW = 512;
const CONTEXT = 64;

/** The model's answers by its author's recipe, one window at a time, each read from the sound 64 samples early. */
async function reference(sound: Int16Array): Promise<number[]> {
  const library = createRequire(import.meta.url).resolve('@ricky0123/vad-web');
  const session = await InferenceSession.create(join(dirname(library), 'silero_vad_v6.onnx'));
  const sr = new Tensor('int64', BigInt64Array.of(16_000n), []);
  let state = new Tensor('float32', new Float32Array(256), [2, 1, 128]);
  const probabilities: number[] = [];
  for (let start = 0; start + WINDOW <= sound.length; start += WINDOW) {
    const numbers = Float32Array.from(
      { length: CONTEXT + WINDOW },
      (_, i) => (sound[start - CONTEXT + i] ?? 0) / 32_768,
    );
    const input = new Tensor('float32', numbers, [1, CONTEXT + WINDOW]);
    const result = await session.run({ input, state, sr });
    state = result['stateN'] as typeof state;
    probabilities.push(Number(result['output']?.data[0]));
  }
  return probabilities;
}

const setup = async () => {
  const flite = new FliteEngine();
  const first = flite.synthesise('Is this the right number?', 'rms', 1).samples.slice(0, 40 * WINDOW);
  const second = flite.synthesise('I am calling about Tuesday.', 'slt', 1).samples.slice(0, 40 * WINDOW);
  const windowOf = (sound: Int16Array, index: number) => sound.slice(index * WINDOW, index * WINDOW + WINDOW);
  const joined = (windows: Int16Array[]) => Int16Array.from(windows.flatMap((window) => [...window]));
  return { model: await SileroModel.load(), first, second, windowOf, joined };
};

it('answers as the author’s recipe does, in batches of several streams and several windows of each', async () => {
  const { model, first, second, windowOf, joined } = await setup();
  const heard: number[][] = [[], []];
  for (let i = 0; i < 40; i += 2) {
    const windows = [
      windowOf(first, i),
      windowOf(second, i),
      windowOf(second, i + 1),
      windowOf(first, i + 1),
    ];
    const batch = { streamIds: [7, 9, 9, 7], windows: joined(windows), closedIds: [] };
    const [a = -1, b = -1, c = -1, d = -1] = await model.analyse(batch);
    heard[0]?.push(a, d);
    heard[1]?.push(b, c);
  }
  for (const [index, sound] of [first, second].entries()) {
    const expected = await reference(sound);
    for (const [i, probability] of expected.entries()) expect(heard[index]?.[i]).toBeCloseTo(probability, 3);
  }
});

it('forgets a stream that was closed', async () => {
  const { model, first, windowOf } = await setup();
  const ask = async (index: number, closedIds: number[]) => {
    const reply = await model.analyse({ streamIds: [1], windows: windowOf(first, index), closedIds });
    return reply[0] ?? -1;
  };
  const fresh = await ask(0, []);
  for (let i = 1; i < 20; i++) await ask(i, i === 19 ? [1] : []);
  expect(await ask(0, [])).toBeCloseTo(fresh, 5);
});
