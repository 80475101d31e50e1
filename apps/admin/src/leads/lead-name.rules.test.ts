import { expect, it } from 'vitest';
import { leadName, nameVariable } from './lead-name.rules.ts';

it.each([
  ['its name', { city: 'Springfield', name: 'Ada' }, 'name', 'Ada'],
  ['the fuller of two names', { first_name: 'Ada', full_name: 'Ada L.' }, 'full_name', 'Ada L.'],
  ['its first name', { first_name: 'Ada' }, 'first_name', 'Ada'],
  ['the column of a file', { City: 'Springfield', 'Full Name': 'Ada L.' }, 'Full Name', 'Ada L.'],
  ['the name and not the first name', { 'First name': 'Ada', Name: 'Lovelace' }, 'Name', 'Lovelace'],
  ['a new name, because its own is no text', { name: 7 }, 'name', ''],
  ['a new name, because it has none', {}, 'name', ''],
])('a lead shows %s', (_, variables, variable, name) => {
  expect([nameVariable(variables), leadName(variables)]).toEqual([variable, name]);
});
