/** What an assistant understands of its callers: the truth about its providers and the voice processes that live. */
import type { ProviderRow } from '@parley/db';
import type { VoiceHearing } from '../capacity/hearing.ts';

/** Who understands the caller, from most to least. */
type Recognition =
  /** Speech to speech: the model hears by itself. */
  | { by: 'realtime'; provider: string }
  /** Free speech. `isCertain` is false for servers of which nobody knows whether they transcribe. */
  | { by: 'provider'; provider: string; isCertain: boolean }
  /** The phrases that a script expects now, and keys. */
  | { by: 'phrases' }
  /** A script, steered by keys. */
  | { by: 'keys'; language: string }
  /** A model that is told nothing of what is said. */
  | { by: 'nobody' }
  /** No voice process lives: nobody would answer. */
  | { by: 'no-voice-process' };

/** The recognition of one assistant, as the admin app shows it. */
export type AssistantRecognition = Recognition & {
  /** True where a voice process tells speech by its loudness, since its model of speech does not run there. */
  isByLoudness: boolean;
};

/** What decides. */
export interface HearingAssistant {
  mode: 'pipeline' | 'multimodal';
  /** Of its language: two-letter code and name. */
  language: { iso2: string; name: string };
  /** Name of the provider of its voice. */
  voiceProvider: string;
  modelKind: ProviderRow['kind'];
  /** Those of its calls, best first. */
  recognisers: readonly Pick<ProviderRow, 'kind' | 'name'>[];
}

const ORDER: readonly Recognition['by'][] = ['realtime', 'provider', 'phrases', 'keys', 'nobody'];

/** @param processes - what those that live can hear by; where they differ, the least of it counts */
export function decideRecognition(
  assistant: HearingAssistant,
  processes: readonly VoiceHearing[],
): AssistantRecognition {
  const [least] = processes
    .map((hearing) => recognitionIn(assistant, hearing))
    .toSorted((one, other) => ORDER.indexOf(other.by) - ORDER.indexOf(one.by));
  return {
    ...(least ?? { by: 'no-voice-process' }),
    isByLoudness: processes.some(({ detector }) => detector === 'energy'),
  };
}

function recognitionIn(assistant: HearingAssistant, { recognisedLanguages }: VoiceHearing): Recognition {
  const { mode, language, modelKind, recognisers, voiceProvider } = assistant;
  if (mode === 'multimodal') return { by: 'realtime', provider: voiceProvider };
  const first = recognisers.find(({ kind }) => {
    const known = recognisedLanguages[kind] ?? [];
    return known === 'any' || known.includes(language.iso2);
  });
  if (first?.kind === 'built-in') return { by: 'phrases' };
  if (first) return { by: 'provider', provider: first.name, isCertain: first.kind !== 'openai-compatible' };
  return modelKind === 'built-in' ? { by: 'keys', language: language.name } : { by: 'nobody' };
}
