/**
 * The way of the caller's sound to those who listen to it: the detector, which says when somebody speaks, and the
 * recogniser (`recogniser-feed.ts`), which says what.
 */
import { Resampler } from '@parley/audio';
import type { Recogniser, VoiceActivityDetector, VoiceActivityStream } from '@parley/speech';
import { FRAME_MS, type AudioTick } from '../audio-line.ts';
import type { ProviderChain } from '../provider-chain.ts';
import type { HearingEvent } from './hearing-event.ts';
import { NearEndGate } from './near-end-gate.ts';
import { RecogniserFeed } from './recogniser-feed.ts';
import { SpeechEdge } from './speech-edge.ts';

/** What {@link VoiceActivityDetector} takes. */
const DETECTOR_RATE_HZ = 16_000;

/** Who listens, and to what. */
export interface CallerListenerOptions {
  sampleRateHz: number;
  vad: VoiceActivityDetector;
  /** Null where nobody recognises words. */
  recognisers: ProviderChain<Recogniser> | null;
  language: string;
  /** The assistant's `noise_cancellation`. */
  keepsNoiseOut: boolean;
  onEvent: (event: HearingEvent) => void;
  /** The recogniser failed; `recogniser.failed` follows. */
  onError: (error: unknown) => void;
}

/** Opened at the answer, closed with the conversation; silent afterwards. */
export class CallerListener {
  readonly #options: CallerListenerOptions;
  readonly #resampler: Resampler;
  readonly #detector: VoiceActivityStream;
  readonly #recogniser: RecogniserFeed | null;
  readonly #edge = new SpeechEdge();
  readonly #gate: NearEndGate;
  /** Where in the call the sound given to the detector begins, milliseconds; null before the first frame. */
  #detectorStartMs: number | null = null;
  #isClosed = false;

  constructor(options: CallerListenerOptions) {
    const { recognisers, sampleRateHz } = options;
    this.#options = options;
    this.#resampler = new Resampler(sampleRateHz, DETECTOR_RATE_HZ);
    this.#gate = new NearEndGate(sampleRateHz, options.keepsNoiseOut);
    this.#detector = options.vad.open((probability, endMs) => this.#analysed(probability, endMs));
    this.#recogniser = recognisers && new RecogniserFeed({ ...options, recognisers });
  }

  /** Passes on one frame. */
  hear(tick: AudioTick): void {
    if (this.#isClosed) return;
    this.#detectorStartMs ??= tick.index * FRAME_MS;
    this.#edge.hear(tick);
    this.#gate.hear(tick.received, tick.sent);
    const wide = resampled(this.#resampler, tick.received);
    this.#detector.push(wide);
    this.#recogniser?.hear(tick, wide);
  }

  /**
   * The caller has paused: a final, please.
   *
   * @param expected - all that may have been said, for recognisers that understand nothing else; null for anything
   */
  finalise(expected: readonly string[] | null): void {
    this.#recogniser?.finalise(expected);
  }

  /** Where the sound ended that the detector heard until `detectedMs`. */
  endOfSound(detectedMs: number): number {
    return this.#edge.before(detectedMs);
  }

  /** Replaces a recogniser's stream that failed. */
  reopenRecogniser(isOther: boolean): void {
    this.#recogniser?.reopen(isOther);
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
    const counted = this.#gate.weigh(probability, endMs);
    const callMs = (this.#detectorStartMs ?? 0) + endMs;
    const soundEndMs = this.#edge.before(callMs);
    this.#options.onEvent({ type: 'voice.analysed', probability: counted, endMs: callMs, soundEndMs });
  }
}

/** The line's own samples where the rates agree. */
function resampled(resampler: Resampler, samples: Int16Array): Int16Array {
  return resampler.fromHz === resampler.toHz ? samples : resampler.process(samples);
}
