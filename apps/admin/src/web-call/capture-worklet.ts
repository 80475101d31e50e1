/**
 * The microphone's side, on the audio thread: 128 samples at a time at the context's rate become
 * frames of 20 ms at 16,000 Hz.
 */
import { Resampler } from './resampler.ts';
import { FRAME_SAMPLES, meterLevel, toPcm16, WIRE_RATE_HZ } from './talk-wire.ts';
import type { CapturedFrame } from './worklet-messages.ts';

class CaptureProcessor extends AudioWorkletProcessor {
  readonly #resampler = new Resampler(sampleRate, WIRE_RATE_HZ);
  /** Resampled audio that does not fill a frame yet, with capacity for one more block. */
  readonly #gathered = new Float32Array(FRAME_SAMPLES + 1_024);
  readonly #block = new Float32Array(1_024);
  #gatheredLength = 0;

  override process(inputs: Float32Array[][]): boolean {
    const microphone = inputs[0]?.[0];
    // There is no input while the microphone is being changed; nothing is sent in the meantime.
    if (microphone) this.#gather(microphone);
    return true;
  }

  #gather(samples: Float32Array): void {
    const count = this.#resampler.process(samples, this.#block);
    this.#gathered.set(this.#block.subarray(0, count), this.#gatheredLength);
    this.#gatheredLength += count;
    while (this.#gatheredLength >= FRAME_SAMPLES) this.#send();
  }

  #send(): void {
    const pcm = new Int16Array(FRAME_SAMPLES);
    toPcm16(this.#gathered.subarray(0, FRAME_SAMPLES), pcm);
    this.#gathered.copyWithin(0, FRAME_SAMPLES, this.#gatheredLength);
    this.#gatheredLength -= FRAME_SAMPLES;
    const message: CapturedFrame = { pcm: pcm.buffer, level: meterLevel(pcm) };
    this.port.postMessage(message, [pcm.buffer]);
  }
}

registerProcessor('parley-capture', CaptureProcessor);
