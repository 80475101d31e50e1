/**
 * Writes what crossed the line as a two-channel WAV: left the customer as received, right the assistant as sent. Works
 * on ticks, so both channels share the line's own clock to the sample. The file grows by the second with a true header,
 * so that it plays while the call lives and survives a kill. A disk that fails ends the recording, never the call.
 */
import { WAV_HEADER_BYTES, wavHeader, writeStereo } from '@parley/audio';
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

/** What a recorder is made of. */
export interface RecorderOptions {
  openWriter: () => Promise<RecordingWriter>;
  sampleRateHz: number;
  log: Log;
  /** The disk has failed; from here on the call goes on unrecorded. Called once at most. */
  onFailure: () => void;
}

/** Makes the recorder of one call. */
export class CallRecorder {
  #writer: RecordingWriter | null = null;
  readonly #log: Log;
  readonly #onFailure: () => void;
  readonly #sampleRateHz: number;
  /** Interleaved Int16, little endian: customer, assistant, customer, ... */
  readonly #block: DataView;
  #blockFill = 0;
  #writtenBytes = 0;
  #pending: Promise<void>;
  #hasFailed = false;

  /** Opens the file at once; sound that comes before it is open waits in memory. */
  constructor(options: RecorderOptions) {
    this.#log = options.log;
    this.#onFailure = options.onFailure;
    this.#sampleRateHz = options.sampleRateHz;
    this.#block = new DataView(
      new ArrayBuffer(options.sampleRateHz * FLUSH_SECONDS * CHANNELS * BYTES_PER_SAMPLE),
    );
    this.#pending = this.#open(options.openWriter).catch((error: unknown) => this.#fail(error));
  }

  /** Takes one frame of both directions. Never blocks and never throws. */
  onTick(tick: MediaTick): void {
    if (this.#hasFailed) return;
    const bytes = tick.received.length * CHANNELS * BYTES_PER_SAMPLE;
    writeStereo(tick.received, tick.sent, this.#block, this.#blockFill);
    this.#blockFill += bytes;
    // Frames are of one size, and a whole number of them makes a second.
    if (this.#blockFill + bytes > this.#block.byteLength) this.#flush();
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
    const sound = new Uint8Array(this.#block.buffer.slice(0, this.#blockFill));
    this.#blockFill = 0;
    this.#pending = this.#pending.then(() => this.#write(sound)).catch((error: unknown) => this.#fail(error));
  }

  async #open(openWriter: RecorderOptions['openWriter']): Promise<void> {
    this.#writer = await openWriter();
    await this.#writer.write(this.#header(), 0);
  }

  /** The sound first and the header after it: at no instant does the header promise what is not there. */
  async #write(sound: Uint8Array): Promise<void> {
    const writer = this.#writer;
    if (this.#hasFailed || !writer) return;
    await writer.write(sound, WAV_HEADER_BYTES + this.#writtenBytes);
    this.#writtenBytes += sound.length;
    await writer.write(this.#header(), 0);
  }

  #header(): Uint8Array {
    return wavHeader({
      channelCount: CHANNELS,
      sampleRateHz: this.#sampleRateHz,
      dataBytes: this.#writtenBytes,
    });
  }

  #fail(error: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#log.error({ err: error }, 'The recording could not be written; the call goes on without it');
    this.#onFailure();
  }
}
