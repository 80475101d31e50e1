/**
 * The loudspeaker's side, on the audio thread: frames from the wire go through the jitter buffer and
 * leave at the context's rate. The sound of a WebRTC connection, whose jitter buffer is the browser's,
 * is the input of the node and is added. Also measures the played audio.
 */
import { InputBuffer } from './input-buffer.ts';
import { JitterBuffer, peakOf, SILENCE_PEAK } from './jitter-buffer.ts';
import { Resampler } from './resampler.ts';
import { meterLevel, WIRE_RATE_HZ } from './talk-wire.ts';
import type { PlaybackCommand, PlaybackReport } from './worklet-messages.ts';

/** Samples taken from the jitter buffer at a time: 2 ms, the grain in which sound is measured. */
const GRAIN_SAMPLES = 32;

/** Grains between two reports: 40 ms. */
const REPORT_GRAINS = 20;

/** A pause of this many grains (400 ms) is the end of an utterance, not a gap between words. */
const PAUSE_GRAINS = 200;

/** How long a voice that is cut off may go on, softer and softer. */
const FADE_SECONDS = 0.004;

class PlaybackProcessor extends AudioWorkletProcessor {
  readonly #buffer = new JitterBuffer();
  readonly #input = new InputBuffer(sampleRate);
  readonly #resampler = new Resampler(WIRE_RATE_HZ, sampleRate);
  readonly #grain = new Int16Array(GRAIN_SAMPLES);
  readonly #floats = new Float32Array(GRAIN_SAMPLES);
  /** The last reported stretch, for its loudness. */
  readonly #stretch = new Int16Array(GRAIN_SAMPLES * REPORT_GRAINS);
  readonly #resampled = new Float32Array(this.#resampler.maxOutput(GRAIN_SAMPLES) + 8);
  /** Resampled sound that is ready to leave. */
  readonly #ready = new Float32Array(1_024);
  #readyLength = 0;
  #grainsSinceReport = 0;
  #grainsSinceSound = PAUSE_GRAINS;
  #soundGrains = 0;

  constructor() {
    super();
    this.port.addEventListener('message', (event: MessageEvent<PlaybackCommand>) => this.#obey(event.data));
    this.port.start();
  }

  override process(inputs: Float32Array[][], outputs: Float32Array[][]): boolean {
    const channel = outputs[0]?.[0];
    if (!channel) return true;
    const streamed = inputs[0]?.[0];
    if (streamed) this.#input.push(streamed);
    while (this.#readyLength < channel.length) this.#playGrain();
    channel.set(this.#ready.subarray(0, channel.length));
    this.#ready.copyWithin(0, channel.length, this.#readyLength);
    this.#readyLength -= channel.length;
    return true;
  }

  #obey(command: PlaybackCommand): void {
    if (command.type === 'frame') {
      this.#buffer.push(new Int16Array(command.pcm));
      return;
    }
    this.#buffer.clear();
    this.#fadeOut();
    this.#grainsSinceSound = PAUSE_GRAINS;
    this.#report();
  }

  /** A voice that is cut off in the middle of a wave clicks. */
  #fadeOut(): void {
    const length = Math.min(this.#readyLength, Math.round(FADE_SECONDS * sampleRate));
    for (let index = 0; index < length; index += 1)
      this.#ready[index] = (this.#ready[index] ?? 0) * (1 - (index + 1) / length);
    this.#readyLength = length;
  }

  #playGrain(): void {
    this.#buffer.pull(this.#grain);
    this.#input.addTo(this.#grain);
    this.#measure();
    for (let index = 0; index < GRAIN_SAMPLES; index += 1)
      this.#floats[index] = (this.#grain[index] ?? 0) / 32_768;
    const count = this.#resampler.process(this.#floats, this.#resampled);
    this.#ready.set(this.#resampled.subarray(0, count), this.#readyLength);
    this.#readyLength += count;
  }

  #measure(): void {
    const isSound = peakOf(this.#grain) >= SILENCE_PEAK;
    this.#grainsSinceSound = isSound ? 0 : this.#grainsSinceSound + 1;
    if (isSound) this.#soundGrains += 1;
    this.#stretch.set(this.#grain, this.#grainsSinceReport * GRAIN_SAMPLES);
    this.#grainsSinceReport += 1;
    if (this.#grainsSinceReport === REPORT_GRAINS) this.#report();
  }

  #report(): void {
    const report: PlaybackReport = {
      playedMs: (this.#soundGrains * GRAIN_SAMPLES * 1_000) / WIRE_RATE_HZ,
      waitingMs: (this.#buffer.waitingSamples * 1_000) / WIRE_RATE_HZ,
      level: meterLevel(this.#stretch.subarray(0, this.#grainsSinceReport * GRAIN_SAMPLES)),
      isSounding: this.#grainsSinceSound < PAUSE_GRAINS,
    };
    this.#grainsSinceReport = 0;
    // A port has no target origin to name, and nothing is handed over.
    this.port.postMessage(report, []);
  }
}

registerProcessor('parley-playback', PlaybackProcessor);
