/** The note of a server that was found on this machine: what it can do, what it cannot, and why. */

/** What was found out about a server. */
export interface FoundAbilities {
  /** For conversations or embeddings. */
  hasModels: boolean;
  /** Names of models that transcribe, by its list. */
  transcription: readonly string[];
  /** Those that the product can use: none without `audio/transcriptions`. Null: it did not say. */
  transcriptionModels: readonly string[] | null;
  /** Names of models that speak. */
  speech: readonly string[];
  /** Those of which the voices are known. Null: it did not say. */
  withVoices: readonly string[] | null;
}

const FOUND = 'Found by itself. It works while the server runs.';
const BUILT_IN_HELPS =
  'It neither transcribes nor speaks: calls with its models use the recogniser and voice of other providers, or the built-in ones.';
const MOST_NAMES = 3;

/** Piper's own server answers with WAV files, in a protocol of its own. */
export const PIPER_NOTE =
  'Found by itself, and cannot be used: this server of Piper has a protocol of its own. Run the voices of Piper in a server with OpenAI’s protocol, for example Speaches.';

/** In whole sentences. */
export function foundNote(found: FoundAbilities): string {
  const isSilent = found.transcription.length === 0 && found.speech.length === 0;
  const parts = [
    FOUND,
    found.hasModels && isSilent ? BUILT_IN_HELPS : '',
    transcriptionNote(found),
    voicesNote(found),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function transcriptionNote({ transcription, transcriptionModels }: FoundAbilities): string {
  if (transcription.length === 0) return '';
  if (transcriptionModels === null) return 'It did not say in time whether it transcribes.';
  return transcriptionModels.length > 0
    ? ''
    : `It cannot transcribe with ${namesOf(transcription)}: it has no /v1/audio/transcriptions.`;
}

function voicesNote({ speech, withVoices }: FoundAbilities): string {
  if (speech.length === 0) return '';
  if (withVoices === null) return 'It did not list its voices in time.';
  const missing = speech.filter((model) => !withVoices.includes(model));
  return missing.length === 0
    ? ''
    : `It lists no voices of ${namesOf(missing)}. Enter those that you know as voice@model.`;
}

function namesOf(names: readonly string[]): string {
  const others = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}
