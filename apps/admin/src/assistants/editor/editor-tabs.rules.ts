/** The settings on each tab of the editor, and the tabs with faults. */
import { type EditorTab, tabNames } from './editor-search.rules.ts';
import { isSetting, type SettingName } from './settings.rules.ts';
import { texts } from './texts.ts';

/** A titled group of fields. */
export interface SettingGroup {
  title: string;
  names: readonly SettingName[];
}

const { groups } = texts;

/** In the order in which they are shown. The assistant's own tools have a section instead of a field. */
export const TABS: Readonly<Record<EditorTab, readonly SettingGroup[]>> = {
  conversation: [
    { title: groups.basics, names: ['name', 'type', 'status', 'language_id', 'timezone'] },
    { title: groups.prompt, names: ['initial_message', 'system_prompt'] },
    { title: groups.variables, names: ['variables'] },
    {
      title: groups.opening,
      names: [
        'disclosure_message',
        'initial_message_delay',
        'wait_for_customer',
        'initial_message_interruptible',
      ],
    },
  ],
  voice: [
    {
      title: groups.voice,
      names: [
        'mode',
        'voice_id',
        'speech_speed',
        'voice_stability',
        'voice_similarity',
        'ambient_sound',
        'ambient_sound_volume',
      ],
    },
    {
      title: groups.hearing,
      names: [
        'transcriber_provider_id',
        'endpoint_type',
        'endpoint_sensitivity',
        'enable_noise_cancellation',
      ],
    },
    {
      title: groups.interruptions,
      names: ['interrupt_sensitivity', 'min_interrupt_words', 'allow_interruptions'],
    },
    { title: groups.fillers, names: ['fillers', 'filler_config'] },
  ],
  model: [
    { title: groups.model, names: ['llm_model_id', 'fallback_llm_models', 'llm_temperature'] },
    { title: groups.knowledge, names: ['knowledgebase_id', 'knowledgebase_mode'] },
  ],
  tools: [{ title: groups.accountTools, names: ['tool_ids'] }],
  phone: [
    { title: groups.phone, names: ['phone_number_id', 'opt_out_key'] },
    {
      title: groups.limits,
      names: ['max_duration', 'max_silence_duration', 'reengagement_interval', 'end_call_on_voicemail'],
    },
  ],
  after: [
    { title: groups.recording, names: ['record', 'redact'] },
    { title: groups.evaluation, names: ['post_call_evaluation', 'post_call_schema'] },
  ],
  webhook: [
    {
      title: groups.webhook,
      names: [
        'is_webhook_active',
        'webhook_url',
        'send_webhook_only_on_completed',
        'include_recording_in_webhook',
      ],
    },
    { title: groups.inboundWebhook, names: ['inbound_webhook_url'] },
    {
      title: groups.writtenConversations,
      names: [
        'conversation_ended_webhook_url',
        'conversation_inactivity_timeout',
        'conversation_ended_retrigger',
      ],
    },
  ],
  widget: [{ title: groups.widget, names: ['widget_settings'] }],
  advanced: [{ title: groups.organisation, names: ['folder_id', 'label_ids'] }],
};

/** Write names in messages of the server, and the settings that they concern. */
const WRITE_NAMES: Readonly<Record<string, SettingName>> = {
  assistant_name: 'name',
  language: 'language_id',
  llm_model: 'llm_model_id',
  calls_direction: 'type',
  engine_type: 'mode',
};

/** The field that shows a message of the server: the one of the setting, or of a part of it that has a field of its own. */
function fieldPath(path: string): string {
  const [root = '', ...rest] = path.split('.');
  const name = WRITE_NAMES[root] ?? root;
  if (!isSetting(name)) return path;
  if (name === 'post_call_schema') return path;
  // Origins are lines of one field.
  if (name === 'widget_settings') return path.replace(/(\.allowed_origins)\..*$/, '$1');
  return name === 'filler_config' ? [name, ...rest.slice(0, 1)].join('.') : name;
}

/** Messages by the paths of the editor's fields. */
export function faultsOfFields(faults: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(faults).map(([path, text]) => [fieldPath(path), text]));
}

/** The paths of messages that the field of a whole setting shows. Messages of parts are repeated outside of the fields. */
export function shownNames(faults: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(faults).filter((path) => isSetting(fieldPath(path)));
}

/** The tabs with a field that has a message. A message may concern a part of a field: `post_call_schema.0.name`. */
export function tabsWithFaults(errors: Readonly<Record<string, unknown>>): EditorTab[] {
  const names = new Set(Object.keys(errors).map((path) => path.split('.')[0]));
  return tabNames.filter((tab) => TABS[tab].some((group) => group.names.some((name) => names.has(name))));
}
