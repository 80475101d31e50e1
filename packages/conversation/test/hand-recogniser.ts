/** A recogniser that says what the test tells it to, when the test tells it to. */
import type { Recogniser, RecogniserEvent } from '@parley/speech';

export interface HandRecogniser extends Recogniser {
  /** Samples pushed into the newest stream. */
  readonly pushed: number;
  /** How often a final was asked for. */
  readonly finalised: number;
  /** Streams opened so far. */
  readonly opened: number;
  /** Answers on the newest stream. */
  emit(event: RecogniserEvent): void;
}

/** @param endOfTurn - what it knows of it; it tells that too when the test says so */
export function handRecogniser(endOfTurn: 'none' | 'semantic' = 'none'): HandRecogniser {
  let listener: (event: RecogniserEvent) => void = () => undefined;
  let finalised = 0;
  let opened = 0;
  let pushed = 0;
  return {
    capabilities: { hasInterim: true, sampleRateHz: 8000, finalWithinMs: 300, endOfTurn },
    get finalised() {
      return finalised;
    },
    get opened() {
      return opened;
    },
    get pushed() {
      return pushed;
    },
    emit: (event) => listener(event),
    open(_options, onEvent) {
      opened += 1;
      pushed = 0;
      listener = onEvent;
      return {
        push: (samples) => void (pushed += samples.length),
        finalise: () => void finalised++,
        close: () => undefined,
      };
    },
  };
}
