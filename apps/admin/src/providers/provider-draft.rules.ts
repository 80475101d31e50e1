/** What the form of a provider holds, and how it becomes the API's input. The server checks. */
import type { ProviderRecord } from '@parley/contracts';

/** Kinds that can be added. */
export type RemoteKind = Exclude<ProviderRecord['kind'], 'built-in'>;

/** The values of the fields, as text. Names match the API, so that the server's messages reach their fields. */
export interface ProviderDraft {
  kind: RemoteKind;
  name: string;
  base_url: string;
  /** Empty: none, or the one that is kept. */
  api_key: string;
  /** An offer a line; only for servers that are not asked what they offer. */
  models: string;
  voices: string;
}

/** The form at its beginning. */
export const emptyProvider: ProviderDraft = {
  kind: 'openai',
  name: '',
  base_url: '',
  api_key: '',
  models: '',
  voices: '',
};

/** The others are asked for their lists. */
export function hasWrittenOffers(kind: ProviderRecord['kind']): boolean {
  return kind === 'openai-compatible';
}

type Offer = { name: string; wire_name?: string };

/** `Name`, or `Name = what the server calls it`. */
function offersFrom(lines: string): Offer[] {
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', ...rest] = line.split('=');
      const wireName = rest.join('=').trim();
      return wireName === '' ? { name: line } : { name: name.trim(), wire_name: wireName };
    });
}

function linesOf(offers: ProviderRecord['models']): string {
  return offers
    .map(({ name, wire_name }) => (name === wire_name ? name : `${name} = ${wire_name}`))
    .join('\n');
}

/** The form for an account that there is. */
export function draftOf(provider: ProviderRecord, kind: RemoteKind): ProviderDraft {
  return {
    kind,
    name: provider.name,
    base_url: provider.base_url ?? '',
    api_key: '',
    models: linesOf(provider.models),
    voices: linesOf(provider.voices),
  };
}

/** An empty address is left out: the provider's own is meant. */
export function toNewProvider({ kind, name, base_url, api_key, models, voices }: ProviderDraft) {
  const isWritten = hasWrittenOffers(kind);
  return {
    kind,
    name: name.trim(),
    ...(base_url.trim() !== '' && { base_url: base_url.trim() }),
    ...(api_key.trim() !== '' && { api_key: api_key.trim() }),
    ...(isWritten && { models: offersFrom(models), voices: offersFrom(voices) }),
  };
}

/** Only what changed: lists that were not edited are not sent. */
export function toProviderChanges(draft: ProviderDraft, before: ProviderDraft) {
  const key = draft.api_key.trim();
  const isChanged = (field: 'models' | 'voices'): boolean =>
    hasWrittenOffers(draft.kind) && draft[field] !== before[field];
  return {
    name: draft.name.trim(),
    ...(draft.base_url.trim() !== before.base_url && { base_url: draft.base_url.trim() }),
    ...(key !== '' && { api_key: key }),
    ...(isChanged('models') && { models: offersFrom(draft.models) }),
    ...(isChanged('voices') && { voices: offersFrom(draft.voices) }),
  };
}
