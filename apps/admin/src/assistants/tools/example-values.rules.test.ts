import { expect, it } from 'vitest';
import { exampleArguments, exampleVariables } from './example-values.rules.ts';

it('makes an argument of each type', () => {
  const schema = {
    type: 'object',
    properties: {
      day: { type: 'string' },
      kind: { type: 'string', enum: ['table', 'room'] },
      guests: { type: 'integer', minimum: 2 },
      price: { type: ['number', 'null'] },
      isOutside: { type: 'boolean', default: false },
      isQuiet: { type: 'boolean' },
      names: { type: 'array' },
      who: { type: 'object', properties: { name: { type: 'string' } } },
      any: {},
    },
  };
  expect(exampleArguments(schema)).toEqual({
    day: 'example',
    kind: 'table',
    guests: 2,
    price: 1,
    isOutside: false,
    isQuiet: true,
    names: [],
    who: { name: 'example' },
    any: 'example',
  });
  expect([exampleArguments(null), exampleArguments({ properties: 'x' })]).toEqual([{}, expect.any(Object)]);
});

it('has the variables of the address', () => {
  expect(exampleVariables('https://shop.example/{{place}}/{{day|monday}}')).toEqual({
    place: 'example',
    day: 'example',
  });
});
