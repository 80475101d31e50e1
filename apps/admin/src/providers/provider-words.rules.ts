/** What kinds of provider there are, what each is good for, and what an account brought, in words. */
import type { ProviderRecord } from '@parley/contracts';

type Kind = ProviderRecord['kind'];

interface KindWords {
  label: string;
  /** What an assistant can have from it. */
  gives: string;
}

const KINDS: Record<Kind, KindWords> = {
  'built-in': { label: 'Built in', gives: 'a voice and scripted dialogues, on this installation itself' },
  'openai-compatible': {
    label: 'OpenAI-compatible server',
    gives: 'language models, and voices and transcription where the server has them',
  },
  openai: { label: 'OpenAI', gives: 'language models, voices, transcription, speech to speech' },
  anthropic: { label: 'Anthropic', gives: 'language models' },
  google: { label: 'Google', gives: 'language models, speech to speech' },
  deepgram: { label: 'Deepgram', gives: 'transcription, voices' },
  assemblyai: { label: 'AssemblyAI', gives: 'transcription' },
  elevenlabs: { label: 'ElevenLabs', gives: 'voices' },
  cartesia: { label: 'Cartesia', gives: 'voices' },
};

/** As people call it. */
export function kindLabel(kind: Kind): string {
  return KINDS[kind].label;
}

/** One sentence for the form. */
export function kindHint(kind: Kind): string {
  return `Gives ${KINDS[kind].gives}.`;
}

function counted(count: number, one: string): string | null {
  if (count === 0) return null;
  return count === 1 ? `1 ${one}` : `${count} ${one}s`;
}

/** `3 models, 12 voices`; a dash for one that lists nothing. */
export function offersLabel({ models, voices }: Pick<ProviderRecord, 'models' | 'voices'>): string {
  const parts = [counted(models.length, 'model'), counted(voices.length, 'voice')];
  return parts.filter((part) => part !== null).join(', ') || '–';
}

/** Kinds without a list of their own. */
const WITHOUT_LIST: readonly Kind[] = ['built-in', 'openai-compatible', 'assemblyai'];

/** Whether its lists are still on their way: a key was saved, and the provider has not been asked yet. */
export function isBeingAsked(
  provider: Pick<ProviderRecord, 'kind' | 'has_api_key' | 'refreshed_at' | 'note'>,
): boolean {
  const { kind, has_api_key: hasKey, refreshed_at: refreshedAt, note } = provider;
  return hasKey && refreshedAt === null && note === null && !WITHOUT_LIST.includes(kind);
}

/** What is said after a check that nobody refused: the lists, where the provider has any. */
export function checkResult(provider: Pick<ProviderRecord, 'models' | 'voices' | 'note'>): string {
  if (provider.note !== null) return provider.note;
  const offers = offersLabel(provider);
  return offers === '–' ? 'It answers.' : `It answers. It offers ${offers.replace(', ', ' and ')}.`;
}
