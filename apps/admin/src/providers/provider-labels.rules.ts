/** Labels and hints for the kinds of providers and for what an account offers. */
import type { ProviderRecord } from '@parley/contracts';
import { texts } from './texts.ts';

type Kind = ProviderRecord['kind'];

/** The product name of a kind. */
export function kindLabel(kind: Kind): string {
  return texts.kinds[kind].label;
}

/** What a kind offers, as one sentence for the form. */
export function kindHint(kind: Kind): string {
  return texts.kinds[kind].hint;
}

type Offers = Pick<ProviderRecord, 'models' | 'voices' | 'transcription_model'>;

/** `3 models, 12 voices, transcription`; a dash without any. */
export function offersLabel({ models, voices, transcription_model: transcription }: Offers): string {
  const parts = [
    models.length > 0 && texts.offers.models(models.length),
    voices.length > 0 && texts.offers.voices(voices.length),
    transcription !== null && texts.offers.transcription,
  ];
  return parts.filter(Boolean).join(', ') || '–';
}

/** Kinds without automatic lists. */
const WITHOUT_LIST: readonly Kind[] = ['built-in', 'openai-compatible', 'assemblyai'];

/** Whether its lists are still pending: a key is stored, and the provider has not been queried yet. */
export function isBeingAsked(
  provider: Pick<ProviderRecord, 'kind' | 'has_api_key' | 'refreshed_at' | 'note'>,
): boolean {
  const { kind, has_api_key: hasKey, refreshed_at: refreshedAt, note } = provider;
  return hasKey && refreshedAt === null && note === null && !WITHOUT_LIST.includes(kind);
}

/** The result of a successful check, with the models and voices the provider lists. */
export function checkResult(provider: Offers & Pick<ProviderRecord, 'note'>): string {
  if (provider.note !== null) return provider.note;
  const offers = offersLabel(provider);
  return offers === '–' ? texts.check.reached : texts.check.offers(offers.replace(/, (?=[^,]*$)/, ' and '));
}
