import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { refusedTools, takenTools } from '../../test/assistant-tool-rows.ts';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';

/**
 * The rules of the API reference for writing assistants: fields, limits, and the names used when writing and when
 * reading (docs/api.md, "Assistants"). Rules for creating an assistant also hold for updating it.
 */
const database = useTestDatabase();
let live: LiveApi;
let assistantId: number;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  assistantId = idOf(await create());
});

afterAll(() => live.stop());

const create = (changes: Record<string, unknown> = {}) =>
  live.ask('/api/user/assistant', { method: 'POST', body: newAssistant(changes) });
const update = (body: Record<string, unknown>) =>
  live.ask(`/api/user/assistant/${assistantId}`, { method: 'PUT', body });
const read = async (id: number) => (await live.ask(`/api/user/assistant/${id}`)).body;

function idOf({ body, text }: { body: unknown; text: string }): number {
  const { data } = body as { data?: { id: number } };
  if (!data) throw new Error(`No assistant was written: ${text}`);
  return data.id;
}

const REQUIRED = (name: string) => `The ${name} field is required.`;
const BETWEEN = (name: string, low: number, high: number) =>
  `The ${name} must be between ${low} and ${high}.`;
const INTEGER = (name: string) => `The ${name} must be an integer.`;
const NUMBER = (name: string) => `The ${name} must be a number.`;
const TRUTH = (name: string) => `The ${name} field must be true or false.`;
const SELECTED = (name: string) => `The selected ${name} is invalid.`;
const STRING = (name: string) => `The ${name} must be a string.`;
const ARRAY = (name: string) => `The ${name} must be an array.`;
const URL_FAULT = (name: string) => `The ${name} must be a valid URL.`;
const LONG = (name: string, most: number) => `The ${name} must not be greater than ${most} characters.`;
const TIME_ZONE = 'The timezone must be a valid timezone.';

/** Field, value as sent, field as read, value as read. */
type Taken = [string, unknown, string, unknown];
/** Field, value as sent, text. */
type Refused = [string, unknown, string];

/** A flag in every form that clients send. */
function flag(field: string, readName = field, [off, on]: [unknown, unknown] = [false, true]): Taken[] {
  return [
    [field, true, readName, on],
    [field, false, readName, off],
    [field, 'true', readName, on],
    [field, 'false', readName, off],
    [field, 1, readName, on],
    [field, '0', readName, off],
  ];
}

