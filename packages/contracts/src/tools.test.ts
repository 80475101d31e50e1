import { expect, test } from 'vitest';
import { fieldErrors } from './field-wording.ts';
import { tools } from './tools.ts';

const TOOL = {
  name: 'look_up',
  description: 'Looks up opening hours.',
  endpoint: 'https://hours.example/',
  method: 'GET',
};
const DAY = { name: 'day', type: 'string', description: 'The day.' };

test('omitted fields of a new tool get defaults, and those of a change stay out', () => {
  expect(tools.create.body.parse(TOOL)).toEqual({ ...TOOL, timeout: 10, headers: [], schema: [] });
  expect(tools.update.body.parse({})).toEqual({});
});

test.each<[Record<string, unknown>, string, string]>([
  [{ name: 'look up' }, 'name', 'The name format is invalid.'],
  [{ name: 'end_call' }, 'name', 'The selected name is invalid.'],
  [{ name: undefined }, 'name', 'The name field is required.'],
  [{ endpoint: 'hours' }, 'endpoint', 'The endpoint must be a valid URL.'],
  [{ endpoint: 'https://{{host}}/' }, 'endpoint', 'The endpoint must be a valid URL.'],
  [{ method: 'HEAD' }, 'method', 'The selected method is invalid.'],
  [{ timeout: 31 }, 'timeout', 'The timeout must be between 1 and 30.'],
  [{ headers: [{ name: 'a b', value: 'c' }] }, 'headers.0.name', 'The headers.0.name format is invalid.'],
  [{ schema: [{ ...DAY, type: 'object' }] }, 'schema.0.type', 'The selected schema.0.type is invalid.'],
  [{ schema: [DAY, DAY] }, 'schema.1.name', 'The schema.1.name field has a duplicate value.'],
])('%j is refused', (changes, field, text) => {
  const { error } = tools.create.body.safeParse({ ...TOOL, ...changes });
  expect(fieldErrors(error?.issues ?? [])).toEqual({ [field]: [text] });
});
