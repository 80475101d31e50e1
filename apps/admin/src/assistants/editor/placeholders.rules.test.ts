import { describe, expect, it } from 'vitest';
import { knownVariables } from './known-variables.rules.ts';
import { partsOf, unknownNames } from './placeholders.rules.ts';

describe('the variables of a prompt', () => {
  it('are found with their place, and nothing is lost', () => {
    const text = 'Hi {{ name }}, from {{city|Bonn}}.';
    expect(
      partsOf(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
    expect(partsOf(text).flatMap(({ name, at }) => (name === undefined ? [] : [[name, at]]))).toEqual([
      ['name', 3],
      ['city', 20],
    ]);
  });

  it('are named when they have no value before the call', () => {
    const text = '{{name}} {{name}} {{city|Bonn}} {{customer.city}} {{now}} {{code}}';
    const variables = [{ name: ' customer ', value: '{}' }];
    const tools = [
      {
        type: 'collect_keypad' as const,
        data: { name: 'x', max_digits: 1, terminator: '#' as const, timeout_seconds: 5, variable: 'code' },
      },
    ];
    const known = knownVariables({ variables }, { built_in_variables: ['now'] }, tools);
    expect(unknownNames(text, known)).toEqual(['name']);
  });
});