const taken: Taken[] = [
  ['assistant_name', 'x', 'name', 'x'],
  ['assistant_name', 'x'.repeat(255), 'name', 'x'.repeat(255)],
  ['assistant_name', '😀'.repeat(255), 'name', '😀'.repeat(255)],
  ['voice_id', 2, 'voice_id', 2],
  ['voice_id', '3', 'voice_id', 3],
  ['language', 'German', 'language', 'German'],
  ['language', 'german', 'language', 'German'],
  ['llm_model', 'Scripted dialogue (built in)', 'llm_model_id', 1],
  ['calls_direction', 'receive', 'type', 'inbound'],
  ['calls_direction', 'make', 'type', 'outbound'],
  ['engine_type', 'pipeline', 'mode', 'pipeline'],
  ['timezone', 'America/New_York', 'timezone', 'America/New_York'],
  ['timezone', 'UTC', 'timezone', 'UTC'],
  ['initial_message', 'Hello, it is me.', 'initial_message', 'Hello, it is me.'],
  ['initial_message_delay', 0, 'initial_message_delay', 0],
  ['initial_message_delay', 2.5, 'initial_message_delay', 2.5],
  ...flag('initial_message_interruptible'),
  ['fallback_llm_models', [], 'fallback_llm_models', []],
  ['redact', ['email', 'card_number', 'email'], 'redact', ['card_number', 'email']],
  ['redact', [], 'redact', []],
  ['opt_out_key', '9', 'opt_out_key', '9'],
  ['opt_out_key', null, 'opt_out_key', null],
  ['disclosure_message', 'This call is recorded.', 'disclosure_message', 'This call is recorded.'],
  ['disclosure_message', null, 'disclosure_message', null],
  ['system_prompt', 'x'.repeat(50_000), 'system_prompt', 'x'.repeat(50_000)],
  ['phone_number_id', 1, 'phone_number_id', 1],
  ['phone_number_id', null, 'phone_number_id', null],
  ['endpoint_type', 'vad', 'endpoint_type', 'vad'],
  ['endpoint_type', 'ai', 'endpoint_type', 'ai'],
  ['endpoint_sensitivity', 0, 'endpoint_sensitivity', 0],
  ['endpoint_sensitivity', 5, 'endpoint_sensitivity', 5],
  ['endpoint_sensitivity', '0.25', 'endpoint_sensitivity', 0.25],
  ['interrupt_sensitivity', 0, 'interrupt_sensitivity', 0],
  ['interrupt_sensitivity', 5, 'interrupt_sensitivity', 5],
  ['ambient_sound', 'crowded_room', 'ambient_sound', 'crowded_room'],
  ['ambient_sound', 'off', 'ambient_sound', 'off'],
  ['ambient_sound_volume', 0, 'ambient_sound_volume', '0.0'],
  ['ambient_sound_volume', 1, 'ambient_sound_volume', '1.0'],
  ...flag('post_call_evaluation'),
  ...flag('send_webhook_only_on_completed'),
  ...flag('include_recording_in_webhook'),
  ['is_webhook_active', false, 'is_webhook_active', false],
  ['webhook_url', 'https://a.example/x?y=1', 'webhook_url', 'https://a.example/x?y=1'],
  ['webhook_url', 'http://127.0.0.1:8080', 'webhook_url', 'http://127.0.0.1:8080'],
  ['webhook_url', null, 'webhook_url', null],
  ['inbound_webhook_url', 'https://a.example/in', 'inbound_webhook_url', 'https://a.example/in'],
  ['inbound_webhook_url', null, 'inbound_webhook_url', null],
  ['min_interrupt_words', 0, 'min_interrupt_words', 0],
  ['min_interrupt_words', 10, 'min_interrupt_words', 10],
  ['use_min_interrupt_words', false, 'min_interrupt_words', 0],
  [
    'variables',
    { name: 'Bo', deep: { list: [1, null] } },
    'variables',
    { name: 'Bo', deep: { list: [1, null] } },
  ],
  ['variables', {}, 'variables', {}],
  ['variables', [], 'variables', {}],
  ['variables', [{ a: 1, b: 1 }, { b: 2 }], 'variables', { a: 1, b: 2 }],
  ...(['string', 'number', 'bool'] as const).map((type): Taken => {
    const schema = [{ name: 'Field_1', type, description: 'What it is.' }];
    return ['post_call_schema', schema, 'post_call_schema', schema];
  }),
  ['post_call_schema', [], 'post_call_schema', []],
  [
    'end_call_tool.description',
    'x'.repeat(500),
    'tools',
    [{ type: 'end_call', data: { description: 'x'.repeat(500) } }],
  ],
  ...takenTools,
  ['llm_temperature', 0, 'llm_temperature', '0.0'],
  ['llm_temperature', 1, 'llm_temperature', '1.0'],
  ['llm_temperature', '0.25', 'llm_temperature', '0.25'],
  ['voice_stability', 0, 'voice_stability', '0.0'],
  ['voice_stability', 1, 'voice_stability', '1.0'],
  ['voice_similarity', 0, 'voice_similarity', '0.0'],
  ['voice_similarity', 1, 'voice_similarity', '1.0'],
  ['speech_speed', 0.7, 'speech_speed', '0.7'],
  ['speech_speed', 1.2, 'speech_speed', '1.2'],
  ...flag('allow_interruptions'),
  ...flag('filler_audios', 'fillers', [0, 1]),
  ['re_engagement_interval', 7, 'reengagement_interval', 7],
  ['re_engagement_interval', '600', 'reengagement_interval', 600],
  ['max_call_duration', 20, 'max_duration', 20],
  ['max_call_duration', 1200, 'max_duration', 1200],
  ['max_silence_duration', 1, 'max_silence_duration', 1],
  ['max_silence_duration', 120, 'max_silence_duration', 120],
  ...flag('end_call_on_voicemail', 'end_call_on_voicemail', [0, 1]),
  ...flag('noise_cancellation', 'enable_noise_cancellation'),
  ...flag('record_call', 'record'),
  ['who_speaks_first', 'AI assistant', 'wait_for_customer', false],
  ['who_speaks_first', 'Customer', 'wait_for_customer', true],
  ['knowledgebase_id', null, 'knowledgebase_id', null],
  ['knowledgebase_mode', 'prompt', 'knowledgebase_mode', 'prompt'],
  [
    'widget_settings',
    { theme: 'dark', color: '#fff', position: 'left' },
    'widget_settings',
    { theme: 'dark', color: '#fff', position: 'left' },
  ],
  ['status', 'inactive', 'status', 'inactive'],
  ['status', 'active', 'status', 'active'],
  // Read names, with read values.
  ['name', 'Read name', 'name', 'Read name'],
  ['language_id', '2', 'language_id', 2],
  ['llm_model_id', 1, 'llm_model_id', 1],
  ['mode', 'pipeline', 'mode', 'pipeline'],
  ['type', 'inbound', 'type', 'inbound'],
  ['type', 'outbound', 'type', 'outbound'],
  ['fillers', 1, 'fillers', 1],
  ['reengagement_interval', 7, 'reengagement_interval', 7],
  ['max_duration', '1200', 'max_duration', 1200],
  ['enable_noise_cancellation', false, 'enable_noise_cancellation', false],
  ['record', true, 'record', true],
  ['wait_for_customer', true, 'wait_for_customer', true],
];

