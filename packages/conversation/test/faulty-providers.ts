/** Providers with one fault each. */
import type { ManualClock } from '@parley/runtime';
import { SpeechError, type LanguageModel, type Synthesiser } from '@parley/speech';
import { createFakeSynthesiser } from '@parley/speech/fakes';

export const GONE = new SpeechError('unavailable', 'gone');

/** Never answers, and does not heed its signal. */
export const hangingModel: LanguageModel = {
  stream: () => ({
    [Symbol.asyncIterator]: () => ({ next: async () => new Promise<never>(() => undefined) }),
  }),
};

/** Makes `afterMs` of sound for that text, then hangs for ever; speaks all others. */
export function stallsAt(clock: ManualClock, text: string, afterMs: number): Synthesiser {
  const healthy = createFakeSynthesiser({ clock });
  return {
    capabilities: healthy.capabilities,
    async *speak(spoken, options, signal) {
      let leftMs = afterMs;
      for await (const chunk of healthy.speak(spoken, options, signal)) {
        if (spoken === text && leftMs <= 0) await new Promise<never>(() => undefined);
        leftMs -= 100;
        yield chunk;
      }
    },
  };
}

/** Fails the first `times` times it is to say `text`, after `afterMs` of sound. */
export function failsAt(clock: ManualClock, text: string, times: number, afterMs = 0): Synthesiser {
  const healthy = createFakeSynthesiser({ clock });
  let failures = 0;
  return {
    capabilities: healthy.capabilities,
    async *speak(spoken, options, signal) {
      let leftMs = spoken === text && failures++ < times ? afterMs : Infinity;
      for await (const chunk of healthy.speak(spoken, options, signal)) {
        if (leftMs <= 0) throw GONE;
        leftMs -= 100;
        yield chunk;
      }
    },
  };
}

/** Gives nothing for texts that say so, for ever; speaks all others. */
export function silentFor(clock: ManualClock, isSilent: (text: string) => boolean): Synthesiser {
  const healthy = createFakeSynthesiser({ clock });
  return {
    capabilities: healthy.capabilities,
    async *speak(text, options, signal) {
      if (isSilent(text)) await new Promise<never>(() => undefined);
      yield* healthy.speak(text, options, signal);
    },
  };
}

/** Says the first words, then nothing for ever. */
export function stallingModel(words: string): LanguageModel {
  return {
    async *stream() {
      yield { type: 'text', text: words };
      await new Promise<never>(() => undefined);
    },
  };
}
