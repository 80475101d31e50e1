import { type AssistantDetailsRecord, createAssistantBody, updateAssistantBody } from '@parley/contracts';
import { describe, expect, it } from 'vitest';
import {
  type AssistantDraft,
  type AssistantLookups,
  changedSettings,
  changesBody,
  draftOf,
  newAssistantBody,
  newDraft,
  voicesFor,
} from './assistant-draft.ts';
import { type SettingName, settingNames } from './settings.rules.ts';
import { readWidget } from './widget-draft.ts';

const lookups: AssistantLookups = {
  voices: [
    { id: 4, name: 'Flow', mode: 'multimodal' },
    { id: 5, name: 'Slt', mode: 'pipeline' },
  ],
  models: [{ id: 1, name: 'Scripted' }],
  languages: [
    { id: 1, name: 'German', iso_2: 'de' },
    { id: 2, name: 'English', iso_2: 'en' },
  ],
  phone_numbers: [],
  transcriber_providers: [],
  folders: [],
  labels: [],
  tools: [],
  knowledgebases: [],
  built_in_variables: [],
};

type Stored = Pick<AssistantDetailsRecord, SettingName>;

/** A stored assistant in the odd types of the API. */
const stored: Stored = {
  name: 'Ada',
  type: 'inbound',
  status: 'active',
  language_id: 2,
  timezone: 'Europe/Berlin',
  initial_message: 'Hello.',
  system_prompt: 'Be kind.',
  disclosure_message: null,
  variables: { city: 'Bonn', visits: 3 },
  wait_for_customer: false,
  initial_message_delay: 1,
  initial_message_interruptible: true,
  mode: 'pipeline',
  voice_id: 5,
  speech_speed: '1.0',
  voice_stability: '0.7',
  voice_similarity: '0.5',
  ambient_sound: 'off',
  ambient_sound_volume: '0.5',
  transcriber_provider_id: 7,
  endpoint_type: 'vad',
  endpoint_sensitivity: 0.5,
  enable_noise_cancellation: true,
  allow_interruptions: true,
  interrupt_sensitivity: 0.5,
  min_interrupt_words: 0,
  fillers: 0,
  filler_config: { neutral: ['Hm.'], positive: [], negative: [], question: [] },
  llm_model_id: 1,
  fallback_llm_models: [],
  redact: [],
  llm_temperature: '0.1',
  knowledgebase_id: 3,
  knowledgebase_mode: '',
  tool_ids: [4],
  phone_number_id: 9,
  opt_out_key: '9',
  max_duration: 600,
  max_silence_duration: 40,
  reengagement_interval: 30,
  end_call_on_voicemail: 1,
  record: false,
  post_call_evaluation: true,
  post_call_schema: [{ name: 'status', type: 'bool', description: 'Reached' }],
  is_webhook_active: true,
  webhook_url: 'https://example.com/',
  send_webhook_only_on_completed: true,
  include_recording_in_webhook: true,
  inbound_webhook_url: null,
  conversation_ended_webhook_url: null,
  conversation_inactivity_timeout: 30,
  conversation_ended_retrigger: false,
  folder_id: 3,
  label_ids: [1],
  widget_settings: {},
};