const refused: Refused[] = [
  ['assistant_name', '', REQUIRED('assistant name')],
  ['assistant_name', '  ', REQUIRED('assistant name')],
  ['assistant_name', null, REQUIRED('assistant name')],
  ['assistant_name', 5, STRING('assistant name')],
  ['assistant_name', 'x'.repeat(256), LONG('assistant name', 255)],
  ['voice_id', null, REQUIRED('voice id')],
  ['voice_id', 'first', INTEGER('voice id')],
  ['voice_id', 1.5, INTEGER('voice id')],
  ['language', '', REQUIRED('language')],
  ['language', 'x'.repeat(101), LONG('language', 100)],
  ['llm_model', '', REQUIRED('llm model')],
  ['llm_model', 'x'.repeat(101), LONG('llm model', 100)],
  ['calls_direction', '', REQUIRED('calls direction')],
  ['calls_direction', null, REQUIRED('calls direction')],
  ['calls_direction', 'outbound', SELECTED('calls direction')],
  ['engine_type', '', REQUIRED('engine type')],
  ['engine_type', null, REQUIRED('engine type')],
  ['engine_type', 'magic', SELECTED('engine type')],
  ['timezone', '', REQUIRED('timezone')],
  ['timezone', 'Mars/Base', TIME_ZONE],
  ['timezone', '+01:00', TIME_ZONE],
  ['initial_message', '', REQUIRED('initial message')],
  ['system_prompt', '', REQUIRED('system prompt')],
  ['phone_number_id', 'first', INTEGER('phone number id')],
  ['endpoint_type', 'x', SELECTED('endpoint type')],
  ['endpoint_type', null, REQUIRED('endpoint type')],
  ['endpoint_sensitivity', -0.01, BETWEEN('endpoint sensitivity', 0, 5)],
  ['endpoint_sensitivity', 5.01, BETWEEN('endpoint sensitivity', 0, 5)],
  ['endpoint_sensitivity', 'high', NUMBER('endpoint sensitivity')],
  ['interrupt_sensitivity', -0.01, BETWEEN('interrupt sensitivity', 0, 5)],
  ['interrupt_sensitivity', 5.01, BETWEEN('interrupt sensitivity', 0, 5)],
  ['ambient_sound', 'disco', SELECTED('ambient sound')],
  ['ambient_sound_volume', -0.01, BETWEEN('ambient sound volume', 0, 1)],
  ['ambient_sound_volume', 1.01, BETWEEN('ambient sound volume', 0, 1)],
  ['post_call_evaluation', 'maybe', TRUTH('post call evaluation')],
  ['send_webhook_only_on_completed', 2, TRUTH('send webhook only on completed')],
  ['include_recording_in_webhook', 'yes', TRUTH('include recording in webhook')],
  ['is_webhook_active', 'on', TRUTH('is webhook active')],
  ['webhook_url', 'nowhere', URL_FAULT('webhook url')],
  ['webhook_url', 'ftp://a.example', URL_FAULT('webhook url')],
  ['webhook_url', '/relative', URL_FAULT('webhook url')],
  ['webhook_url', 'https://me:secret@a.example', URL_FAULT('webhook url')],
  ['webhook_url', 5, STRING('webhook url')],
  ['inbound_webhook_url', 'nowhere', URL_FAULT('inbound webhook url')],
  ['use_min_interrupt_words', 'some', TRUTH('use min interrupt words')],
  ['min_interrupt_words', -1, BETWEEN('min interrupt words', 0, 10)],
  ['initial_message_delay', 11, BETWEEN('initial message delay', 0, 10)],
  ['min_interrupt_words', 11, BETWEEN('min interrupt words', 0, 10)],
  ['min_interrupt_words', 1.5, INTEGER('min interrupt words')],
  ['variables', 'none', ARRAY('variables')],
  ['variables', [1], ARRAY('variables')],
  ['post_call_schema', 'none', ARRAY('post call schema')],
  ['end_call_tool.description', 'x'.repeat(501), LONG('end call tool.description', 500)],
  ['end_call_tool.description', 5, STRING('end call tool.description')],
  ['tools', 'none', ARRAY('tools')],
  ['llm_temperature', -0.01, BETWEEN('llm temperature', 0, 1)],
  ['llm_temperature', 1.01, BETWEEN('llm temperature', 0, 1)],
  ['llm_temperature', 'hot', NUMBER('llm temperature')],
  ['voice_stability', -0.01, BETWEEN('voice stability', 0, 1)],
  ['voice_stability', 1.01, BETWEEN('voice stability', 0, 1)],
  ['voice_similarity', -0.01, BETWEEN('voice similarity', 0, 1)],
  ['voice_similarity', 1.01, BETWEEN('voice similarity', 0, 1)],
  ['speech_speed', 0.69, BETWEEN('speech speed', 0.7, 1.2)],
  ['speech_speed', 1.21, BETWEEN('speech speed', 0.7, 1.2)],
  ['allow_interruptions', 'maybe', TRUTH('allow interruptions')],
  ['filler_audios', 'maybe', TRUTH('filler audios')],
  ['re_engagement_interval', 6, BETWEEN('re engagement interval', 7, 600)],
  ['re_engagement_interval', 601, BETWEEN('re engagement interval', 7, 600)],
  ['max_call_duration', 19, BETWEEN('max call duration', 20, 1200)],
  ['max_call_duration', 1201, BETWEEN('max call duration', 20, 1200)],
  ['max_silence_duration', 0, BETWEEN('max silence duration', 1, 120)],
  ['max_silence_duration', 121, BETWEEN('max silence duration', 1, 120)],
  ['end_call_on_voicemail', 'maybe', TRUTH('end call on voicemail')],
  ['noise_cancellation', 'maybe', TRUTH('noise cancellation')],
  ['record_call', 'maybe', TRUTH('record call')],
  ['who_speaks_first', 'Neither', SELECTED('who speaks first')],
  ['knowledgebase_id', 'x', 'The knowledgebase id must be an integer.'],
  ['knowledgebase_mode', 'auto', SELECTED('knowledgebase mode')],
  ['widget_settings', 'red', ARRAY('widget settings')],
  ['status', 'asleep', SELECTED('status')],
];

