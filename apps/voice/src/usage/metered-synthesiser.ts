/** A voice whose characters are counted. */
import type { Synthesiser } from '@parley/speech';

/** @param note - characters of a text, once it is being spoken; one that was refused is not paid for */
export function meteredSynthesiser(
  synthesiser: Synthesiser,
  note: (characters: number) => void,
): Synthesiser {
  return {
    capabilities: synthesiser.capabilities,
    async *speak(text, options, signal) {
      let isNoted = false;
      for await (const samples of synthesiser.speak(text, options, signal)) {
        if (!isNoted) note(Array.from(text).length);
        isNoted = true;
        yield samples;
      }
    },
    release: () => synthesiser.release?.(),
  };
}
