/**
 * The languages that the recognisers of this version support. A voice process publishes them; the registry opens no
 * recogniser for any other language.
 */
import { ASSEMBLYAI_LANGUAGES } from './providers/assemblyai/assemblyai-recogniser.ts';
import type { ProviderDescription } from './registry.ts';

/** Two-letter codes by kind of provider; `any` where the provider itself decides. Kinds that transcribe nothing are absent. */
export type RecognisedLanguages = Partial<Record<ProviderDescription['kind'], readonly string[] | 'any'>>;

/** @param hasPhrases - whether the recogniser of expected phrases is installed */
export function recognisedLanguages(hasPhrases: boolean): RecognisedLanguages {
  return {
    'built-in': hasPhrases ? ['en'] : [],
    openai: 'any',
    'openai-compatible': 'any',
    deepgram: 'any',
    assemblyai: ASSEMBLYAI_LANGUAGES,
  };
}
