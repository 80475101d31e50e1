/**
 * Selects the audio that is sent to a speech-to-speech model, which bills it: speech with a short lead, and the pauses
 * within a turn, but not the silence between turns.
 */

/** The detector reports speech late, so the audio before its report is sent too: 600 ms. */
const LEAD_FRAMES = 30;
/** The probability from which a window counts as speech. */
const SPEECH_FROM = 0.5;

/** One per stream. */
export class CallerSound {
  readonly #send: (samples: Int16Array) => void;
  #lead: Int16Array[] = [];
  #isOpen: boolean;

  /** @param isOpen - true if a turn is in progress, whose audio is sent again */
  constructor(send: (samples: Int16Array) => void, isOpen: boolean) {
    this.#send = send;
    this.#isOpen = isOpen;
  }

  /** One frame. */
  push(samples: Int16Array): void {
    if (this.#isOpen) return this.#send(samples);
    if (this.#lead.length === LEAD_FRAMES) this.#lead.shift();
    this.#lead.push(samples);
  }

  /** The latest result of the detector. */
  judge(probability: number): void {
    if (this.#isOpen || probability < SPEECH_FROM) return;
    this.#isOpen = true;
    for (const samples of this.#lead.splice(0)) this.#send(samples);
  }

  /** The caller has paused: audio is held back until the detector reports speech again. */
  pause(): void {
    this.#isOpen = false;
  }
}
