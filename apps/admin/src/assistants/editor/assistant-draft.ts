/** The draft of the editor, and its conversion from the record and to the request body of the API. */
import type { AssistantDetailsRecord } from '@parley/contracts';
import type { UseFormReturnType } from '@mantine/form';
import type { AppRouter } from '@parley/api/router';
import type { inferRouterOutputs } from '@trpc/server';
import { allVariables, type VariableRow, variableRows } from '../../leads/lead-draft.rules.ts';
import { type Setting, type SettingName, settingNames, settingOf, SETTINGS } from './settings.rules.ts';
import { texts } from './texts.ts';
import { readWidget, type WidgetDraft, writeWidget } from './widget-draft.ts';

/** The lists of the form. */
export type AssistantLookups = inferRouterOutputs<AppRouter>['lookups']['all'];

type PostCallField = AssistantDetailsRecord['post_call_schema'][number];
/** The kinds of filler words. */
export type FillerKind = keyof AssistantDetailsRecord['filler_config'];

/** Numbers and ids are text, which the server accepts; empty means none. */
interface ValueOfKind {
  text: string;
  prompt: string;
  optionalText: string;
  address: string;
  switch: boolean;
  timeZone: string;
  id: string;
  ids: string[];
  names: string[];
  choice: string;
  optionalChoice: string;
  number: string;
  variables: VariableRow[];
  postCallSchema: PostCallField[];
  /** One phrase per line. */
  fillers: Record<FillerKind, string>;
  widget: WidgetDraft;
}

/** The form's values. */
export type AssistantDraft = { [Name in SettingName]: ValueOfKind[(typeof SETTINGS)[Name]['kind']] };

/** The state of the form, which its fields share. */
export type AssistantDraftForm = UseFormReturnType<AssistantDraft>;

type Stored = Partial<Pick<AssistantDetailsRecord, SettingName>>;

const FILLER_KINDS: readonly FillerKind[] = ['neutral', 'positive', 'negative', 'question'];

const EMPTY_FILLERS = { neutral: [], negative: [], positive: [], question: [] };

/** How a stored value is shown, by kind of field. */
const READERS: { [Kind in Setting['kind']]: (value: unknown) => ValueOfKind[Kind] } = {
  text: asText,
  prompt: asText,
  optionalText: asText,
  address: asText,
  switch: Boolean,
  timeZone: asText,
  id: asText,
  ids: (value) => ((value ?? []) as number[]).map(String),
  names: (value) => [...((value ?? []) as string[])],
  choice: asText,
  optionalChoice: asText,
  // The API sends `1.0` for 1.
  number: (value) => String(Number(value)),
  variables: (value) => variableRows((value ?? {}) as Record<string, unknown>),
  postCallSchema: (value) => ((value ?? []) as PostCallField[]).map((field) => ({ ...field })),
  fillers: (value) => {
    const lists = (value ?? EMPTY_FILLERS) as AssistantDetailsRecord['filler_config'];
    const entries = FILLER_KINDS.map((kind) => [kind, lists[kind].join('\n')]);
    return Object.fromEntries(entries) as Record<FillerKind, string>;
  },
  widget: readWidget,
};

function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The fields of a stored assistant, or of the given settings of a new one. */
export function draftOf(stored: Stored): AssistantDraft {
  const entries = settingNames.map((name) => [name, READERS[settingOf(name).kind](stored[name])]);
  return Object.fromEntries(entries) as AssistantDraft;
}

/** Voices of one engine. */
export function voicesFor({ voices }: AssistantLookups, mode: string): AssistantLookups['voices'] {
  return voices.filter((voice) => voice.mode === mode);
}

