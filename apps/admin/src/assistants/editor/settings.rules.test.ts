/** Every setting of the API can be set in the app: the document of the API is compared with the editor's fields. */
import { api, assistantDefaults, createOpenApi, webhookPayloads } from '@parley/contracts';
import { describe, expect, it } from 'vitest';
import { NEW_ASSISTANT } from './assistant-draft.ts';
import { TABS } from './editor-tabs.rules.ts';
import { type SettingName, settingNames, settingOf } from './settings.rules.ts';
import { texts } from './texts.ts';

interface Property {
  type?: string | string[];
  enum?: readonly string[];
  anyOf?: Property[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
}

function propertiesOfTheApi(): Record<string, Property> {
  const document = createOpenApi({
    contract: api,
    webhooks: webhookPayloads,
    version: '1.0.0',
    serverUrl: 'https://parley.example',
  });
  const { components } = JSON.parse(JSON.stringify(document)) as {
    components: { schemas: { AssistantChanges: { properties: Record<string, Property> } } };
  };
  return components.schemas.AssistantChanges.properties;
}

const properties = propertiesOfTheApi();

/** The other name of a setting, and the setting. */
const SECOND_NAMES: Readonly<Record<string, SettingName>> = {
  assistant_name: 'name',
  language: 'language_id',
  llm_model: 'llm_model_id',
  engine_type: 'mode',
  calls_direction: 'type',
  filler_audios: 'fillers',
  re_engagement_interval: 'reengagement_interval',
  max_call_duration: 'max_duration',
  noise_cancellation: 'enable_noise_cancellation',
  record_call: 'record',
  who_speaks_first: 'wait_for_customer',
  // False means 0 words.
  use_min_interrupt_words: 'min_interrupt_words',
};

/** The section of the tools writes them. */
const IN_TOOLS = ['tools', 'end_call_tool', 'end_call_tool.description'];

/** A setting that is not implemented accepts null only. */
function isImplemented(name: string): boolean {
  const { type, anyOf } = properties[name] ?? {};
  const types = anyOf ? anyOf.map((option) => option.type) : [type].flat();
  return types.some((one) => one !== 'null');
}

/** The value's own rules, without "or null". */
function rulesOf(name: string): Property {
  const property = properties[name] ?? {};
  return { ...property, ...property.anyOf?.find(({ type }) => type !== 'null') };
}

describe('the assistant editor and the API', () => {
  it('has a field for each setting of the API, and for nothing else', () => {
    const others = new Set([...Object.keys(SECOND_NAMES), ...IN_TOOLS]);
    const settable = Object.keys(properties).filter((name) => isImplemented(name) && !others.has(name));
    expect(settingNames.toSorted()).toEqual(settable.toSorted());
    expect([...others].filter((name) => !(name in properties))).toEqual([]);
  });

  it('shows each setting once', () => {
    const shown = Object.values(TABS).flatMap((groups) => groups.flatMap(({ names }) => names));
    expect(shown.toSorted()).toEqual(settingNames.toSorted());
  });

  it.each(settingNames)('%s has the limits and the values of the API', (name) => {
    const setting = settingOf(name);
    const rules = rulesOf(name);
    if (setting.kind === 'number') expect([setting.min, setting.max]).toEqual([rules.minimum, rules.maximum]);
    if ('maximum' in setting) expect(setting.maximum).toBe(rules.maxLength ?? rules.maxItems);
    if (!('values' in setting)) return expect(rules.enum).toBeUndefined();
    return expect(setting.values.toSorted()).toEqual(rules.enum?.toSorted());
  });

  it.each(settingNames)('%s has a label, and its values have names', (name) => {
    expect(texts.labels[name]).not.toBe('');
    const setting = settingOf(name);
    const named = Object.keys(texts.options[name] ?? {});
    if (setting.kind === 'choice') expect(named.toSorted()).toEqual(setting.values.toSorted());
  });

  it('begins with the defaults of the API', () => {
    const shown = Object.fromEntries(
      Object.entries(NEW_ASSISTANT)
        .filter(([name]) => name !== 'type')
        .map(([name, value]) => [
          name,
          typeof value === 'string' && !Number.isNaN(Number(value)) ? Number(value) : value,
        ]),
    );
    expect(shown).toEqual({
      ...assistantDefaults,
      redact: [],
      fillers: Number(assistantDefaults.fillers),
      end_call_on_voicemail: Number(assistantDefaults.end_call_on_voicemail),
    });
  });
});
