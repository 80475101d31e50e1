/** The settings of which versions consist, as they are stored: like in the API, but with sealed headers of tools. */
import { assistantSettingNames, type AssistantSettings } from '@parley/contracts';
import type { AssistantRow, AssistantTool } from '@parley/db';
import type { SecretBox } from '../shared/secret-box.ts';
import { resealTools, toolRecord } from '../tools/assistant-tools.ts';
import { assistantDetailsRecord } from './assistant-record.ts';

/** Never logged, never sent. */
export type StoredSettings = Omit<AssistantSettings, 'tools'> & { tools: AssistantTool[] };

/** What is stored, as plain JSON. */
export function storedSettings(row: AssistantRow): StoredSettings {
  const record = { ...assistantDetailsRecord(row, ''), tools: row.tools };
  const settings = Object.fromEntries(assistantSettingNames.map((name) => [name, record[name]]));
  return JSON.parse(JSON.stringify(settings)) as StoredSettings;
}

/** In the form of the API, without the values of headers. */
export function readableSettings(settings: StoredSettings): AssistantSettings {
  return { ...settings, tools: settings.tools.map(toolRecord) };
}

/** @returns the replaced settings of a version, sealed with the current key; null when there is nothing to seal */
export function resealReplaced(
  secretBox: SecretBox,
  replaced: Record<string, unknown>,
): Record<string, unknown> | null {
  const tools = resealTools(secretBox, (replaced as Partial<StoredSettings>).tools ?? []);
  return tools && { ...replaced, tools };
}
