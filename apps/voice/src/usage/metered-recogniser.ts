/** Wraps a recogniser and measures the sound that is sent to it. */
import type { Recogniser, RecogniserStream } from '@parley/speech';

/** @param note - receives seconds of sound sent; sound that is sent twice is billed twice */
export function meteredRecogniser(recogniser: Recogniser, note: (seconds: number) => void): Recogniser {
  const { capabilities } = recogniser;
  return {
    capabilities,
    open(options, onEvent) {
      const stream = recogniser.open(options, onEvent);
      const metered: RecogniserStream = {
        push(samples) {
          note(samples.length / capabilities.sampleRateHz);
          stream.push(samples);
        },
        finalise: (speechFromMs) => stream.finalise(speechFromMs),
        close: () => stream.close(),
      };
      // Only where it is there: it says that nothing else is understood.
      if (stream.expect) metered.expect = (phrases) => stream.expect?.(phrases);
      return metered;
    },
  };
}
