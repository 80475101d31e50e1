import { assistantSettingNames, type AssistantSettings } from '@parley/contracts';
import { describe, expect, it } from 'vitest';
import type { AssistantLookups } from '../editor/assistant-draft.ts';
import { differences, settingLabel, settingText } from './setting-values.rules.ts';

const lookups = {
  voices: [{ id: 3, name: 'Ada' }],
  models: [],
  languages: [],
  tools: [{ id: 1, name: 'look_up' }],
  transcriber_providers: [],
  phone_numbers: [{ id: 9, phone_number: '+12025550142' }],
} as unknown as AssistantLookups;

describe('the settings of a version in words', () => {
  it('have a name each', () => {
    expect(assistantSettingNames.filter((name) => settingLabel(name) === name)).toEqual([]);
  });

  it.each([
    ['voice_id', 3, 'Ada'],
    ['voice_id', 4, '#4'],
    ['phone_number_id', 9, '+12025550142'],
    ['tool_ids', [1, 2], 'look_up, #2'],
    ['phone_number_id', null, '–'],
    ['variables', {}, '–'],
    ['variables', { a: 1 }, '{\n  "a": 1\n}'],
    ['fillers', 0, 'No'],
    ['record', true, 'Yes'],
    ['llm_temperature', '1.0', '1'],
    ['ambient_sound', 'cafe', 'Café'],
    ['redact', ['email'], 'Email addresses'],
  ])('%s %j is %s', (name, value, text) => {
    expect(settingText(name, value, lookups)).toBe(text);
  });

  it('differ by value, not by the order of keys', () => {
    const now = { name: 'Anna', variables: { a: 1, b: 2 }, voice_id: 3 } as unknown as AssistantSettings;
    const version = { ...now, name: 'Berta', variables: { b: 2, a: 1 } };
    expect(differences(version, now, lookups)).toEqual([
      { name: 'name', label: 'Name', now: 'Anna', version: 'Berta' },
    ]);
  });
});
