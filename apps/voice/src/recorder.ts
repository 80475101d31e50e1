/**
 * Writes what crossed the line as a two-channel WAV: left the customer as received, right the assistant as sent. Works
 * on ticks, so both channels share the line's own clock to the sample. The file grows by the second with a true header,
 * so that it plays while the call lives and survives a kill. A disk that fails ends the recording, never the call.
 */
import { wavHeader } from '@parley/audio';
import type { RecordingWriter } from '@parley/core';
import type { Log } from '@parley/runtime';
import type { MediaTick } from '@parley/telephony';

const CHANNELS = 2;
const BYTES_PER_SAMPLE = 2;
/** How much sound is gathered before it is written, in seconds. */
const FLUSH_SECONDS = 1;

/** What became of a recording. */
export interface RecordingResult {
  durationMs: number;
  /** False when the disk failed on the way; what was written before can still be played. */
  isComplete: boolean;
}

/** Makes the recorder of one call. */
export class CallRecorder {
  #writer: RecordingWriter | null = null;
  readonly #log: Log;
  readonly #sampleRateHz: number;
  /** Interleaved Int16: customer, assistant, customer, ... */
  readonly #block: Int16Array;
  #blockFill = 0;
  #writtenBytes = 0;
  #pending: Promise<void>;
  #hasFailed = false;

  /** Opens the file at once; sound that comes before it is open waits in memory. */
  constructor(options: { openWriter: () => Promise<RecordingWriter>; sampleRateHz: number; log: Log }) {
    this.#log = options.log;
    this.#sampleRateHz = options.sampleRateHz;
    this.#block = new Int16Array(options.sampleRateHz * FLUSH_SECONDS * CHANNELS);
    this.#pending = options.openWriter().then(
      (writer) => void (this.#writer = writer),
      (error: unknown) => this.#fail(error),
    );
  }

  /** Takes one frame of both directions. Never blocks and never throws. */
  onTick(tick: MediaTick): void {
    if (this.#hasFailed) return;
    for (let index = 0; index < tick.received.length; index += 1) {
      this.#block[this.#blockFill] = tick.received[index] ?? 0;
      this.#block[this.#blockFill + 1] = tick.sent[index] ?? 0;
      this.#blockFill += CHANNELS;
      if (this.#blockFill === this.#block.length) this.#flush();
    }
  }

  /** Writes the rest and closes the file. */
  async finish(): Promise<RecordingResult> {
    this.#flush();
    await this.#pending;
    await this.#writer?.close().catch((error: unknown) => this.#fail(error));
    const frames = this.#writtenBytes / (CHANNELS * BYTES_PER_SAMPLE);
    return { durationMs: Math.round((frames * 1000) / this.#sampleRateHz), isComplete: !this.#hasFailed };
  }

  #flush(): void {
    if (this.#blockFill === 0) return;
    const samples = this.#block.slice(0, this.#blockFill);
    this.#blockFill = 0;
    this.#pending = this.#pending
      .then(() => this.#write(samples))
      .catch((error: unknown) => this.#fail(error));
  }

  async #write(samples: Int16Array): Promise<void> {
    const writer = this.#writer;
    if (this.#hasFailed || !writer) return;
    const total = this.#writtenBytes + samples.byteLength;
    const header = wavHeader({ channels: CHANNELS, sampleRateHz: this.#sampleRateHz, dataBytes: total });
    if (this.#writtenBytes === 0) await writer.write(header, 0);
    await writer.write(new Uint8Array(samples.buffer), header.length + this.#writtenBytes);
    this.#writtenBytes = total;
    await writer.write(header, 0);
  }

  #fail(error: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#log.error({ err: error }, 'The recording could not be written; the call goes on without it');
  }
}
