/** The entries of the settings that are selected from a list. */
import { type AssistantDraft, type AssistantLookups, voicesFor } from './assistant-draft.ts';
import { secondModels } from '../assistant-labels.rules.ts';
import { type SettingName, settingOf } from './settings.rules.ts';
import { texts } from './texts.ts';

/** One entry; the value is text, as in the draft. */
export interface Option {
  value: string;
  label: string;
}

function named(entries: readonly { id: number; name: string }[]): Option[] {
  return entries.map(({ id, name }) => ({ value: String(id), label: name }));
}

function numbers(
  { phone_numbers }: AssistantLookups,
  { type, phone_number_id: own }: AssistantDraft,
): Option[] {
  // An assistant that is called needs a number of its own; one that calls may show any.
  const offered = phone_numbers.filter(
    ({ id, is_available, type_label }) =>
      type !== 'inbound' || String(id) === own || (is_available && type_label !== 'Caller ID'),
  );
  return offered.map(({ id, phone_number }) => ({ value: String(id), label: phone_number }));
}

/** The name of the selected model. */
export function modelName({ models }: AssistantLookups, { llm_model_id }: AssistantDraft): string {
  return models.find(({ id }) => String(id) === llm_model_id)?.name ?? '';
}

function fallbackModels(lookups: AssistantLookups, draft: AssistantDraft): Option[] {
  const names = lookups.models.map(({ name }) => name);
  return secondModels(names, modelName(lookups, draft)).map((value) => ({ value, label: value }));
}

/** The lists of the installation, by the setting that refers to them. */
const LISTS: Partial<Record<SettingName, (lookups: AssistantLookups, draft: AssistantDraft) => Option[]>> = {
  voice_id: (lookups, { mode }) => named(voicesFor(lookups, mode)),
  language_id: ({ languages }) => named(languages),
  llm_model_id: ({ models }) => named(models),
  fallback_llm_models: fallbackModels,
  redact: () => Object.entries(texts.redactedKinds).map(([value, label]) => ({ value, label })),
  phone_number_id: numbers,
  transcriber_provider_id: (lookups) => named(lookups.transcriber_providers),
  folder_id: ({ folders }) => named(folders),
  label_ids: ({ labels }) => named(labels),
  knowledgebase_id: ({ knowledgebases }) => named(knowledgebases),
  tool_ids: ({ tools }) => named(tools),
};

/** All entries of a setting, the one for "none" first where there is one. */
export function optionsOf(name: SettingName, lookups: AssistantLookups, draft: AssistantDraft): Option[] {
  const setting = settingOf(name);
  const labels = texts.options[name] ?? {};
  const options =
    'values' in setting
      ? setting.values.map((value) => ({ value, label: labels[value] ?? value }))
      : (LISTS[name]?.(lookups, draft) ?? []);
  const isOptional = (setting.kind === 'id' && !setting.isRequired) || setting.kind === 'optionalChoice';
  const isEmpty = setting.kind === 'id' && options.length === 0;
  return isOptional || isEmpty
    ? [{ value: '', label: texts.none[name] ?? texts.noEntry }, ...options]
    : options;
}