/** Items of lists: the sent value of the field, the key of the fault, its text. */
const refusedInside: [string, unknown, string, string][] = [
  ...(['name', 'type', 'description'] as const).map((missing): [string, unknown, string, string] => {
    const { [missing]: _, ...rest } = { name: 'a', type: 'bool', description: 'b' };
    const key = `post_call_schema.0.${missing}`;
    return ['post_call_schema', [rest], key, REQUIRED(key)];
  }),
  [
    'post_call_schema',
    [{ name: 'a b', type: 'bool', description: 'x' }],
    'post_call_schema.0.name',
    'The post_call_schema.0.name format is invalid.',
  ],
  [
    'post_call_schema',
    [
      { name: 'a', type: 'bool', description: 'x' },
      { name: 'ä', type: 'bool', description: 'x' },
    ],
    'post_call_schema.1.name',
    'The post_call_schema.1.name format is invalid.',
  ],
  [
    'post_call_schema',
    [{ name: 'a', type: 'date', description: 'x' }],
    'post_call_schema.0.type',
    SELECTED('post_call_schema.0.type'),
  ],
  ['widget_settings', { logo: 'x' }, 'widget_settings.logo', 'The widget settings.logo field is prohibited.'],
  [
    'widget_settings',
    { texts: { greeting: 'x' } },
    'widget_settings.texts.greeting',
    'The widget settings.texts.greeting field is prohibited.',
  ],
  [
    'widget_settings',
    { color: 'red' },
    'widget_settings.color',
    'The widget settings.color format is invalid.',
  ],
  [
    'widget_settings',
    { allowed_origins: ['https://a.example', 'https://b.example/shop'] },
    'widget_settings.allowed_origins.1',
    'The widget_settings.allowed_origins.1 must be a valid URL.',
  ],
  [
    'widget_settings',
    { max_call_duration: 5 },
    'widget_settings.max_call_duration',
    BETWEEN('widget settings.max call duration', 20, 1200),
  ],
  [
    'filler_config',
    { neutral: 'Hm.' },
    'filler_config.neutral',
    'The filler config.neutral must be an array.',
  ],
];

