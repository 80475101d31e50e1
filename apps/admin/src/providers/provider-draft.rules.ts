/** The draft of the provider form and its conversion to the input of the API. The server validates it. */
import type { ProviderRecord } from '@parley/contracts';

/** Kinds that can be added. */
export type RemoteKind = Exclude<ProviderRecord['kind'], 'built-in'>;

/** The values of the fields, as text. Names match the API, so that the server's messages reach their fields. */
export interface ProviderDraft {
  kind: RemoteKind;
  name: string;
  base_url: string;
  /** Empty: none, or the stored one. */
  api_key: string;
  /** One model or voice per line; only for kinds without automatic lists. */
  models: string;
  embedding_models: string;
  voices: string;
  /** Empty: not known. */
  transcription_model: string;
}

/** The initial draft. */
export const emptyProvider: ProviderDraft = {
  kind: 'openai',
  name: '',
  base_url: '',
  api_key: '',
  models: '',
  embedding_models: '',
  voices: '',
  transcription_model: '',
};

/** The lists of other kinds are read from the provider. */
export function hasWrittenOffers(kind: ProviderRecord['kind']): boolean {
  return kind === 'openai-compatible';
}

type Offer = { name: string; wire_name?: string };

/** `Name`, or `Name = name at the server`. */
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

/** The draft of an existing account. */
export function draftOf(provider: ProviderRecord, kind: RemoteKind): ProviderDraft {
  return {
    kind,
    name: provider.name,
    base_url: provider.base_url ?? '',
    api_key: '',
    models: linesOf(provider.models),
    embedding_models: linesOf(provider.embedding_models),
    voices: linesOf(provider.voices),
    transcription_model: provider.transcription_model ?? '',
  };
}

/** An empty address is omitted, so that the default of the provider is used. */
export function toNewProvider(draft: ProviderDraft) {
  const { kind, name, base_url, api_key } = draft;
  const isWritten = hasWrittenOffers(kind);
  return {
    kind,
    name: name.trim(),
    ...(base_url.trim() !== '' && { base_url: base_url.trim() }),
    ...(api_key.trim() !== '' && { api_key: api_key.trim() }),
    ...(isWritten && {
      models: offersFrom(draft.models),
      embedding_models: offersFrom(draft.embedding_models),
      voices: offersFrom(draft.voices),
      ...(draft.transcription_model.trim() !== '' && {
        transcription_model: draft.transcription_model.trim(),
      }),
    }),
  };
}

/** Only what changed: lists that were not edited are not sent. */
export function toProviderChanges(draft: ProviderDraft, before: ProviderDraft) {
  const key = draft.api_key.trim();
  const isChanged = (field: 'models' | 'embedding_models' | 'voices' | 'transcription_model'): boolean =>
    hasWrittenOffers(draft.kind) && draft[field] !== before[field];
  return {
    name: draft.name.trim(),
    ...(draft.base_url.trim() !== before.base_url && { base_url: draft.base_url.trim() }),
    ...(key !== '' && { api_key: key }),
    ...(isChanged('models') && { models: offersFrom(draft.models) }),
    ...(isChanged('embedding_models') && { embedding_models: offersFrom(draft.embedding_models) }),
    ...(isChanged('voices') && { voices: offersFrom(draft.voices) }),
    ...(isChanged('transcription_model') && {
      transcription_model: draft.transcription_model.trim() || null,
    }),
  };
}
