import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statement } from '@parley/db';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { assistantRequests, type AssistantRequests } from '../../test/assistant-requests.ts';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';

/** Writing and reading assistants: the answers, records and lists of the API reference (docs/api.md, "Assistants"). */
const database = useTestDatabase();
let live: LiveApi;
let ask: AssistantRequests;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  ask = assistantRequests(live);
});

afterAll(() => live.stop());

/** "Assistant (as returned by the assistants list)", in its order. */
/** Fields of a single record that the specification does not have, and their defaults. */
const OWN_FIELDS = {
  initial_message_delay: 1,
  initial_message_interruptible: true,
  opt_out_key: null,
  redact: [],
  disclosure_message: null,
  fallback_llm_models: [],
  folder_id: null,
  label_ids: [],
  tool_ids: [],
  conversation_ended_webhook_url: null,
  conversation_inactivity_timeout: 30,
  conversation_ended_retrigger: false,
};
const RECORD_FIELDS = `
  id user_id uuid name type status mode phone_number_id engine_id synthesizer_id transcriber_id
  instance_id transcriber_provider_id synthesizer_provider_id voice_id language_id language llm_model_id
  multimodal_model_id variables post_call_evaluation post_call_schema tools fillers filler_config
  is_webhook_active webhook_url inbound_webhook_url send_webhook_only_on_completed
  include_recording_in_webhook max_duration record initial_message system_prompt flows_platform_id
  timezone max_silence_duration reengagement_interval end_call_on_voicemail llm_temperature
  voice_stability voice_similarity speech_speed ambient_sound ambient_sound_volume allow_interruptions
  enable_noise_cancellation endpoint_type endpoint_sensitivity interrupt_sensitivity min_interrupt_words
  wait_for_customer knowledgebase_id knowledgebase_mode widget_settings created_at updated_at deleted_at
`
  .trim()
  .split(/\s+/);

/** "The outbound-assistants list returns a reduced record with these fields only". */
const OUTBOUND_FIELDS = `
  id user_id name type mode status voice_id language_id timezone initial_message system_prompt variables
  webhook_url is_webhook_active created_at updated_at
`
  .trim()
  .split(/\s+/);

const NOT_FOUND = { message: 'Assistant not found' };

describe('writing', () => {
  test('creating answers 201 with the five fields', async () => {
    const { status, body } = await ask.post('assistant', newAssistant({ calls_direction: 'receive' }));
    expect(status).toBe(201);
    expect(body).toEqual({
      message: 'Assistant created successfully',
      data: {
        id: expect.any(Number) as number,
        name: 'Anna',
        status: 'active',
        type: 'inbound',
        mode: 'pipeline',
      },
    });
  });

  test('updating answers 200 with the same shape and changes only the sent fields', async () => {
    const id = await ask.make({ variables: { a: 1 } });
    const before = (await ask.read(id)).body as Record<string, unknown>;
    const { status, body } = await ask.put(id, { assistant_name: 'Berta', status: 'inactive' });
    expect(status).toBe(200);
    expect(body).toEqual({
      message: 'Assistant updated successfully',
      data: { id, name: 'Berta', status: 'inactive', type: 'outbound', mode: 'pipeline' },
    });
    expect((await ask.read(id)).body).toEqual({
      ...before,
      name: 'Berta',
      status: 'inactive',
      updated_at: expect.any(String) as string,
    });
  });

  test('a record that was read can be written back', async () => {
    const id = await ask.make({
      'end_call_tool.description': 'Soon.',
      filler_audios: true,
      max_call_duration: 99,
    });
    const before = (await ask.read(id)).body as Record<string, unknown>;
    expect((await ask.put(id, before)).status).toBe(200);
    expect((await ask.read(id)).body).toEqual({ ...before, updated_at: expect.any(String) as string });
  });

  test('an assigned number is released with null', async () => {
    const id = await ask.make({ phone_number_id: 1 });
    expect((await ask.read(id)).body).toMatchObject({ phone_number_id: 1 });
    await ask.put(id, { phone_number_id: null });
    expect((await ask.read(id)).body).toMatchObject({ phone_number_id: null });
  });

  test('deleting answers with a message once, then with 404, and removes it from all lists', async () => {
    const id = await ask.make();
    const first = await ask.remove(id);
    expect([first.status, first.body]).toEqual([200, { message: 'Assistant deleted successfully' }]);
    const second = await ask.remove(id);
    expect([second.status, second.body]).toEqual([404, NOT_FOUND]);
    expect((await ask.read(id)).status).toBe(404);
    expect((await ask.put(id, {})).status).toBe(404);
    for (const list of ['assistants', 'assistants/outbound']) {
      const { body } = await live.ask(`/api/user/${list}`);
      expect((body as { id: number }[]).map((one) => one.id)).not.toContain(id);
    }
  });

  test('a call keeps the configuration that was valid at its beginning', async () => {
    const id = await ask.make({ system_prompt: 'First.' });
    const placed = await ask.post('make_call', { assistant_id: id, phone_number: '+12025550131' });
    await ask.put(id, { system_prompt: 'Second.' });
    await ask.remove(id);
    const { call_id } = placed.body as { call_id: number };
    const frozen = statement<{ prompt: string }>(
      '',
      `select configuration->'assistant'->>'systemPrompt' as prompt from calls where id = $1`,
    );
    expect(await database.db.query(frozen, [call_id])).toEqual([{ prompt: 'First.' }]);
    expect((await live.ask(`/api/user/calls/${call_id}`)).status).toBe(200);
  });
});

