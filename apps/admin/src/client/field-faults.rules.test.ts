import { describe, expect, it } from 'vitest';
import { faultsBelow, faultsOfLines, readableName, unseenMessage } from './field-faults.rules.ts';

describe('errors of nested fields', () => {
  it('are named relative to the part that the form edits', () => {
    const faults = {
      'tools.2.max_digits': ['Enter a number between 1 and 32.'],
      'tools.2.headers.0.value': ['Fill in this field.'],
      'tools.20.name': ['This value is not valid.'],
      name: ['Fill in this field.'],
    };
    expect(faultsBelow(faults, 'tools.2')).toEqual({
      max_digits: ['Enter a number between 1 and 32.'],
      'headers.0.value': ['Fill in this field.'],
    });
  });

  it('of list entries are shown at the field of the list, with their line', () => {
    const faults = {
      'models.0.name': ['Fill in this field.'],
      'models.3.name': ['This value is used more than once.'],
      models: ['Enter at most 9 entries.'],
      name: ['Fill in this field.'],
    };
    expect(faultsOfLines(faults, 'models')).toEqual({
      models: [
        'Line 1: Fill in this field.',
        'Line 4: This value is used more than once.',
        'Enter at most 9 entries.',
      ],
      name: ['Fill in this field.'],
    });
  });

  it.each([
    ['retry_interval', 'retry interval'],
    ['tools.2.max_digits', 'max digits'],
    ['allowed_tools.1', 'allowed tools'],
  ])('of %s are about the %s', (path, name) => {
    expect(readableName(path)).toBe(name);
  });
});

describe('what remains of an error beside the messages at the fields', () => {
  const fields = { name: ['Fill in this field.'], assistant_id: ['The assistant is not active.'] };

  it.each<[string, Record<string, string[]>, string[] | undefined, string | null]>([
    ['the message, when no field is named', {}, [], 'Invalid'],
    ['nothing, when all fields show theirs', fields, undefined, null],
    ['nothing, when each of them is shown', fields, ['name', 'assistant_id'], null],
    ['the others, with their names', fields, ['name'], 'assistant id: The assistant is not active.'],
  ])('is %s', (_what, named, shown, left) => {
    expect(unseenMessage({ message: 'Invalid', fields: named }, shown)).toBe(left);
  });
});
