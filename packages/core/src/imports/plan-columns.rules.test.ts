import { describe, expect, test } from 'vitest';
import { planColumns, type Mapping } from './plan-columns.rules.ts';

function read(header: string[], mapping?: Mapping) {
  const planned = planColumns(header, mapping);
  if ('fault' in planned) return planned.fault;
  const { phone, variables } = planned.plan;
  return { phone, variables: Object.fromEntries(variables.map(({ name, place }) => [name, place])) };
}

describe('a plan', () => {
  test.each<[string, string[], Mapping | undefined, object]>([
    [
      'finds the number by its name',
      ['name', 'Phone Number'],
      undefined,
      { phone: 1, variables: { name: 0 } },
    ],
    ['recognises other names for it', ['Ort', 'Telefon'], undefined, { phone: 1, variables: { Ort: 0 } }],
    ['takes the likelier of two', ['number', 'phone'], undefined, { phone: 1, variables: { number: 0 } }],
    [
      'applies the given mapping',
      ['phone', 'b'],
      { b: 'phone_number' },
      { phone: 1, variables: { phone: 0 } },
    ],
    ['renames a variable', ['phone', 'b'], { b: 'name' }, { phone: 0, variables: { name: 1 } }],
    ['leaves a column out', ['phone', 'b'], { b: null }, { phone: 0, variables: {} }],
    ['leaves a column without a name out', ['phone', ''], undefined, { phone: 0, variables: {} }],
    [
      'does not take a column that was renamed',
      ['phone', 'tel'],
      { phone: 'old' },
      { phone: 1, variables: { old: 0 } },
    ],
    [
      'takes names of objects for plain names',
      ['phone', 'toString'],
      undefined,
      { phone: 0, variables: { toString: 1 } },
    ],
  ])('%s', (_, header, mapping, plan) => {
    expect(read(header, mapping)).toEqual(plan);
  });
});

describe('a plan is refused', () => {
  test.each<[string, string[], Mapping | undefined, RegExp]>([
    ['without a number', ['name', 'city'], undefined, /phone number.*name, city/],
    ['when a mapped column is missing', ['phone'], { Telefon: 'phone_number' }, /no column "Telefon".*phone/],
    ['with two numbers', ['a', 'b'], { a: 'phone_number', b: 'phone_number' }, /Only one column/],
    ['with a column twice', ['phone', 'a', 'a'], undefined, /two columns of the name "a"/],
    ['with a variable twice', ['phone', 'a', 'b'], { b: 'a' }, /the variable "a"/],
    ['with too many columns', ['phone', ...Array.from({ length: 500 }, (_, n) => `c${n}`)], undefined, /500/],
  ])('%s', (_, header, mapping, fault) => {
    expect(read(header, mapping)).toMatch(fault);
  });
});
