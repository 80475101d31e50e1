import { expect, test } from 'vitest';
import { fieldErrors, fieldFault, fieldText, wording } from './field-wording.ts';

test.each([
  ['voice_id', wording.required, 'The voice id field is required.'],
  [
    'webhook_url',
    wording.requiredWhen('is_webhook_active is true'),
    'The webhook url field is required when is webhook active is true.',
  ],
  ['voice_id', wording.selected, 'The selected voice id is invalid.'],
  ['assistant_id', wording.integer, 'The assistant id must be an integer.'],
  ['speech_speed', wording.number, 'The speech speed must be a number.'],
  ['assistant_name', wording.string, 'The assistant name must be a string.'],
  ['variables', wording.array, 'The variables must be an array.'],
  ['record_call', wording.boolean, 'The record call field must be true or false.'],
  ['speech_speed', wording.between(0.7, 1.2), 'The speech speed must be between 0.7 and 1.2.'],
  [
    'assistant_name',
    wording.atMostCharacters(255),
    'The assistant name must not be greater than 255 characters.',
  ],
  ['page', wording.atLeast(1), 'The page must be at least 1.'],
  ['webhook_url', wording.url, 'The webhook url must be a valid URL.'],
  ['timezone', wording.timezone, 'The timezone must be a valid timezone.'],
  ['post_call_schema.0.name', wording.format, 'The post_call_schema.0.name format is invalid.'],
  ['post_call_schema.0.name', wording.required, 'The post_call_schema.0.name field is required.'],
  [
    'end_call_tool.description',
    wording.atMostCharacters(500),
    'The end call tool.description must not be greater than 500 characters.',
  ],
])('%s: %s', (field, template, text) => {
  expect(fieldText(field, template)).toBe(text);
});

test('several faults of one field stand together, each once, under the path joined by dots', () => {
  const issues = [
    { path: ['post_call_schema', 0, 'name'], message: wording.required },
    { path: ['voice_id'], message: wording.integer },
    { path: ['post_call_schema', 0, 'name'], message: wording.format },
    { path: ['voice_id'], message: wording.integer },
  ];
  expect(fieldErrors(issues)).toEqual({
    'post_call_schema.0.name': [
      'The post_call_schema.0.name field is required.',
      'The post_call_schema.0.name format is invalid.',
    ],
    voice_id: ['The voice id must be an integer.'],
  });
});

test('a use case words its own errors in the same way', () => {
  expect(fieldFault('phone_number_id', wording.selected)).toEqual({
    phone_number_id: ['The selected phone number id is invalid.'],
  });
});
