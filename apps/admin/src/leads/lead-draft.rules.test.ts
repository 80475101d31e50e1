import { expect, it } from 'vitest';
import { contactNumbers, toLeadChanges, toNewLead, variableRows } from './lead-draft.rules.ts';

const stored = {
  phone_number: '+12025550101',
  status: 'created',
  variables: { name: 'Ada', visits: 3, tags: ['a'] },
} as const;
const draft = { ...stored, variables: variableRows(stored.variables) };

it('sends only what was edited', () => {
  expect(toLeadChanges(draft, stored)).toEqual({});
  expect(toLeadChanges({ ...draft, status: 'completed' }, stored)).toEqual({ status: 'completed' });
  expect(toLeadChanges({ ...draft, phone_number: '+12025550102' }, stored)).toEqual({
    phone_number: '+12025550102',
  });
});

it.each([
  [{ name: 'name', value: '42' }, { name: '42' }],
  [{ name: 'visits', value: '4' }, { visits: 4 }],
  [{ name: 'visits', value: 'four' }, { visits: 'four' }],
  [{ name: 'tags', value: '["b"]' }, { tags: ['b'] }],
  [{ name: ' city ', value: 'Bonn' }, { city: 'Bonn' }],
])('keeps the type of a stored variable: %j', (row, variables) => {
  expect(toLeadChanges({ ...draft, variables: [row] }, stored)).toEqual({ variables });
});

it('creates a lead with its contacts and named variables', () => {
  expect(contactNumbers(' +1 202 555 0103 \n\n0151')).toEqual(['+1 202 555 0103', '0151']);
  const made = toNewLead({
    phone_number: '1',
    campaign_id: '7',
    contacts: '2',
    allow_duplicate: false,
    variables: [
      { name: 'a', value: 'b' },
      { name: ' ', value: '' },
    ],
  });
  expect(made).toEqual({
    phone_number: '1',
    campaign_id: 7,
    allow_duplicate: false,
    variables: { a: 'b' },
    secondary_contacts: [{ phone_number: '2' }],
  });
});