/** One edit of each setting, and the value that the API is to store. */
const EDITS: { [Name in SettingName]: [edited: AssistantDraft[Name], parsed: unknown] } = {
  name: ['Bo', 'Bo'],
  type: ['outbound', 'outbound'],
  status: ['inactive', 'inactive'],
  language_id: ['1', 1],
  timezone: ['UTC', 'UTC'],
  initial_message: ['Hi.', 'Hi.'],
  system_prompt: ['Be brief.', 'Be brief.'],
  disclosure_message: [' Recorded. ', 'Recorded.'],
  variables: [[{ name: 'visits', value: '4' }], { visits: 4 }],
  wait_for_customer: [true, true],
  initial_message_delay: ['2.5', 2.5],
  initial_message_interruptible: [false, false],
  mode: ['multimodal', 'multimodal'],
  voice_id: ['4', 4],
  speech_speed: ['1.1', 1.1],
  voice_stability: ['0.6', 0.6],
  voice_similarity: ['0.6', 0.6],
  ambient_sound: ['cafe', 'cafe'],
  ambient_sound_volume: ['0.2', 0.2],
  transcriber_provider_id: ['', null],
  endpoint_type: ['ai', 'ai'],
  endpoint_sensitivity: ['1', 1],
  enable_noise_cancellation: [false, false],
  allow_interruptions: [false, false],
  interrupt_sensitivity: ['1', 1],
  min_interrupt_words: ['2', 2],
  fillers: [true, true],
  filler_config: [
    { neutral: ' Well. \n\nHm.', positive: '', negative: '', question: '' },
    { neutral: ['Well.', 'Hm.'], positive: [], negative: [], question: [] },
  ],
  llm_model_id: ['2', 2],
  fallback_llm_models: [['Small'], ['Small']],
  redact: [['email'], ['email']],
  llm_temperature: ['0.5', 0.5],
  knowledgebase_id: ['', null],
  knowledgebase_mode: ['prompt', 'prompt'],
  tool_ids: [
    ['5', '4'],
    [5, 4],
  ],
  phone_number_id: ['', null],
  opt_out_key: ['', null],
  max_duration: ['300', 300],
  max_silence_duration: ['20', 20],
  reengagement_interval: ['20', 20],
  end_call_on_voicemail: [false, false],
  record: [true, true],
  post_call_evaluation: [false, false],
  post_call_schema: [[], []],
  is_webhook_active: [false, false],
  webhook_url: [' ', null],
  send_webhook_only_on_completed: [false, false],
  include_recording_in_webhook: [false, false],
  inbound_webhook_url: ['https://example.com/in', 'https://example.com/in'],
  conversation_ended_webhook_url: ['https://example.com/end', 'https://example.com/end'],
  conversation_inactivity_timeout: ['60', 60],
  conversation_ended_retrigger: [true, true],
  folder_id: ['', null],
  label_ids: [
    ['1', '2'],
    [1, 2],
  ],
  widget_settings: [
    { ...readWidget({}), theme: 'dark' },
    { allowed_origins: [], theme: 'dark', position: 'bottom-right' },
  ],
};

describe('the draft of a stored assistant', () => {
  const before = draftOf(stored);

  it('sends nothing without an edit', () => {
    expect(changesBody(draftOf(stored), before, stored)).toEqual({});
  });

  it.each(settingNames)('sends %s alone when it alone was edited', (name) => {
    const [edited, parsed] = EDITS[name];
    const draft = { ...before, [name]: edited };
    expect(changedSettings(draft, before)).toEqual([name]);
    expect(updateAssistantBody.parse(changesBody(draft, before, stored))).toEqual({ [name]: parsed });
  });
});

describe('the draft of a new assistant', () => {
  const before = newDraft(lookups, 'Europe/Berlin');

  it('begins with English and with an engine that has a voice', () => {
    expect(before).toMatchObject({ language_id: '2', mode: 'multimodal', voice_id: '4' });
  });

  it('can be shown with empty lists', () => {
    const empty = { ...lookups, voices: [], models: [], languages: [] };
    expect(newDraft(empty, 'UTC')).toMatchObject({ language_id: '', voice_id: '', llm_model_id: '' });
  });

  it('offers the voices of one engine', () => {
    expect(voicesFor(lookups, 'pipeline').map(({ id }) => id)).toEqual([5]);
  });

  it('sends what the API requires, and what was edited', () => {
    const filled = { name: 'Ada', initial_message: 'Hello.', system_prompt: 'Be kind.', record: true };
    const body = createAssistantBody.parse(newAssistantBody({ ...before, ...filled }, before));
    expect(body).toEqual({
      ...filled,
      type: 'outbound',
      mode: 'multimodal',
      timezone: 'Europe/Berlin',
      voice_id: 4,
      language_id: 2,
      llm_model_id: 1,
    });
  });

  it('leaves out what was not selected, so that the server reports it as missing', () => {
    expect(newAssistantBody({ ...before, voice_id: '' }, before)).not.toHaveProperty('voice_id');
  });
});
