import { expect, test } from 'vitest';
import { createAssistantBody, updateAssistantBody } from './assistant-input.ts';
import { fieldErrors } from './field-wording.ts';

/** A body with the required fields in write names; a change to undefined omits a field. */
function setup(changes: Record<string, unknown> = {}) {
  const body = {
    assistant_name: 'Anna',
    voice_id: 1,
    language: 'English',
    llm_model: 'Scripted dialogue',
    calls_direction: 'make',
    engine_type: 'pipeline',
    timezone: 'Europe/Berlin',
    initial_message: 'Hello',
    system_prompt: 'Be kind.',
    ...changes,
  };
  const sent: unknown = JSON.parse(JSON.stringify(body));
  const result = createAssistantBody.safeParse(sent);
  return { parsed: result.data, errors: fieldErrors(result.error?.issues ?? []) };
}

test('write names become read names with read values', () => {
  const { parsed } = setup({
    filler_audios: 1,
    re_engagement_interval: '7',
    max_call_duration: 1200,
    noise_cancellation: 'false',
    record_call: true,
    who_speaks_first: 'Customer',
    'end_call_tool.description': 'When all is said',
  });
  expect(parsed).toEqual({
    name: 'Anna',
    voice_id: 1,
    language: 'English',
    llm_model: 'Scripted dialogue',
    type: 'outbound',
    mode: 'pipeline',
    timezone: 'Europe/Berlin',
    initial_message: 'Hello',
    system_prompt: 'Be kind.',
    fillers: true,
    reengagement_interval: 7,
    max_duration: 1200,
    enable_noise_cancellation: false,
    record: true,
    wait_for_customer: true,
    endCallDescription: 'When all is said',
  });
});

test('read names are taken as well, with read values', () => {
  const { parsed } = setup({
    assistant_name: undefined,
    language: undefined,
    llm_model: undefined,
    calls_direction: undefined,
    engine_type: undefined,
    name: 'Bert',
    language_id: '3',
    llm_model_id: 4,
    type: 'inbound',
    mode: 'multimodal',
    wait_for_customer: 0,
  });
  expect(parsed).toMatchObject({
    name: 'Bert',
    language_id: 3,
    llm_model_id: 4,
    type: 'inbound',
    mode: 'multimodal',
    wait_for_customer: false,
  });
});

test('where both names are sent the write name wins, and the read name is not even judged', () => {
  const { parsed, errors } = setup({
    name: 5,
    type: 'sideways',
    language_id: 'none',
    record: 'maybe',
    record_call: true,
  });
  expect(errors).toEqual({});
  expect(parsed).toMatchObject({ name: 'Anna', type: 'outbound', language: 'English', record: true });
  expect(parsed).not.toHaveProperty('language_id');
});

test('an empty body tells every required field, under its write name', () => {
  const errors = fieldErrors(createAssistantBody.safeParse({}).error?.issues ?? []);
  expect(Object.keys(errors)).toEqual([
    'assistant_name',
    'voice_id',
    'language',
    'llm_model',
    'calls_direction',
    'engine_type',
    'timezone',
    'initial_message',
    'system_prompt',
  ]);
  expect(errors['llm_model']).toEqual(['The llm model field is required.']);
});

