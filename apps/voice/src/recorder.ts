/**
 * Writes both directions of a call as a two-channel WAV: left the customer as received, right the assistant as sent. It works on media ticks, so both channels share one clock to the sample.
 * The file is extended every second and always has a valid header, so that it can be played during the call and survives
 * a SIGKILL. A disk failure ends the recording, never the call.
 */
import { WAV_HEADER_BYTES, wavHeader, writeStereo } from '@parley/audio';
import type { RecordingWriter } from '@parley/core';
import { withDeadline, type Clock, type Log } from '@parley/runtime';
import type { MediaTick } from '@parley/telephony';

const CHANNELS = 2;
const BYTES_PER_SAMPLE = 2;
/** How much sound is buffered before it is written, in seconds. */
const FLUSH_SECONDS = 1;
/** Seconds of sound that wait for the disk at most: one that hangs would fill the memory of all calls. */
const MOST_WAITING_SECONDS = 60;
/** How long the disk may take to write the rest at the end of a call, milliseconds. */
const FINISH_LIMIT_MS = 20_000;

/** The result of a recording. */
export interface RecordingResult {
  durationMs: number;
  /** False when the disk failed; what was written before can still be played. */
  isComplete: boolean;
}

/** Sound that is in the file already, bytes; and the time since the answer, milliseconds. */
interface RecordedSoFar {
  soundBytes: number;
  elapsedMs: number;
}

/** The longest time without sound that is filled with silence, milliseconds. */
const LONGEST_GAP_MS = 120_000;

/** What a recorder is made of. */
export interface RecorderOptions {
  openWriter: () => Promise<RecordingWriter>;
  /** For a file to which another process has written this much sound. The time since then is filled with silence. */
  continues?: RecordedSoFar | undefined;
  sampleRateHz: number;
  clock: Clock;
  log: Log;
  /** The disk has failed; from here on the call goes on unrecorded. Called once at most. */
  onFailure: () => void;
}

/** Makes the recorder of one call. */
export class CallRecorder {
  #writer: RecordingWriter | null = null;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #onFailure: () => void;
  readonly #sampleRateHz: number;
  /** The second being gathered, mono each. */
  readonly #customer: Int16Array;
  readonly #assistant: Int16Array;
  #gathered = 0;
  #writtenBytes = 0;
  /** Seconds of sound that wait for the disk. */
  #waiting = 0;
  #pending: Promise<void>;
  #hasFailed = false;

  /** Opens the file at once; sound that comes before it is open waits in memory. */
  constructor(options: RecorderOptions) {
    this.#clock = options.clock;
    this.#log = options.log;
    this.#onFailure = options.onFailure;
    this.#sampleRateHz = options.sampleRateHz;
    this.#customer = new Int16Array(options.sampleRateHz * FLUSH_SECONDS);
    this.#assistant = new Int16Array(options.sampleRateHz * FLUSH_SECONDS);
    this.#pending = this.#open(options).catch((error: unknown) => this.#fail(error));
  }

  /** Takes one frame of both directions. Never blocks and never throws. */
  onTick(tick: MediaTick): void {
    if (this.#hasFailed) return;
    this.#customer.set(tick.received, this.#gathered);
    this.#assistant.set(tick.sent, this.#gathered);
    this.#gathered += tick.received.length;
    // Frames are of one size, and a whole number of them makes a second.
    if (this.#gathered < this.#customer.length) return;
    if (this.#waiting < MOST_WAITING_SECONDS) this.#flush();
    else this.#fail(new Error('The disk does not keep up'));
  }

  /** Writes the rest and closes the file. Never rejects; a disk that does not answer is given up after 20 s. */
  async finish(): Promise<RecordingResult> {
    this.#flush();
    const closed = this.#pending.then(() => this.#writer?.close());
    await withDeadline(this.#clock, FINISH_LIMIT_MS, closed).catch((error: unknown) => this.#fail(error));
    const frames = this.#writtenBytes / (CHANNELS * BYTES_PER_SAMPLE);
    return { durationMs: Math.round((frames * 1000) / this.#sampleRateHz), isComplete: !this.#hasFailed };
  }

  #flush(): void {
    const sound = new Uint8Array(this.#gathered * CHANNELS * BYTES_PER_SAMPLE);
    const customer = this.#customer.subarray(0, this.#gathered);
    const assistant = this.#assistant.subarray(0, this.#gathered);
    writeStereo(customer, assistant, new DataView(sound.buffer));
    this.#gathered = 0;
    this.#waiting += 1;
    this.#pending = this.#pending
      .then(() => this.#write(sound))
      .catch((error: unknown) => this.#fail(error))
      .finally(() => (this.#waiting -= 1));
  }

  async #open({ openWriter, continues }: RecorderOptions): Promise<void> {
    this.#writer = await openWriter();
    if (!continues) return this.#writer.write(this.#header(), 0);
    const bytesPerFrame = CHANNELS * BYTES_PER_SAMPLE;
    this.#writtenBytes = continues.soundBytes - (continues.soundBytes % bytesPerFrame);
    const recordedMs = (this.#writtenBytes / bytesPerFrame / this.#sampleRateHz) * 1000;
    const gapMs = Math.min(Math.max(0, continues.elapsedMs - recordedMs), LONGEST_GAP_MS);
    await this.#write(new Uint8Array(Math.round((gapMs * this.#sampleRateHz) / 1000) * bytesPerFrame));
  }

  /** Writes the audio before the header, so that the header never claims more data than the file has. */
  async #write(sound: Uint8Array): Promise<void> {
    const writer = this.#writer;
    if (this.#hasFailed || !writer || sound.length === 0) return;
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
