/**
 * The way of the caller's sound to those who listen to it: resampled to what the detector and the recogniser take, and
 * their answers put on the call's own time line.
 */
import { Resampler } from '@parley/audio';
import type {
  Recogniser,
  RecogniserEvent,
  RecogniserStream,
  VoiceActivityDetector,
  VoiceActivityStream,
} from '@parley/speech';
import { FRAME_MS, type AudioTick } from './audio-line.ts';
import type { TurnEvent } from './turn-state.ts';

/** What {@link VoiceActivityDetector} takes. */
const DETECTOR_RATE_HZ = 16_000;

/** Who listens, and to what. */
export interface CallerEarOptions {
  sampleRateHz: number;
  vad: VoiceActivityDetector;
  recogniser: Recogniser | null;
  language: string;
  onEvent: (event: TurnEvent) => void;
  /** The recogniser failed; `recogniser.failed` follows. */
  onError: (error: unknown) => void;
}

/** Opened at the answer, closed with the conversation; silent afterwards. */
export class CallerEar {
  readonly #options: CallerEarOptions;
  readonly #forDetector: Resampler;
  readonly #forRecogniser: Resampler | null;
  readonly #detector: VoiceActivityStream;
  #recogniser: RecogniserStream | null = null;
  /** Counts the recogniser's streams; an answer of an older one is stale. */
  #recogniserStream = 0;
  /** Where in the call the sound given to each of them begins, milliseconds; null before the first frame. */
  #detectorStartMs: number | null = null;
  #recogniserStartMs: number | null = null;
  #isClosed = false;

  constructor(options: CallerEarOptions) {
    const { recogniser, sampleRateHz } = options;
    const recogniserRateHz = recogniser?.capabilities.sampleRateHz ?? DETECTOR_RATE_HZ;
    this.#options = options;
    this.#forDetector = new Resampler(sampleRateHz, DETECTOR_RATE_HZ);
    this.#forRecogniser =
      recogniserRateHz === DETECTOR_RATE_HZ ? null : new Resampler(sampleRateHz, recogniserRateHz);
    this.#detector = options.vad.open((probability, endMs) => this.#analysed(probability, endMs));
    this.#openRecogniser();
  }

  /** Passes on one frame. */
  hear(tick: AudioTick): void {
    if (this.#isClosed) return;
    this.#detectorStartMs ??= tick.index * FRAME_MS;
    this.#recogniserStartMs ??= tick.index * FRAME_MS;
    const forDetector = resampled(this.#forDetector, tick.received);
    this.#detector.push(forDetector);
    this.#recogniser?.push(this.#forRecogniser ? resampled(this.#forRecogniser, tick.received) : forDetector);
  }

  /** The caller has paused: a final, please. */
  finalise(): void {
    this.#recogniser?.finalise();
  }

  /** Replaces a recogniser's stream that failed. What it had heard is lost. */
  reopenRecogniser(): void {
    this.#recogniser?.close();
    this.#recogniserStartMs = null;
    this.#openRecogniser();
  }

  /** Lets go of both streams. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#detector.close();
    this.#recogniser?.close();
  }

  #analysed(probability: number, endMs: number): void {
    if (this.#isClosed) return;
    const startMs = this.#detectorStartMs ?? 0;
    this.#options.onEvent({ type: 'voice.analysed', probability, endMs: startMs + endMs });
  }

  #openRecogniser(): void {
    const { recogniser, language } = this.#options;
    if (!recogniser) return;
    const stream = ++this.#recogniserStream;
    this.#recogniser = recogniser.open({ language }, (event) => {
      if (!this.#isClosed && stream === this.#recogniserStream) this.#recognised(event);
    });
  }

  #recognised(event: RecogniserEvent): void {
    const { onEvent, onError } = this.#options;
    switch (event.type) {
      case 'interim':
        return onEvent({ type: 'words.guessed', text: event.text });
      case 'final': {
        const endMs = event.endMs === undefined ? null : event.endMs + (this.#recogniserStartMs ?? 0);
        return onEvent({ type: 'words.recognised', text: event.text, endMs });
      }
      case 'failed':
        onError(event.error);
        return onEvent({ type: 'recogniser.failed' });
    }
  }
}

/** The line's own samples where the rates agree. */
function resampled(resampler: Resampler, samples: Int16Array): Int16Array {
  return resampler.fromHz === resampler.toHz ? samples : resampler.process(samples);
}