test.each<[Record<string, unknown>, string, string]>([
  [
    { assistant_name: 'x'.repeat(256) },
    'assistant_name',
    'The assistant name must not be greater than 255 characters.',
  ],
  [
    { assistant_name: undefined, name: 'x'.repeat(256) },
    'name',
    'The name must not be greater than 255 characters.',
  ],
  [{ voice_id: 'first' }, 'voice_id', 'The voice id must be an integer.'],
  [{ language: 'x'.repeat(101) }, 'language', 'The language must not be greater than 100 characters.'],
  [{ llm_model: 'x'.repeat(101) }, 'llm_model', 'The llm model must not be greater than 100 characters.'],
  [{ calls_direction: 'outbound' }, 'calls_direction', 'The selected calls direction is invalid.'],
  [{ calls_direction: undefined, type: 'make' }, 'type', 'The selected type is invalid.'],
  [{ engine_type: 'magic' }, 'engine_type', 'The selected engine type is invalid.'],
  [{ timezone: 'Mars/Base' }, 'timezone', 'The timezone must be a valid timezone.'],
  [{ initial_message: '' }, 'initial_message', 'The initial message field is required.'],
  [{ endpoint_type: 'x' }, 'endpoint_type', 'The selected endpoint type is invalid.'],
  [
    { endpoint_sensitivity: 5.1 },
    'endpoint_sensitivity',
    'The endpoint sensitivity must be between 0 and 5.',
  ],
  [
    { interrupt_sensitivity: -1 },
    'interrupt_sensitivity',
    'The interrupt sensitivity must be between 0 and 5.',
  ],
  [{ ambient_sound_volume: 2 }, 'ambient_sound_volume', 'The ambient sound volume must be between 0 and 1.'],
  [
    { is_webhook_active: true },
    'webhook_url',
    'The webhook url field is required when is webhook active is true.',
  ],
  [
    { is_webhook_active: '1', webhook_url: '' },
    'webhook_url',
    'The webhook url field is required when is webhook active is true.',
  ],
  [{ webhook_url: 'nowhere' }, 'webhook_url', 'The webhook url must be a valid URL.'],
  [{ min_interrupt_words: 11 }, 'min_interrupt_words', 'The min interrupt words must be between 0 and 10.'],
  [{ variables: 'none' }, 'variables', 'The variables must be an array.'],
  [
    { post_call_schema: [{ type: 'bool', description: 'x' }] },
    'post_call_schema.0.name',
    'The post_call_schema.0.name field is required.',
  ],
  [
    { post_call_schema: [{ name: 'a-b', type: 'bool', description: 'x' }] },
    'post_call_schema.0.name',
    'The post_call_schema.0.name format is invalid.',
  ],
  [
    { post_call_schema: [{ name: 'a', type: 'date', description: 'x' }] },
    'post_call_schema.0.type',
    'The selected post_call_schema.0.type is invalid.',
  ],
  [
    { 'end_call_tool.description': 'x'.repeat(501) },
    'end_call_tool.description',
    'The end call tool.description must not be greater than 500 characters.',
  ],
  [{ llm_temperature: 1.1 }, 'llm_temperature', 'The llm temperature must be between 0 and 1.'],
  [{ speech_speed: 0.6 }, 'speech_speed', 'The speech speed must be between 0.7 and 1.2.'],
  [{ filler_audios: 'maybe' }, 'filler_audios', 'The filler audios field must be true or false.'],
  [
    { re_engagement_interval: 6 },
    're_engagement_interval',
    'The re engagement interval must be between 7 and 600.',
  ],
  [{ max_call_duration: 19 }, 'max_call_duration', 'The max call duration must be between 20 and 1200.'],
  [
    { max_silence_duration: 121 },
    'max_silence_duration',
    'The max silence duration must be between 1 and 120.',
  ],
  [{ who_speaks_first: 'Neither' }, 'who_speaks_first', 'The selected who speaks first is invalid.'],
  [{ knowledgebase_id: 'x' }, 'knowledgebase_id', 'The knowledgebase id must be an integer.'],
  [{ knowledgebase_mode: 'auto' }, 'knowledgebase_mode', 'The selected knowledgebase mode is invalid.'],
  [{ tool_ids: ['x'] }, 'tool_ids.0', 'The tool_ids.0 must be an integer.'],
  [{ voice_mail_message: 'Hi' }, 'voice_mail_message', 'The selected voice mail message is invalid.'],
  [{ ringing_time: 30 }, 'ringing_time', 'The selected ringing time is invalid.'],
  [{ multimodal_model_id: 1 }, 'multimodal_model_id', 'The selected multimodal model id is invalid.'],
  [{ engine_id: 1 }, 'engine_id', 'The selected engine id is invalid.'],
  [
    { secondary_language_ids: [2] },
    'secondary_language_ids',
    'The selected secondary language ids is invalid.',
  ],
  [{ reengagement_prompt: 'Hm?' }, 'reengagement_prompt', 'The selected reengagement prompt is invalid.'],
  [{ tts_emotion_enabled: true }, 'tts_emotion_enabled', 'The selected tts emotion enabled is invalid.'],
  [
    { conversation_inactivity_timeout: 0 },
    'conversation_inactivity_timeout',
    'The conversation inactivity timeout must be between 1 and 10080.',
  ],
  [{ end_call_tool: 'Never' }, 'end_call_tool', 'The end call tool must be an array.'],
  [{ end_call_tool: true }, 'end_call_tool', 'The end call tool must be an array.'],
  [
    {
      post_call_schema: ['a', 'b', 'a'].map((name) => ({ name, type: 'string', description: 'x' })),
    },
    'post_call_schema.2.name',
    'The post_call_schema.2.name field has a duplicate value.',
  ],
  [
    { end_call_tool: { description: 'x'.repeat(501) } },
    'end_call_tool.description',
    'The end call tool.description must not be greater than 500 characters.',
  ],
  [
    { synthesizer_provider_id: 1 },
    'synthesizer_provider_id',
    'The selected synthesizer provider id is invalid.',
  ],
  [
    { tools: [{ type: 'end_call' }, { type: 'end_call' }] },
    'tools.1.type',
    'The selected tools.1.type is invalid.',
  ],
])('row %# is refused with one text', (changes, field, text) => {
  expect(setup(changes).errors).toEqual({ [field]: [text] });
});

