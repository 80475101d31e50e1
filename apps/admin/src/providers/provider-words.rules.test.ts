import { expect, test } from 'vitest';
import { checkResult, isBeingAsked, offersLabel } from './provider-words.rules.ts';

const offers = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id, name: `${id}`, wire_name: `${id}` }));

test.each([
  [0, 0, '–'],
  [1, 0, '1 model'],
  [0, 2, '2 voices'],
  [3, 1, '3 models, 1 voice'],
])('%i models and %i voices read "%s"', (models, voices, label) => {
  expect(offersLabel({ models: offers(models), voices: offers(voices) })).toBe(label);
});

const asked = { kind: 'elevenlabs', has_api_key: true, refreshed_at: null, note: null } as const;

test.each([
  [true, 'with a new key', {}],
  [false, 'without a key', { has_api_key: false }],
  [false, 'that has answered', { refreshed_at: '2026-01-31T12:00:00.000000Z' }],
  [false, 'that could not be asked', { note: 'The list is old.' }],
  [false, 'whose models are written down', { kind: 'openai-compatible' as const }],
  [false, 'that only listens', { kind: 'assemblyai' as const }],
])('it is %s that one %s is still being asked for its lists', (isAsked, _name, fields) => {
  expect(isBeingAsked({ ...asked, ...fields })).toBe(isAsked);
});

test('a check says what the provider has, or what could not be found out', () => {
  const provider = { models: offers(2), voices: offers(1), note: null };
  expect(checkResult(provider)).toBe('It answers. It offers 2 models and 1 voice.');
  expect(checkResult({ ...provider, note: 'The last check said nothing.' })).toBe(
    'The last check said nothing.',
  );
  expect(checkResult({ models: [], voices: [], note: null })).toBe('It answers.');
});
