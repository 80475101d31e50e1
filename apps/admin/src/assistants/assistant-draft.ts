/**
 * The draft of the assistant form and its conversion to the request body. Fields have the write names of the API, so that
 * the error messages of the server match them.
 */
import type { UseFormReturnType } from '@mantine/form';
import type {
  AssistantDetailsRecord,
  LanguageRecord,
  ModelRecord,
  PhoneNumberRecord,
  VoiceRecord,
} from '@parley/contracts';

/** The lists of the form. */
export interface AssistantLookups {
  voices: readonly VoiceRecord[];
  models: readonly ModelRecord[];
  languages: readonly LanguageRecord[];
  phone_numbers: readonly PhoneNumberRecord[];
}

/** The form's values. Ids and seconds are strings, which the server accepts as numbers; empty means none. */
export interface AssistantDraft {
  assistant_name: string;
  calls_direction: 'make' | 'receive';
  language: string;
  timezone: string;
  phone_number_id: string;
  engine_type: 'pipeline' | 'multimodal';
  voice_id: string;
  llm_model: string;
  /** The model that replaces it when it fails; empty for none. */
  second_model: string;
  /** Empty for none. */
  disclosure_message: string;
  initial_message: string;
  system_prompt: string;
  who_speaks_first: 'AI assistant' | 'Customer';
  initial_message_delay: string;
  initial_message_interruptible: boolean;
  opt_out_key: NonNullable<AssistantDetailsRecord['opt_out_key']> | '';
  allow_interruptions: boolean;
  max_call_duration: string;
  max_silence_duration: string;
  re_engagement_interval: string;
  end_call_on_voicemail: boolean;
  record_call: boolean;
  is_webhook_active: boolean;
  webhook_url: string;
  send_webhook_only_on_completed: boolean;
  include_recording_in_webhook: boolean;
}

/** The state of the form, which its groups of fields share. */
export type DraftForm = UseFormReturnType<AssistantDraft>;

/** Voices of one engine. */
export function voicesFor({ voices }: AssistantLookups, mode: AssistantDraft['engine_type']): VoiceRecord[] {
  return voices.filter((voice) => voice.mode === mode);
}

/** The engine of the first voice, because in a fresh installation only one engine may have voices. */
function firstEngine({ voices }: AssistantLookups): AssistantDraft['engine_type'] {
  return voices[0]?.mode ?? 'pipeline';
}

/**
 * The initial draft: the defaults of the server, and the first entry of each list.
 *
 * @param timezone - the browser's zone, IANA name
 * @see docs/api.md, "Assistants": defaults of omitted fields
 */
export function emptyDraft(lookups: AssistantLookups, timezone: string): AssistantDraft {
  const engine = firstEngine(lookups);
  const english = lookups.languages.find(({ iso_2 }) => iso_2 === 'en');
  return {
    assistant_name: '',
    calls_direction: 'make',
    language: (english ?? lookups.languages[0])?.name ?? '',
    timezone,
    phone_number_id: '',
    engine_type: engine,
    voice_id: String(voicesFor(lookups, engine)[0]?.id ?? ''),
    llm_model: lookups.models[0]?.name ?? '',
    second_model: '',
    disclosure_message: '',
    initial_message: '',
    system_prompt: '',
    who_speaks_first: 'AI assistant',
    initial_message_delay: '1',
    initial_message_interruptible: true,
    opt_out_key: '',
    allow_interruptions: true,
    max_call_duration: '600',
    max_silence_duration: '40',
    re_engagement_interval: '30',
    end_call_on_voicemail: true,
    record_call: false,
    is_webhook_active: false,
    webhook_url: '',
    send_webhook_only_on_completed: true,
    include_recording_in_webhook: true,
  };
}

/** The request body of a draft. */
export function toAssistantBody({
  phone_number_id,
  voice_id,
  webhook_url,
  opt_out_key,
  second_model,
  disclosure_message,
  ...rest
}: AssistantDraft) {
  return {
    ...rest,
    ...(voice_id !== '' && { voice_id: Number(voice_id) }),
    phone_number_id: phone_number_id === '' ? null : Number(phone_number_id),
    disclosure_message: disclosure_message.trim() === '' ? null : disclosure_message.trim(),
    opt_out_key: opt_out_key === '' ? null : opt_out_key,
    fallback_llm_models: second_model === '' || second_model === rest.llm_model ? [] : [second_model],
    webhook_url: webhook_url.trim() === '' ? null : webhook_url.trim(),
  };
}