/** The server's defaults. They are repeated here to keep the contract out of the bundle; a test compares them. */
export const NEW_ASSISTANT = {
  status: 'active',
  type: 'outbound',
  wait_for_customer: false,
  initial_message_delay: 1,
  initial_message_interruptible: true,
  speech_speed: '1.0',
  voice_stability: '0.7',
  voice_similarity: '0.5',
  ambient_sound: 'off',
  ambient_sound_volume: '0.5',
  endpoint_type: 'vad',
  endpoint_sensitivity: 0.5,
  enable_noise_cancellation: true,
  allow_interruptions: true,
  interrupt_sensitivity: 0.5,
  min_interrupt_words: 0,
  fillers: 0,
  llm_temperature: '0.1',
  opt_out_key: null,
  disclosure_message: null,
  redact: [],
  max_duration: 600,
  max_silence_duration: 40,
  reengagement_interval: 30,
  end_call_on_voicemail: 1,
  record: false,
  post_call_evaluation: true,
  post_call_schema: [
    { name: 'status', type: 'bool', description: texts.schema.defaults.status },
    { name: 'summary', type: 'string', description: texts.schema.defaults.summary },
  ],
  is_webhook_active: false,
  send_webhook_only_on_completed: true,
  include_recording_in_webhook: true,
  conversation_inactivity_timeout: 30,
  conversation_ended_retrigger: false,
} as const satisfies Omit<Stored, 'post_call_schema'> & { post_call_schema: readonly PostCallField[] };

/**
 * The initial draft: the defaults of the server, and the first entry of each list. The engine is that of the first
 * voice, because in a fresh installation only one engine may have voices.
 *
 * @param timezone - the browser's zone, IANA name
 */
export function newDraft(lookups: AssistantLookups, timezone: string): AssistantDraft {
  const mode = lookups.voices[0]?.mode ?? 'pipeline';
  const english = lookups.languages.find(({ iso_2 }) => iso_2 === 'en');
  return {
    ...draftOf({ ...NEW_ASSISTANT, post_call_schema: [...NEW_ASSISTANT.post_call_schema], mode, timezone }),
    language_id: String((english ?? lookups.languages[0])?.id ?? ''),
    voice_id: String(lookups.voices[0]?.id ?? ''),
    llm_model_id: String(lookups.models[0]?.id ?? ''),
  };
}

type Writers = {
  [Kind in Setting['kind']]?: (
    value: ValueOfKind[Kind],
    context: { name: SettingName; stored: Stored },
  ) => unknown;
};

/** How an edited value is sent; kinds that are not here are sent as they are. */
const WRITERS: Writers = {
  // The server reports a required setting that is left out.
  id: (value, { name }) =>
    value === '' ? ('isRequired' in SETTINGS[name] ? undefined : null) : Number(value),
  ids: (value) => value.map(Number),
  optionalText: (value) => value.trim() || null,
  address: (value) => value.trim() || null,
  optionalChoice: (value) => (value === '' ? null : value),
  variables: (value, { stored }) => allVariables(value, stored.variables ?? {}),
  fillers: fillerLists,
  widget: writeWidget,
};

/** The value for the API; undefined leaves the setting out. */
function wireValue(name: SettingName, draft: AssistantDraft, stored: Stored): unknown {
  const write = WRITERS[settingOf(name).kind] as
    | ((value: unknown, context: { name: SettingName; stored: Stored }) => unknown)
    | undefined;
  return write ? write(draft[name], { name, stored }) : draft[name];
}

function fillerLists(texts: Record<FillerKind, string>): Record<string, string[]> {
  const lines = (text: string): string[] =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  return Object.fromEntries(FILLER_KINDS.map((kind) => [kind, lines(texts[kind])]));
}

/** A request body of the API, which validates it. */
type Body = Record<string, never>;

/** The settings that differ between two drafts. */
export function changedSettings(draft: AssistantDraft, before: AssistantDraft): SettingName[] {
  return settingNames.filter((name) => JSON.stringify(draft[name]) !== JSON.stringify(before[name]));
}

/** The body that changes an assistant: only what was edited. */
export function changesBody(draft: AssistantDraft, before: AssistantDraft, stored: Stored): Body {
  return bodyOf(changedSettings(draft, before), draft, stored);
}

const ALWAYS_SENT: readonly SettingName[] = ['type', 'mode', 'timezone'];

/** The body of a new assistant: what the API requires, and what differs from the defaults. */
export function newAssistantBody(draft: AssistantDraft, before: AssistantDraft): Body {
  const required = settingNames.filter((name) => {
    const setting = settingOf(name);
    return 'isRequired' in setting || ALWAYS_SENT.includes(name);
  });
  return bodyOf([...new Set([...required, ...changedSettings(draft, before)])], draft, {});
}

function bodyOf(names: readonly SettingName[], draft: AssistantDraft, stored: Stored): Body {
  const entries = names.map((name) => [name, wireValue(name, draft, stored)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Body;
}
