/**
 * The leg of a caller who waits, until a session takes it. The leg is answered while the caller waits; for the session, it
 * begins with the end of the wait: its audio has the frame 0 then, and its answer is reported then.
 */
import type { CallLeg, LegEvent, MediaPort, MediaTick } from '@parley/telephony';

/** The turn number of announcements in the queue; conversations count theirs from 1. */
export const ANNOUNCEMENT_TURN = 2 ** 30;

/** A leg whose caller waits. */
export class QueuedLeg {
  /** For the session. */
  readonly leg: CallLeg;
  /** Aborted when the leg has ended. */
  readonly ended: AbortSignal;
  readonly #real: CallLeg;
  /** The events that are kept for the session. Key presses are not kept, because no question asked for them. */
  #kept: LegEvent[] = [];
  #listener: ((event: LegEvent) => void) | null = null;
  #onEvent: (event: LegEvent) => void;

  /**
   * @param real - must not have a listener yet
   * @param onEvent - receives the events during the wait
   */
  constructor(real: CallLeg, onEvent: (event: LegEvent) => void) {
    this.#real = real;
    this.#onEvent = onEvent;
    const end = new AbortController();
    this.ended = end.signal;
    this.leg = this.#forSession();
    // Without a listener, the frames would be kept.
    real.media.onTick(() => undefined);
    real.onEvent((event) => {
      this.#take(event);
      if (event.type === 'ended') end.abort();
    });
  }

  #take(event: LegEvent): void {
    if (this.#listener) return this.#listener(event);
    if (event.type === 'dialog-changed' || event.type === 'replaced') this.#renew(event.dialog);
    else if (event.type !== 'dtmf') this.#keep(event);
    this.#onEvent(event);
  }

  /** Keeps an event. Only the newest hold is kept, so that a far end that holds and resumes repeatedly uses no memory. */
  #keep(event: LegEvent): void {
    if (event.type === 'held') this.#kept = this.#kept.filter(({ type }) => type !== 'held');
    this.#kept.push(event);
  }

  /** The answer that the session receives has the newest dialog. */
  #renew(dialog: Extract<LegEvent, { type: 'dialog-changed' }>['dialog']): void {
    this.#kept = this.#kept.map((event) => (event.type === 'answered' ? { ...event, dialog } : event));
  }

  #forSession(): CallLeg {
    const real = this.#real;
    return {
      id: real.id,
      direction: real.direction,
      from: real.from,
      to: real.to,
      media: mediaFromNow(real.media),
      onEvent: (listener) => {
        this.#onEvent = () => undefined;
        this.#listener = listener;
        for (const event of this.#kept.splice(0)) listener(event);
      },
      ring: () => undefined,
      // It was answered when the wait began.
      answer: async () => undefined,
      reject: () => undefined,
      hangUp: () => real.hangUp(),
      sendDtmf: (digits) => real.sendDtmf(digits),
      transfer: (number, limitMs) => real.transfer(number, limitMs),
    };
  }
}

function mediaFromNow(media: MediaPort): MediaPort {
  return {
    sampleRateHz: media.sampleRateHz,
    frameSamples: media.frameSamples,
    onTick: (listener) => {
      let first: number | null = null;
      media.onTick((tick) => {
        first ??= tick.index;
        listener(rebased(tick, first));
      });
    },
    play: (turn, samples) => media.play(turn, samples),
    pausePlayout: () => media.pausePlayout(),
    lowerPlayout: () => media.lowerPlayout(),
    resumePlayout: () => media.resumePlayout(),
    clear: () => media.clear(),
    setAmbience: (loop) => media.setAmbience(loop),
    stats: () => media.stats(),
  };
}

function rebased(tick: MediaTick, first: number): MediaTick {
  const isOurs = tick.sentTurn !== ANNOUNCEMENT_TURN;
  return {
    ...tick,
    index: tick.index - first,
    sentTurn: isOurs ? tick.sentTurn : 0,
    sentSamples: isOurs ? tick.sentSamples : 0,
  };
}