/** Faults that are found after all others, because they are looked up in the database. Columns as above. */
const refusedAfterwards: [string, unknown, string, string][] = [
  ['voice_id', 999_999, 'voice_id', SELECTED('voice id')],
  ['language', 'x'.repeat(100), 'language', SELECTED('language')],
  ['language', 'Klingon', 'language', SELECTED('language')],
  ['llm_model', 'x'.repeat(100), 'llm_model', SELECTED('llm model')],
  ['phone_number_id', 999_999, 'phone_number_id', SELECTED('phone number id')],
  ['knowledgebase_id', 999_999, 'knowledgebase_id', SELECTED('knowledgebase id')],
  // A voice of the other mode.
  ['engine_type', 'multimodal', 'voice_id', SELECTED('voice id')],
];

/** Rows in as few groups as possible, so that no group holds two rows with a common name: each group is one request. */
function groupDisjoint<Row>(rows: readonly Row[], namesOf: (row: Row) => readonly string[]): Row[][] {
  const groups: { names: Set<string>; rows: Row[] }[] = [];
  for (const row of rows) {
    const names = namesOf(row);
    let group = groups.find(({ names: taken }) => names.every((name) => !taken.has(name)));
    if (!group) groups.push((group = { names: new Set(), rows: [] }));
    group.rows.push(row);
    for (const name of names) group.names.add(name);
  }
  return groups.map((group) => group.rows);
}

/** A read name may be sent instead of its write name, but not together with it. */
const WRITE_NAMES: Record<string, string> = {
  name: 'assistant_name',
  language_id: 'language',
  llm_model_id: 'llm_model',
  mode: 'engine_type',
  type: 'calls_direction',
};

const takenGroups = groupDisjoint(taken, ([field, , readName]) => [
  field,
  WRITE_NAMES[field] ?? field,
  readName,
  // A number rings at one assistant only.
  ...(field === 'phone_number_id' ? ['type'] : []),
]).map((rows) => {
  const sent: Record<string, unknown> = {};
  const expected: Record<string, unknown> = {};
  for (const [field, value, readName, readValue] of rows) {
    const writeName = WRITE_NAMES[field];
    if (writeName) sent[writeName] = undefined;
    sent[field] = value;
    expected[readName] = readValue;
  }
  return { sent, expected };
});

describe.each(takenGroups)('values that are taken, group %#', ({ sent, expected }) => {
  test('creating', async () => {
    const created = await create(sent);
    expect(created.status, created.text).toBe(201);
    expect(only(await read(idOf(created)), expected)).toEqual(expected);
  });

  test('updating', async () => {
    const updated = await update(sent);
    expect(updated.status, updated.text).toBe(200);
    expect(only(await read(assistantId), expected)).toEqual(expected);
  });
});

/** The fields of a record that are expected. */
function only(record: unknown, expected: Record<string, unknown>): Record<string, unknown> {
  const found = record as Record<string, unknown>;
  return Object.fromEntries(Object.keys(expected).map((name) => [name, found[name]]));
}

