/** Wraps a synthesiser and measures the characters that it speaks. */
import type { Synthesiser } from '@parley/speech';

/** @param note - receives the characters of a text when its first sound arrives; a refused text is not billed */
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
