import { describe, expect, it } from 'vitest';
import { interpolate } from './variables.rules.ts';

const variables = {
  name: 'Ada',
  age: 36,
  isMember: false,
  nothing: null,
  empty: '',
  customer: { city: 'Paris', tags: ['a', 'b'] },
  'customer.city': 'the key with a dot',
  sneaky: '{{name}}',
};

describe('interpolate', () => {
  it.each([
    ['a name stands for its value', 'Hello {{name}}!', 'Hello Ada!'],
    ['spaces inside the braces do not matter', 'Hello {{ name }}!', 'Hello Ada!'],
    ['numbers and truth values become text', '{{age}} {{isMember}}', '36 false'],
    ['a key with a dot wins over the path', '{{customer.city}}', 'the key with a dot'],
    ['a path goes into objects and lists', '{{customer.tags.1}}', 'b'],
    ['a list is written as JSON', '{{customer.tags}}', '["a","b"]'],
    ['a default is not used where there is a value', '{{name|friend}}', 'Ada'],
    ['a default stands in for an unknown name', 'Hello {{title| friend }}!', 'Hello friend!'],
    ['a default stands in for null and empty values', '{{nothing|x}}{{empty|y}}', 'xy'],
    ['an empty default is a default', '[{{title|}}]', '[]'],
    ['a value is never interpolated again', '{{sneaky}}', '{{name}}'],
    ['single braces are text', '{name} { {name} }', '{name} { {name} }'],
    ['an open placeholder is text', 'Hello {{name', 'Hello {{name'],
  ])('%s', (_sentence, template, expected) => {
    expect(interpolate(template, variables)).toEqual({ text: expected, unknownNames: [] });
  });

  it('an unknown name stands as nothing and is reported once', () => {
    expect(interpolate('{{x}}-{{x}}-{{nothing}}', variables)).toEqual({
      text: '--',
      unknownNames: ['x', 'nothing'],
    });
  });

  it.each(['constructor', '__proto__', 'toString', 'customer.constructor.name', 'name.length'])(
    'inherited property %s is an unknown name',
    (name) => {
      expect(interpolate(`{{${name}}}`, variables)).toEqual({ text: '', unknownNames: [name] });
    },
  );

  it('a __proto__ key that is plain data can be read', () => {
    const parsed = JSON.parse('{"__proto__": "data"}') as Record<string, unknown>;
    expect(interpolate('{{__proto__}}', parsed).text).toBe('data');
  });

  it('a long value that is named often fills the text up to a limit, and is reported then', () => {
    const long = { a: 'x'.repeat(60_000), b: 'short' };
    const { text, unknownNames } = interpolate('{{a}}'.repeat(12_000) + '{{b}}', long);
    expect(text).toBe('x'.repeat(180_000) + 'short');
    expect(unknownNames).toEqual(['a']);
  });

  it('a hostile template costs no more than its length', () => {
    const template = '{{'.repeat(50_000) + '{{a|'.repeat(50_000);
    expect(interpolate(template, variables)).toEqual({ text: template, unknownNames: [] });
  });
});
