/** Determines the speech recognition of an assistant from its providers and the running voice processes. */
import type { ProviderRow } from '@parley/db';
import type { RecognitionSupport } from '../capacity/recognition-support.ts';

/** The kinds of recognition, best first. */
type Recognition =
  /** Speech to speech: the model receives the audio. */
  | { by: 'realtime'; provider: string }
  /** Free speech. `isCertain` is false if the server might not support transcription. */
  | { by: 'provider'; provider: string; isCertain: boolean }
  /** Free speech and the phrases of a script, in English, by the model of this machine. */
  | { by: 'built-in' }
  /** A script that reacts to keys only. */
  | { by: 'keys'; language: string }
  /** A model that receives no transcript. */
  | { by: 'none' }
  /** No voice process runs, so that calls are not answered. */
  | { by: 'no-voice-process' };

/** The recognition of one assistant, as the admin app shows it. */
export type AssistantRecognition = Recognition & {
  /** True if a voice process detects speech by its level because its voice activity model does not run. */
  isByLoudness: boolean;
};

/** The settings that determine the recognition. */
export interface RecognitionSettings {
  mode: 'pipeline' | 'multimodal';
  /** The two-letter code and the name of the assistant's language. */
  language: { iso2: string; name: string };
  /** Name of the provider of its voice. */
  voiceProvider: string;
  modelKind: ProviderRow['kind'];
  /** The recognisers of its calls, best first. */
  recognisers: readonly Pick<ProviderRow, 'kind' | 'name' | 'transcriptionModel'>[];
}

const ORDER: readonly Recognition['by'][] = ['realtime', 'provider', 'built-in', 'keys', 'none'];

/** @param processes - the reports of the running voice processes; if they differ, the poorest recognition counts */
export function decideRecognition(
  assistant: RecognitionSettings,
  processes: readonly RecognitionSupport[],
): AssistantRecognition {
  const [least] = processes
    .map((support) => recognitionIn(assistant, support))
    .toSorted((one, other) => ORDER.indexOf(other.by) - ORDER.indexOf(one.by));
  return {
    ...(least ?? { by: 'no-voice-process' }),
    isByLoudness: processes.some(({ detector }) => detector === 'energy'),
  };
}

function recognitionIn(
  assistant: RecognitionSettings,
  { recognisedLanguages }: RecognitionSupport,
): Recognition {
  const { mode, language, modelKind, recognisers, voiceProvider } = assistant;
  if (mode === 'multimodal') return { by: 'realtime', provider: voiceProvider };
  const first = recognisers.find(({ kind }) => {
    const known = recognisedLanguages[kind] ?? [];
    return known === 'any' || known.includes(language.iso2);
  });
  if (first?.kind === 'built-in') return { by: 'built-in' };
  const isCertain = first?.kind !== 'openai-compatible' || first.transcriptionModel !== null;
  if (first) return { by: 'provider', provider: first.name, isCertain };
  return modelKind === 'built-in' ? { by: 'keys', language: language.name } : { by: 'none' };
}
