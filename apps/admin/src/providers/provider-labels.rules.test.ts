import { expect, test } from 'vitest';
import { checkResult, isBeingAsked, offersLabel } from './provider-labels.rules.ts';

const offers = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id, name: `${id}`, wire_name: `${id}` }));

test.each([
  [0, 0, '–'],
  [1, 0, '1 model'],
  [0, 2, '2 voices'],
  [3, 1, '3 models, 1 voice'],
])('%i models and %i voices read "%s"', (models, voices, label) => {
  expect(offersLabel({ models: offers(models), voices: offers(voices), transcription_model: null })).toBe(
    label,
  );
});

const asked = { kind: 'elevenlabs', has_api_key: true, refreshed_at: null, note: null } as const;

test.each([
  [true, 'with a new key', {}],
  [false, 'without a key', { has_api_key: false }],
  [false, 'with loaded lists', { refreshed_at: '2026-01-31T12:00:00.000000Z' }],
  [false, 'that could not be reached', { note: 'The list is old.' }],
  [false, 'whose models were entered by hand', { kind: 'openai-compatible' as const }],
  [false, 'that only transcribes', { kind: 'assemblyai' as const }],
])('%s: the lists of a provider %s are still loading', (isAsked, _name, fields) => {
  expect(isBeingAsked({ ...asked, ...fields })).toBe(isAsked);
});

test('a check reports what the provider offers, or its note', () => {
  const provider = { models: offers(2), voices: offers(1), transcription_model: null, note: null };
  expect(checkResult(provider)).toBe('Connection successful. The provider offers 2 models and 1 voice.');
  expect(checkResult({ ...provider, note: 'The last check returned nothing.' })).toBe(
    'The last check returned nothing.',
  );
  expect(checkResult({ ...provider, models: [], voices: [] })).toBe('Connection successful.');
  expect(checkResult({ ...provider, transcription_model: 'whisper' })).toBe(
    'Connection successful. The provider offers 2 models, 1 voice and transcription.',
  );
});
