import { createAssistantBody, newTrunkBody } from '@parley/contracts';
import { describe, expect, it } from 'vitest';
import { fieldMessage } from './field-messages.rules.ts';

describe('a message beside a field', () => {
  it.each([
    ['The initial message field is required.', 'Fill in this field.'],
    ['The webhook url field is required when is webhook active is true.', 'Fill in this field.'],
    ['The host format is invalid.', 'This value is not valid.'],
    ['The selected voice id is invalid.', 'Select one of the available options.'],
    ['The max calls must be between 1 and 32.', 'Enter a number between 1 and 32.'],
    ['The port must be at least 1.', 'Enter 1 or more.'],
    ['The name must not be greater than 255 characters.', 'Enter at most 255 characters.'],
    ['The port must not be greater than 65535.', 'Enter 65535 or less.'],
    ['The tools must not have more than 32 items.', 'Enter at most 32 entries.'],
    ['Invalid phone number', 'Enter a valid phone number with country code, such as +1 212 555 0123.'],
  ])('%s becomes %s', (message, text) => {
    expect(fieldMessage(message)).toBe(text);
  });

  it('without a fixed wording is unchanged', () => {
    expect(fieldMessage('The provider refuses this key.')).toBe('The provider refuses this key.');
  });

  it.each([
    ['an empty assistant', createAssistantBody.safeParse({})],
    ['an empty trunk', newTrunkBody.safeParse({})],
    [
      'a trunk of wrong values',
      newTrunkBody.safeParse({ name: 'x'.repeat(999), host: ' ', port: 'a', max_calls: 0 }),
    ],
  ])('never repeats the name of the field for %s', (_, { error }) => {
    expect(error?.issues.length).toBeGreaterThan(1);
    expect(
      error?.issues.map(({ message }) => fieldMessage(message)).filter((text) => text.startsWith('The ')),
    ).toEqual([]);
  });
});
