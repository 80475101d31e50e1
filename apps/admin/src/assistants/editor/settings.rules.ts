/**
 * Every setting of an assistant that the editor shows, under its read name, with its kind of field and its limits. The
 * draft, the request body and the fields are derived from this table; a test compares it with the API document.
 */
import type { AssistantDetailsRecord } from '@parley/contracts';

/** Limits of a number, shown beside its field. The server validates them. */
interface NumberSetting {
  kind: 'number';
  min: number;
  max: number;
  step: number;
  isSeconds?: true;
}

/** One setting. */
export type Setting =
  | { kind: 'text' | 'prompt'; maximum?: number; isRequired?: true }
  | { kind: 'optionalText'; maximum: number }
  | { kind: 'address' | 'switch' | 'timeZone' | 'variables' | 'postCallSchema' | 'fillers' | 'widget' }
  /** An entry of a list of the installation; `isRequired` excludes "none". */
  | { kind: 'id'; isRequired?: true }
  | { kind: 'ids' | 'names'; maximum: number }
  | { kind: 'choice'; values: readonly string[] }
  /** A choice of which none can be made. */
  | { kind: 'optionalChoice'; values: readonly string[] }
  | NumberSetting;

type Settings = Partial<Record<keyof AssistantDetailsRecord, Setting>>;

const seconds = (min: number, max: number, step = 1) =>
  ({ kind: 'number', min, max, step, isSeconds: true }) as const;
const decimal = (min: number, max: number) => ({ kind: 'number', min, max, step: 0.1 }) as const;
const flag = { kind: 'switch' } as const;

/** The settings by the names under which the API returns them. */
export const SETTINGS = {
  name: { kind: 'text', maximum: 255, isRequired: true },
  type: { kind: 'choice', values: ['outbound', 'inbound'] },
  status: { kind: 'choice', values: ['active', 'inactive'] },
  language_id: { kind: 'id', isRequired: true },
  timezone: { kind: 'timeZone' },
  initial_message: { kind: 'prompt', isRequired: true },
  system_prompt: { kind: 'prompt', isRequired: true },
  disclosure_message: { kind: 'optionalText', maximum: 1000 },
  variables: { kind: 'variables' },
  wait_for_customer: flag,
  initial_message_delay: seconds(0, 10, 0.1),
  initial_message_interruptible: flag,
  mode: { kind: 'choice', values: ['pipeline', 'multimodal'] },
  voice_id: { kind: 'id', isRequired: true },
  speech_speed: decimal(0.7, 1.2),
  voice_stability: decimal(0, 1),
  voice_similarity: decimal(0, 1),
  ambient_sound: {
    kind: 'choice',
    values: ['off', 'office', 'city', 'forest', 'crowded_room', 'cafe', 'nature'],
  },
  ambient_sound_volume: decimal(0, 1),
  transcriber_provider_id: { kind: 'id' },
  endpoint_type: { kind: 'choice', values: ['vad', 'ai'] },
  endpoint_sensitivity: seconds(0, 5, 0.1),
  enable_noise_cancellation: flag,
  allow_interruptions: flag,
  interrupt_sensitivity: seconds(0, 5, 0.1),
  min_interrupt_words: { kind: 'number', min: 0, max: 10, step: 1 },
  fillers: flag,
  filler_config: { kind: 'fillers' },
  llm_model_id: { kind: 'id', isRequired: true },
  fallback_llm_models: { kind: 'names', maximum: 3 },
  llm_temperature: decimal(0, 1),
  knowledgebase_id: { kind: 'id' },
  knowledgebase_mode: { kind: 'optionalChoice', values: ['function_call', 'prompt'] },
  tool_ids: { kind: 'ids', maximum: 32 },
  phone_number_id: { kind: 'id' },
  redact: { kind: 'names', maximum: 3 },
  opt_out_key: {
    kind: 'optionalChoice',
    values: ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#'],
  },
  max_duration: seconds(20, 1200),
  max_silence_duration: seconds(1, 120),
  reengagement_interval: seconds(7, 600),
  end_call_on_voicemail: flag,
  record: flag,
  post_call_evaluation: flag,
  post_call_schema: { kind: 'postCallSchema' },
  is_webhook_active: flag,
  webhook_url: { kind: 'address' },
  send_webhook_only_on_completed: flag,
  include_recording_in_webhook: flag,
  inbound_webhook_url: { kind: 'address' },
  conversation_ended_webhook_url: { kind: 'address' },
  conversation_inactivity_timeout: { kind: 'number', min: 1, max: 10_080, step: 1 },
  conversation_ended_retrigger: flag,
  folder_id: { kind: 'id' },
  label_ids: { kind: 'ids', maximum: 100 },
  widget_settings: { kind: 'widget' },
} as const satisfies Settings;

/** The read name of a setting. */
export type SettingName = keyof typeof SETTINGS;

/** In the order of the table. */
export const settingNames = Object.keys(SETTINGS) as SettingName[];

/** A setting, without the literal types of the table. */
export function settingOf(name: SettingName): Setting {
  return SETTINGS[name];
}

/** Whether a field of the API is a setting with a field in the editor. */
export function isSetting(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}
