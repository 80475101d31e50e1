/**
 * The languages that the recognisers of this version support. A voice process publishes them; the registry opens no
 * recogniser for any other language.
 */
import { ASSEMBLYAI_LANGUAGES } from './providers/assemblyai/assemblyai-recogniser.ts';
import { BUILT_IN_LANGUAGES, type ProviderDescription } from './registry.ts';

/** Two-letter codes by kind of provider; `any` where the provider itself decides. Kinds that transcribe nothing are absent. */
export type RecognisedLanguages = Partial<Record<ProviderDescription['kind'], readonly string[] | 'any'>>;

export const RECOGNISED_LANGUAGES: RecognisedLanguages = {
  'built-in': BUILT_IN_LANGUAGES,
  openai: 'any',
  'openai-compatible': 'any',
  deepgram: 'any',
  assemblyai: ASSEMBLYAI_LANGUAGES,
};
