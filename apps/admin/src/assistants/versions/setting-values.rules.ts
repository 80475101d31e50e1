/** The settings of versions in words, and which of them differ. */
import type { AssistantSettings } from '@parley/contracts';
import type { AssistantLookups } from '../editor/assistant-draft.ts';
import { isSetting, type SettingName, settingOf } from '../editor/settings.rules.ts';
import { texts as editorTexts } from '../editor/texts.ts';
import { texts } from './texts.ts';

/** The name of a setting of a version. */
export type VersionedName = keyof AssistantSettings;

/** A setting whose value in a version is not the present one. Both are texts. */
export interface Difference {
  name: VersionedName;
  label: string;
  now: string;
  version: string;
}

/** The name of a setting, which says more than its label where that needs its group. */
export function settingLabel(name: string): string {
  return texts.labels[name] ?? (isSetting(name) ? editorTexts.labels[name] : name);
}

/** In the order of the version. Tools that differ in a header's value only are equal here, because values are not sent. */
export function differences(
  version: AssistantSettings,
  now: AssistantSettings,
  lookups: AssistantLookups,
): Difference[] {
  const names = Object.keys(version) as VersionedName[];
  return names
    .filter((name) => canonical(version[name]) !== canonical(now[name]))
    .map((name) => ({
      name,
      label: settingLabel(name),
      now: settingText(name, now[name], lookups),
      version: settingText(name, version[name], lookups),
    }));
}

/** A value as text. Ids become names; objects become JSON. */
export function settingText(name: string, value: unknown, lookups: AssistantLookups): string {
  if (isEmpty(value)) return texts.none;
  const kind = isSetting(name) ? settingOf(name).kind : null;
  if (kind === 'switch') return value ? texts.yes : texts.no;
  if (kind === 'number') return String(Number(value));
  if (kind === 'id') return nameOf(name, value, lookups);
  if (kind === 'ids') return (value as unknown[]).map((id) => nameOf(name, id, lookups)).join(', ');
  if (kind === 'names') return (value as string[]).map((one) => redactedLabel(one)).join(', ');
  if (typeof value === 'string') return editorTexts.options[name]?.[value] ?? value;
  return JSON.stringify(value, null, 2);
}

const LISTS: Partial<
  Record<SettingName, (lookups: AssistantLookups) => readonly { id: number; name: string }[]>
> = {
  voice_id: ({ voices }) => voices,
  language_id: ({ languages }) => languages,
  llm_model_id: ({ models }) => models,
  transcriber_provider_id: (lookups) => lookups.transcriber_providers,
  tool_ids: ({ tools }) => tools,
  phone_number_id: (lookups) => lookups.phone_numbers.map(({ id, phone_number: name }) => ({ id, name })),
};

function nameOf(name: string, id: unknown, lookups: AssistantLookups): string {
  const list = LISTS[name as SettingName]?.(lookups) ?? [];
  return list.find((entry) => entry.id === id)?.name ?? `#${String(id)}`;
}

function redactedLabel(name: string): string {
  return (editorTexts.redactedKinds as Partial<Record<string, string>>)[name] ?? name;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** The same for objects that differ in the order of their keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
