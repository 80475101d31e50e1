import { expect, test } from 'vitest';
import { endpointDraft, endpointInput, filterChoices } from './endpoint-draft.rules.ts';

const ENDPOINT = {
  id: 5,
  url: 'https://events.example/',
  description: 'Orders',
  events: ['call.ended'] as const,
  assistant_ids: [12],
  campaign_ids: [],
  is_enabled: false,
  signing_secret: { prefix: 'whsec_abcdef', old_prefix: null, old_valid_until: null },
  created_at: '2026-01-01T00:00:00.000000Z',
  updated_at: '2026-01-01T00:00:00.000000Z',
};

test('the form of an endpoint sends what it was filled with', () => {
  const draft = endpointDraft({ ...ENDPOINT, events: [...ENDPOINT.events] });
  expect(endpointInput({ ...draft, url: ' https://events.example/ ' })).toEqual({
    url: 'https://events.example/',
    description: 'Orders',
    events: ['call.ended'],
    assistant_ids: [12],
    campaign_ids: [],
    is_enabled: false,
  });
});

test('a new endpoint is switched on', () => {
  expect(endpointDraft(null)).toMatchObject({ url: '', events: [], is_enabled: true });
});

test('a filter also shows what was deleted', () => {
  expect(filterChoices([{ id: 12, name: 'Anna' }], ['12', '13'], (id) => `#${id}`)).toEqual([
    { value: '12', label: 'Anna' },
    { value: '13', label: '#13' },
  ]);
});