describe('reading', () => {
  test('a page and the list of all show exactly the fields of the specification, and a single record our own too', async () => {
    const id = await ask.make();
    const one = (await ask.read(id)).body as Record<string, unknown>;
    expect(one).toMatchObject(OWN_FIELDS);
    const isSpecified = ([name]: [string, unknown]): boolean => !(name in OWN_FIELDS);
    const specified = Object.fromEntries(Object.entries(one).filter(isSpecified));
    expect(Object.keys(specified).toSorted()).toEqual(RECORD_FIELDS.toSorted());
    const all = (await live.ask('/api/user/assistants')).body as unknown[];
    expect(all[0]).toEqual(specified);
    const page = (await live.ask('/api/user/assistants/get')).body as { data: unknown[] };
    expect(page.data[0]).toEqual(specified);
  });

  test('the outbound list contains exactly sixteen fields, of outbound assistants only', async () => {
    const [inbound, outbound] = [await ask.make({ calls_direction: 'receive' }), await ask.make()];
    const { body } = await live.ask('/api/user/assistants/outbound');
    const records = body as Record<string, unknown>[];
    for (const record of records) expect(Object.keys(record).toSorted()).toEqual(OUTBOUND_FIELDS.toSorted());
    expect(records[0]?.['id']).toBe(outbound);
    expect(records.map((record) => record['id'])).not.toContain(inbound);
  });

  test('a user without assistants gets empty lists and an empty first page', async () => {
    const { token } = await live.addUser('Newcomer');
    expect((await live.ask('/api/user/assistants', { token })).body).toEqual([]);
    expect((await live.ask('/api/user/assistants/outbound', { token })).body).toEqual([]);
    expect((await live.ask('/api/user/assistants/get', { token })).body).toMatchObject({
      current_page: 1,
      data: [],
      from: null,
      to: null,
      last_page: 1,
      per_page: 10,
      total: 0,
    });
  });

  test('pages have ten items by default, without gaps or repetitions', async () => {
    const { token } = await live.addUser('Collector');
    for (let made = 0; made < 11; made++) {
      await live.ask('/api/user/assistant', { method: 'POST', body: newAssistant(), token });
    }
    const [first, second, past] = await Promise.all(
      ['?page=1', '?page=2', '?page=3'].map((query) =>
        live.ask(`/api/user/assistants/get${query}`, { token }),
      ),
    );
    expect(first?.body).toMatchObject({ from: 1, to: 10, last_page: 2, total: 11, prev_page_url: null });
    expect(second?.body).toMatchObject({ from: 11, to: 11, next_page_url: null });
    expect(past?.status).toBe(200);
    expect(past?.body).toMatchObject({ data: [], from: null, to: null, total: 11 });
    const ids = [first, second].flatMap((page) => (page as { body: { data: { id: number }[] } }).body.data);
    expect(new Set(ids.map((one) => one.id)).size).toBe(11);
  });

  test.each([
    ['per_page=1', 1],
    ['per_page=100', 100],
    ['per_page=&page=', 10],
    ['per_page=5&search=x&sort=name', 5],
  ])('the query %s is taken', async (query, perPage) => {
    const { status, body } = await live.ask(`/api/user/assistants/get?${query}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ per_page: perPage });
  });

  test.each(['inbound', 'outbound'])('type=%s lists these only', async (type) => {
    for (const calls_direction of ['receive', 'make'])
      await live.ask('/api/user/assistant', { method: 'POST', body: newAssistant({ calls_direction }) });
    const { body } = await live.ask(`/api/user/assistants/get?per_page=100&type=${type}`);
    const { data, total } = body as { data: { type: string }[]; total: number };
    expect(data).toHaveLength(total);
    expect(new Set(data.map((assistant) => assistant.type))).toEqual(new Set([type]));
  });

  test.each([
    ['type=web', 'type', 'The selected type is invalid.'],
    ['per_page=0', 'per_page', 'The per page must be between 1 and 100.'],
    ['per_page=101', 'per_page', 'The per page must be between 1 and 100.'],
    ['per_page=ten', 'per_page', 'The per page must be an integer.'],
    ['page=0', 'page', 'The page must be at least 1.'],
  ])('the query %s is refused', async (query, field, text) => {
    const { status, body } = await live.ask(`/api/user/assistants/get?${query}`);
    expect(status).toBe(422);
    expect(body).toEqual({ message: 'The given data was invalid.', errors: { [field]: [text] } });
  });
});
