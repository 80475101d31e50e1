import { expect, it } from 'vitest';
import { checkArguments } from './tool-arguments.rules.ts';

const BOOKING = {
  type: 'object',
  properties: {
    day: { type: 'string', minLength: 1, maxLength: 10 },
    guests: { type: 'integer', minimum: 1, maximum: 20 },
    room: { enum: ['garden', 'hall'] },
    wishes: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    contact: { type: 'object', properties: { name: { type: ['string', 'null'] } }, required: ['name'] },
  },
  required: ['day'],
};

it.each([
  ['what is required', { day: 'Monday' }],
  ['everything', { day: 'M', guests: 20, room: 'hall', wishes: ['a', 'b'], contact: { name: null } }],
])('%s fits', (_sentence, given) => {
  expect(checkArguments(BOOKING, given)).toEqual({ arguments: given });
});

it.each([
  ['a missing name', {}, 'day is missing'],
  ['a wrong type', { day: 5 }, 'day must be of type string'],
  ['a fraction', { day: 'M', guests: 1.5 }, 'guests must be of type integer'],
  ['too little', { day: 'M', guests: 0 }, 'guests is below minimum'],
  ['too much', { day: 'M', guests: 21 }, 'guests is above maximum'],
  ['an empty text', { day: '' }, 'day is below minLength'],
  ['a text that is too long', { day: 'x'.repeat(11) }, 'day is above maxLength'],
  ['no choice of the list', { day: 'M', room: 'roof' }, 'room must be one of ["garden","hall"]'],
  ['a list that is too long', { day: 'M', wishes: ['', '', ''] }, 'wishes is above maxItems'],
  ['an item of a wrong type', { day: 'M', wishes: ['a', 1] }, 'wishes.1 must be of type string'],
  ['a part that lacks a name', { day: 'M', contact: {} }, 'contact.name is missing'],
  ['a list', [], 'The arguments must be of type object'],
  ['nothing', null, 'The arguments must be of type object'],
  ['text', 'Monday', 'The arguments must be of type object'],
])('%s does not fit', (_sentence, given, fault) => {
  expect(checkArguments(BOOKING, given)).toEqual({ fault });
});

it('leaves out what is not declared', () => {
  expect(checkArguments(BOOKING, { day: 'M', admin: true })).toEqual({ arguments: { day: 'M' } });
});

it.each(['__proto__', 'constructor', 'toString'])('takes %s for a name like any other', (name) => {
  const given: unknown = JSON.parse(`{ "day": "M", "${name}": { "isAdmin": true } }`);
  expect(checkArguments(BOOKING, given)).toEqual({ arguments: { day: 'M' } });
  const schema: Record<string, unknown> = JSON.parse(`{ "properties": { "${name}": { "type": "object" } } }`);
  const checked = checkArguments(schema, given);
  expect('arguments' in checked && Object.keys(checked.arguments)).toEqual([name]);
  expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
  expect(checkArguments({ required: [name] }, {})).toEqual({ fault: `${name} is missing` });
});

it('does not follow a nesting without end', () => {
  const schema: Record<string, unknown> = { type: 'object' };
  schema['properties'] = { inner: schema };
  const given: Record<string, unknown> = {};
  given['inner'] = given;
  expect(checkArguments(schema, given)).toMatchObject({ fault: expect.stringMatching(/so deep/) as string });
});
