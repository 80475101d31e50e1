/** A recogniser that says what the test tells it to, when the test tells it to. */
import type { Recogniser, RecogniserEvent } from '@parley/speech';

export interface HandRecogniser extends Recogniser {
  /** How often a final was asked for. */
  readonly finalised: number;
  /** Streams opened so far. */
  readonly opened: number;
  /** Answers on the newest stream. */
  tell(event: RecogniserEvent): void;
}

export function handRecogniser(): HandRecogniser {
  let listener: (event: RecogniserEvent) => void = () => undefined;
  let finalised = 0;
  let opened = 0;
  return {
    capabilities: { hasInterim: true, sampleRateHz: 8000, finalWithinMs: 300 },
    get finalised() {
      return finalised;
    },
    get opened() {
      return opened;
    },
    tell: (event) => listener(event),
    open(_options, onEvent) {
      opened += 1;
      listener = onEvent;
      return { push: () => undefined, finalise: () => void finalised++, close: () => undefined };
    },
  };
}