const refusedGroups = [
  ...groupDisjoint(
    [...refused.map(([field, value, text]) => [field, value, field, text] as const), ...refusedInside],
    ([field]) => [field.split('.')[0] ?? field],
  ),
  ...[...refusedTools, ...refusedAfterwards].map((row) => [row]),
].map((rows) => ({
  sent: Object.fromEntries(rows.map(([field, value]) => [field, value])),
  errors: Object.fromEntries(rows.map(([, , key, text]) => [key, [text]])),
}));

describe.each(refusedGroups)('values that are refused, group %#', ({ sent, errors }) => {
  test('creating', async () => {
    const { status, body } = await create(sent);
    expect({ status, body }).toEqual({ status: 422, body: { message: 'Validation failed', errors } });
  });

  test('updating', async () => {
    const { status, body } = await update(sent);
    expect({ status, body }).toEqual({ status: 422, body: { message: 'Validation failed', errors } });
  });
});

test.each([
  ['assistant_name', 'assistant name'],
  ['voice_id', 'voice id'],
  ['language', 'language'],
  ['llm_model', 'llm model'],
  ['calls_direction', 'calls direction'],
  ['engine_type', 'engine type'],
  ['timezone', 'timezone'],
  ['initial_message', 'initial message'],
  ['system_prompt', 'system prompt'],
])('%s is required when creating, and not when updating', async (field, words) => {
  const answer = await create({ [field]: undefined });
  expect(answer.status).toBe(422);
  expect(answer.body).toEqual({ message: 'Validation failed', errors: { [field]: [REQUIRED(words)] } });
  expect((await update({})).status).toBe(200);
});

/** Both names of a field with different values; the value of the write name is stored. */
test.each<[Record<string, unknown>, Record<string, unknown>]>([
  [{ assistant_name: 'Written', name: 'Read' }, { name: 'Written' }],
  [{ language: 'German', language_id: 1 }, { language: 'German' }],
  [{ llm_model: 'Scripted dialogue (built in)', llm_model_id: 999 }, { llm_model_id: 1 }],
  [{ engine_type: 'pipeline', mode: 'multimodal' }, { mode: 'pipeline' }],
  [{ calls_direction: 'receive', type: 'outbound' }, { type: 'inbound' }],
  [{ filler_audios: true, fillers: 0 }, { fillers: 1 }],
  [{ re_engagement_interval: 8, reengagement_interval: 9 }, { reengagement_interval: 8 }],
  [{ max_call_duration: 30, max_duration: 40 }, { max_duration: 30 }],
  [{ noise_cancellation: false, enable_noise_cancellation: true }, { enable_noise_cancellation: false }],
  [{ record_call: true, record: false }, { record: true }],
  [{ who_speaks_first: 'Customer', wait_for_customer: false }, { wait_for_customer: true }],
])('of two names the write name wins: %j', async (sent, expected) => {
  expect(await read(idOf(await create(sent)))).toMatchObject(expected);
  await update(sent);
  expect(await read(assistantId)).toMatchObject(expected);
});

test('omitted fields have the documented defaults', async () => {
  expect(await read(idOf(await create()))).toMatchObject({
    llm_temperature: '0.1',
    voice_stability: '0.7',
    voice_similarity: '0.5',
    speech_speed: '1.0',
    allow_interruptions: true,
    fillers: 0,
    record: false,
    enable_noise_cancellation: true,
    wait_for_customer: false,
    initial_message_delay: 1,
    initial_message_interruptible: true,
    opt_out_key: null,
    redact: [],
    disclosure_message: null,
    fallback_llm_models: [],
    max_duration: 600,
    max_silence_duration: 40,
    reengagement_interval: 30,
    end_call_on_voicemail: 1,
    endpoint_type: 'vad',
    endpoint_sensitivity: 0.5,
    interrupt_sensitivity: 0.5,
    min_interrupt_words: 0,
    ambient_sound: 'off',
    ambient_sound_volume: '0.5',
    is_webhook_active: false,
    send_webhook_only_on_completed: true,
    include_recording_in_webhook: true,
    post_call_evaluation: true,
    post_call_schema: [
      { name: 'status', type: 'bool', description: expect.any(String) as string },
      { name: 'summary', type: 'string', description: expect.any(String) as string },
    ],
    filler_config: { neutral: expect.arrayContaining(['One moment.']) as string[] },
    variables: {},
    tools: [],
    webhook_url: null,
    inbound_webhook_url: null,
    phone_number_id: null,
    status: 'active',
  });
});
