/**
 * Detects whether a person or a machine has answered: passes frames, windows and words of a call to the rules and reports
 * their verdict. One for each outgoing call; it does no more work after the final verdict.
 */
import { FRAME_MS } from '../audio-line.ts';
import { hearWindow, NO_ACTIVITY, type CallerActivity } from '../recognition/caller-activity.rules.ts';
import {
  hearAnswer,
  NO_ANSWER_YET,
  type AnsweringEvent,
  type AnsweringState,
  type AnsweringVerdict,
} from './answering.rules.ts';
import { BeepDetector } from './beep-detector.ts';
import type { TurnEvent } from '../turn/turn-state.ts';

/** Silence that ends a segment of speech. */
const SEGMENT_PAUSE_MS = 250;
/** How long a beep is expected: after a long greeting it comes late. */
const BEEPS_WITHIN_MS = 60_000;

/** What the detector needs. */
export interface MachineDetectorOptions {
  sampleRateHz: number;
  /** The language of the assistant. */
  language: string;
  /** Called at most twice: a beep turns any verdict into `machine`. */
  onVerdict: (verdict: AnsweringVerdict) => void;
  onBeep: () => void;
}

/** Times are milliseconds since the answer. */
export class MachineDetector {
  readonly #options: MachineDetectorOptions;
  readonly #beep: BeepDetector;
  #state: AnsweringState = NO_ANSWER_YET;
  #activity: CallerActivity = NO_ACTIVITY;
  #nowMs = 0;

  constructor(options: MachineDetectorOptions) {
    this.#options = options;
    this.#beep = new BeepDetector(options.sampleRateHz);
  }

  /** The next 20 ms from the far end, while the assistant spoke or was silent. */
  hearFrame(received: Int16Array, isAssistantSpeaking: boolean): void {
    this.#nowMs += FRAME_MS;
    if (isAssistantSpeaking) this.#take({ type: 'spoken' });
    if (this.#nowMs > BEEPS_WITHIN_MS || !this.#beep.hear(received)) return;
    this.#take({ type: 'beep' });
    this.#options.onBeep();
  }

  /** A window of the detector. */
  hearWindow(window: { probability: number; endMs: number }): void {
    this.#activity = hearWindow(this.#activity, window, SEGMENT_PAUSE_MS);
    this.#take({ type: 'voice', activity: this.#activity });
  }

  /** Windows of the detector and recognised words; other events change nothing. */
  hearEvent(event: TurnEvent): void {
    if (event.type === 'voice.analysed') this.hearWindow(event);
    if (event.type === 'words.guessed') this.#take({ type: 'interim', text: event.text });
    if (event.type === 'words.recognised') this.#take({ type: 'final', text: event.text });
  }

  hearKey(): void {
    this.#take({ type: 'key' });
  }

  #take(event: AnsweringEvent): void {
    const before = this.#state.verdict;
    this.#state = hearAnswer(this.#state, event, { nowMs: this.#nowMs, language: this.#options.language });
    const { verdict } = this.#state;
    if (verdict !== null && verdict !== before) this.#options.onVerdict(verdict);
  }
}
