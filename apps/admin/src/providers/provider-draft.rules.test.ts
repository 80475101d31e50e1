import { newProviderBody, providerChangesBody, type ProviderRecord } from '@parley/contracts';
import { describe, expect, it } from 'vitest';
import { draftOf, emptyProvider, toNewProvider, toProviderChanges } from './provider-draft.rules.ts';

const local: ProviderRecord = {
  id: 3,
  name: 'Local',
  kind: 'openai-compatible',
  base_url: 'http://127.0.0.1:11434/v1',
  has_api_key: true,
  models: [
    { id: 1, name: 'Llama', wire_name: 'llama3.3:70b' },
    { id: 2, name: 'phi', wire_name: 'phi' },
  ],
  embedding_models: [],
  voices: [],
  transcription_model: null,
  is_found: false,
  note: null,
  refreshed_at: null,
  created_at: '2026-01-31T12:00:00.000000Z',
};
const before = draftOf(local, 'openai-compatible');

describe('a new provider', () => {
  it('omits an empty address and an empty key', () => {
    const input = toNewProvider({ ...emptyProvider, kind: 'deepgram', name: ' Ears ', models: 'ignored' });
    expect(input).toEqual({ kind: 'deepgram', name: 'Ears' });
    expect(newProviderBody.safeParse(input).success).toBe(true);
  });

  it('of a kind without automatic lists has entered models and voices, one per line', () => {
    const input = toNewProvider({
      ...emptyProvider,
      kind: 'openai-compatible',
      name: 'Local',
      base_url: ' http://127.0.0.1:1/v1 ',
      api_key: ' k ',
      models: 'Llama = llama3.3:70b\n\n phi \n',
      embedding_models: 'Nomic = nomic-embed-text',
      voices: 'Ann = ann@tts=1',
      transcription_model: ' whisper ',
    });
    expect(input).toEqual({
      kind: 'openai-compatible',
      name: 'Local',
      base_url: 'http://127.0.0.1:1/v1',
      api_key: 'k',
      models: [{ name: 'Llama', wire_name: 'llama3.3:70b' }, { name: 'phi' }],
      embedding_models: [{ name: 'Nomic', wire_name: 'nomic-embed-text' }],
      voices: [{ name: 'Ann', wire_name: 'ann@tts=1' }],
      transcription_model: 'whisper',
    });
  });
});

describe('a change', () => {
  it('without edits sends the name only: key, address and lists stay', () => {
    expect(before).toMatchObject({ models: 'Llama = llama3.3:70b\nphi', api_key: '' });
    expect(toProviderChanges(before, before)).toEqual({ name: 'Local' });
  });

  it('sends an edited list and an edited address', () => {
    const changes = toProviderChanges({ ...before, models: 'phi', base_url: 'http://[::1]/v1' }, before);
    expect(changes).toEqual({ name: 'Local', base_url: 'http://[::1]/v1', models: [{ name: 'phi' }] });
    expect(providerChangesBody.safeParse(changes).success).toBe(true);
  });

  it('without its transcription model removes the name', () => {
    const named = draftOf({ ...local, transcription_model: 'whisper' }, 'openai-compatible');
    expect(toProviderChanges({ ...named, transcription_model: ' ' }, named)).toEqual({
      name: 'Local',
      transcription_model: null,
    });
  });

  it('never sends lists that are read from the provider', () => {
    const hosted = draftOf({ ...local, kind: 'openai' }, 'openai');
    expect(toProviderChanges({ ...hosted, models: '', api_key: 'new' }, hosted)).toEqual({
      name: 'Local',
      api_key: 'new',
    });
  });
});
