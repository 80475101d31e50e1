import { describe, expect, it } from 'vitest';
import { faultsBelow, faultsOfLines } from './field-faults.rules.ts';

const faults = {
  'tools.2.max_digits': ['The tools.2.max_digits must be between 1 and 32.'],
  'tools.2.headers.0.value': ['The tools.2.headers.0.value field is required.'],
  'tools.20.name': ['The tools.20.name format is invalid.'],
  name: ['The name field is required.'],
};

describe('faults of nested fields', () => {
  it('are named from where the form begins, and so are the fields inside their sentences', () => {
    expect(faultsBelow(faults, 'tools.2')).toEqual({
      max_digits: ['The max digits must be between 1 and 32.'],
      'headers.0.value': ['The value field is required.'],
    });
  });

  it('of list entries are shown at the field of the list, with their line', () => {
    const given = {
      'models.0.name': ['The models.0.name field is required.'],
      'models.3.name': ['The models.3.name field has a duplicate value.'],
      models: ['The models must be an array.'],
      name: ['The name field is required.'],
    };
    expect(faultsOfLines(given, 'models')).toEqual({
      models: [
        'Line 1: The name field is required.',
        'Line 4: The name field has a duplicate value.',
        'The models must be an array.',
      ],
      name: ['The name field is required.'],
    });
  });

  it('of a list without names are called by the name of the list', () => {
    const given = { 'allowed_tools.1': ['The allowed_tools.1 field is required.'] };
    expect(faultsOfLines(given, 'allowed_tools')).toEqual({
      allowed_tools: ['Line 2: The allowed tools field is required.'],
    });
  });
});