test('settings that are not implemented may be null, empty or switched off', () => {
  const empty = {
    voice_mail_message: '',
    ringing_time: null,
    multimodal_model_id: null,
    secondary_language_ids: [],
    tts_emotion_enabled: false,
  };
  expect(setup(empty).errors).toEqual({});
});

test('the description of the end_call tool may be sent in an object; the field with the dot wins', () => {
  const end_call_tool = { description: 'In the object' };
  expect(setup({ end_call_tool }).parsed?.endCallDescription).toBe('In the object');
  for (const empty of [null, '', [], {}])
    expect(setup({ end_call_tool: empty })).toMatchObject({
      errors: {},
      parsed: expect.not.objectContaining({ endCallDescription: expect.anything() }),
    });
  const both = setup({ end_call_tool, 'end_call_tool.description': 'With the dot' });
  expect(both.parsed?.endCallDescription).toBe('With the dot');
});

test('errors of single fields and of rules over several are reported together', () => {
  const { errors } = setup({
    voice_id: undefined,
    speech_speed: 9,
    is_webhook_active: true,
    knowledgebase_id: 'x',
    variables: 3,
  });
  expect(Object.keys(errors).toSorted()).toEqual([
    'knowledgebase_id',
    'speech_speed',
    'variables',
    'voice_id',
    'webhook_url',
  ]);
});

test('an inactive webhook needs no URL, and unknown fields are dropped', () => {
  const { parsed, errors } = setup({ is_webhook_active: false, webhook_url: null, colour: 'red' });
  expect(errors).toEqual({});
  expect(parsed).toMatchObject({ is_webhook_active: false, webhook_url: null });
  expect(parsed).not.toHaveProperty('colour');
});

test('use_min_interrupt_words false acts as 0 words; without it, min_interrupt_words applies', () => {
  expect(setup({ use_min_interrupt_words: false, min_interrupt_words: 4 }).parsed?.min_interrupt_words).toBe(
    0,
  );
  expect(setup({ min_interrupt_words: 4 }).parsed?.min_interrupt_words).toBe(4);
  expect(setup().parsed?.min_interrupt_words).toBeUndefined();
});

test('a tool that nothing executes is refused', () => {
  const { errors } = setup({ tools: [{ type: 'end_call' }, { type: 'unheard_of' }] });
  expect(errors).toEqual({ 'tools.1.type': ['The selected tools.1.type is invalid.'] });
});

test('a tool is written flat, or as it was read', () => {
  const flat = { type: 'end_call', description: 'Soon.' } as const;
  expect(setup({ tools: [flat] }).parsed?.tools).toEqual([flat]);
  expect(setup({ tools: [{ type: 'end_call', data: { description: 'Soon.' } }] }).parsed?.tools).toEqual([
    flat,
  ]);
  expect(setup({ tools: [{ type: 'end_call', data: {} }] }).parsed?.tools).toEqual([{ type: 'end_call' }]);
});

test('an update requires no field, keeps null values, and leaves the webhook rule to the use case', () => {
  expect(updateAssistantBody.parse({})).toEqual({});
  expect(
    updateAssistantBody.parse({ phone_number_id: null, webhook_url: '', is_webhook_active: 'true' }),
  ).toEqual({
    phone_number_id: null,
    webhook_url: null,
    is_webhook_active: true,
  });
});

test('an update accepts read and write names and validates the sent fields', () => {
  const sent = { name: 5, assistant_name: 'Anna', type: 'inbound', use_min_interrupt_words: false };
  expect(updateAssistantBody.parse(sent)).toEqual({ name: 'Anna', type: 'inbound', min_interrupt_words: 0 });
  const { error } = updateAssistantBody.safeParse({ assistant_name: '', speech_speed: 2 });
  expect(fieldErrors(error?.issues ?? [])).toEqual({
    assistant_name: ['The assistant name field is required.'],
    speech_speed: ['The speech speed must be between 0.7 and 1.2.'],
  });
});
