/**
 * Decodes MP3 (ISO/IEC 11172-3, layers 1 to 3) with minimp3, compiled to WebAssembly. The only file that uses the library.
 * Of its package only the module is used: its JavaScript loads it with `fetch`, which reads no files.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { DecodedSound } from './decoded-sound.ts';

/** What the module exports. Positions and durations are seconds, sizes are bytes. */
interface Minimp3 {
  memory: { readonly buffer: ArrayBuffer };
  decoder_init(): void;
  decoder_set_mp3_data_size(bytes: number): void;
  decoder_mp3_data_offset(): number;
  decoder_mp3_data_size(): number;
  decoder_seek(position: number): void;
  decoder_decode(duration: number): void;
  decoder_pcm_data_offset(): number;
  decode_results_sampling_rate(): number;
  decode_results_num_channels(): number;
  /** The number of samples of all channels together. */
  decode_results_num_samples(): number;
}

/** TypeScript ships the types of this global only with those of a browser. */
const { WebAssembly: wasm } = globalThis as unknown as {
  WebAssembly: { instantiate(bytes: Uint8Array): Promise<{ instance: { exports: unknown } }> };
};

/** Decoded at once, so that a long file needs no memory for all of it. */
const STEP_SECONDS = 10;

/** Whether a file begins like one: with a tag (ID3v2), or the sync word of a frame. */
export function isMp3(file: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0] = file;
  const hasTag = first === 0x49 && second === 0x44 && third === 0x33;
  return hasTag || (first === 0xff && (second & 0xe0) === 0xe0);
}

/** Nothing after `maxSeconds` is decoded. */
export async function decodeMp3(file: Uint8Array, maxSeconds: number): Promise<DecodedSound> {
  const decoder = await load();
  decoder.decoder_init();
  decoder.decoder_set_mp3_data_size(file.length);
  new Uint8Array(
    decoder.memory.buffer,
    decoder.decoder_mp3_data_offset(),
    decoder.decoder_mp3_data_size(),
  ).set(file);
  decoder.decoder_seek(0);
  const sound: DecodedSound = { sampleRateHz: 0, channelCount: 0, pieces: [] };
  for (let seconds = 0; seconds < maxSeconds;) {
    decoder.decoder_decode(STEP_SECONDS);
    const samples = decoder.decode_results_num_samples();
    if (samples === 0) break;
    sound.sampleRateHz ||= decoder.decode_results_sampling_rate();
    sound.channelCount ||= decoder.decode_results_num_channels();
    const { buffer } = decoder.memory;
    sound.pieces.push(new Int16Array(buffer, decoder.decoder_pcm_data_offset(), samples).slice());
    seconds += samples / sound.channelCount / sound.sampleRateHz;
  }
  return sound;
}

async function load(): Promise<Minimp3> {
  const path = createRequire(import.meta.url).resolve('minimp3-wasm/dist/decoder.opt.wasm');
  const { instance } = await wasm.instantiate(await readFile(path));
  return instance.exports as Minimp3;
}
