import { assistantRecord, outboundAssistantRecord } from '@parley/contracts';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { makeAssistant, makeContext, makeNumber, makeUser } from '../../test/arrange.ts';
import { findAssistant } from './find-assistant.ts';
import { listAllAssistants, listAssistants, listOutboundAssistants } from './list-assistants.ts';

const database = useTestDatabase();

async function setup() {
  const { ctx } = makeContext(database.db);
  const identity = await makeUser(ctx);
  const make = (fields: Record<string, unknown> = {}) => makeAssistant(ctx, identity, fields);
  return { ctx, identity, make };
}

describe('creating an assistant', () => {
  it('answers exactly the record of the specification', async () => {
    const { make } = await setup();
    const record = await make();
    expect(assistantRecord.parse(record)).toEqual(record);
  });

  it('fills in the defaults', async () => {
    const { make } = await setup();
    expect(await make()).toMatchObject({
      type: 'outbound',
      status: 'active',
      language: 'English',
      llm_temperature: '0.1',
      speech_speed: '1.0',
      fillers: 0,
      filler_config: { question: ['Good question.', 'Let me think.'] },
      end_call_on_voicemail: 1,
      max_duration: 600,
      post_call_schema: [
        { name: 'status', type: 'bool' },
        { name: 'summary', type: 'string' },
      ],
      tools: [],
      variables: {},
      widget_settings: {},
      knowledgebase_mode: '',
      created_at: '2026-01-01T00:00:00.000000Z',
      deleted_at: null,
    });
  });

  it('keeps what was written, to the digit', async () => {
    const { make } = await setup();
    const record = await make({
      llm_temperature: 0,
      voice_stability: 0.123456789,
      endpoint_sensitivity: 4.5,
      who_speaks_first: 'Customer',
      variables: { name: 'Bo', nested: { list: [1, null, 'ü'] } },
      'end_call_tool.description': 'When all is said.',
      filler_audios: 'true',
    });
    expect(record).toMatchObject({
      llm_temperature: '0.0',
      voice_stability: '0.123456789',
      endpoint_sensitivity: 4.5,
      wait_for_customer: true,
      variables: { name: 'Bo', nested: { list: [1, null, 'ü'] } },
      tools: [{ type: 'end_call', data: { description: 'When all is said.' } }],
      fillers: 1,
    });
  });

  it('speaks fillers in its own language', async () => {
    const { make } = await setup();
    const record = await make({ language: 'german', filler_config: { neutral: ['Hm.'] } });
    expect(record.filler_config).toMatchObject({ neutral: ['Hm.'], positive: ['Sehr gut.', 'Wunderbar.'] });
  });

  it('names every reference that leads nowhere, in the words of the API', async () => {
    const { make } = await setup();
    const attempt = make({
      voice_id: 999_999,
      language: 'Klingon',
      llm_model: 'none',
      phone_number_id: 999_999,
    });
    await expect(attempt).rejects.toMatchObject({
      kind: 'invalid',
      message: 'Validation failed',
      fields: {
        voice_id: ['The selected voice id is invalid.'],
        language: ['The selected language is invalid.'],
        llm_model: ['The selected llm model is invalid.'],
        phone_number_id: ['The selected phone number id is invalid.'],
      },
    });
  });

  it('refuses a voice of another mode', async () => {
    const { make } = await setup();
    await expect(make({ engine_type: 'multimodal' })).rejects.toMatchObject({
      fields: { voice_id: ['The selected voice id is invalid.'] },
    });
  });

  it("refuses another user's number, and one that is only a caller ID", async () => {
    const about = await setup();
    const [foreign, callerId] = [await makeNumber(await setup()), await makeNumber(about, 'Caller ID')];
    const inbound = { calls_direction: 'receive' };
    await expect(about.make({ phone_number_id: foreign })).rejects.toMatchObject({ kind: 'invalid' });
    await expect(about.make({ ...inbound, phone_number_id: callerId })).rejects.toMatchObject({
      kind: 'invalid',
    });
    await expect(about.make({ phone_number_id: callerId })).resolves.toMatchObject({
      phone_number_id: callerId,
    });
  });

  it('lets a number ring at one inbound assistant only, also when two are made at once', async () => {
    const about = await setup();
    const inbound = { calls_direction: 'receive', phone_number_id: await makeNumber(about) };
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => about.make(inbound)));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(3);
    for (const { reason } of refused) {
      expect(reason).toMatchObject({ kind: 'invalid', fields: { phone_number_id: [expect.any(String)] } });
    }
  });
});

describe('reading assistants', () => {
  it('pages them, newest first, with the total', async () => {
    const { ctx, identity, make } = await setup();
    const ids: number[] = [];
    for (let made = 0; made < 3; made++) ids.unshift((await make()).id);
    const second = await listAssistants(ctx, identity, { page: 2, perPage: 2 });
    expect({ ids: second.rows.map((row) => row.id), total: second.total }).toEqual({
      ids: ids.slice(2),
      total: 3,
    });
    expect((await listAssistants(ctx, identity, { page: 9, perPage: 2 })).rows).toEqual([]);
    expect((await listAllAssistants(ctx, identity)).map((row) => row.id)).toEqual(ids);
  });

  it('lists those that call out in the reduced form', async () => {
    const { ctx, identity, make } = await setup();
    await make({ calls_direction: 'receive' });
    const outbound = await make();
    const [record, ...others] = await listOutboundAssistants(ctx, identity);
    expect(others).toEqual([]);
    expect(outboundAssistantRecord.parse(record)).toEqual(record);
    expect(record?.id).toBe(outbound.id);
  });

  it("answers the same for another user's assistant and a missing one", async () => {
    const { ctx, make } = await setup();
    const stranger = await makeUser(ctx);
    const { id } = await make();
    const notFound = { kind: 'not-found', message: 'Assistant not found' };
    await expect(findAssistant(ctx, stranger, id)).rejects.toMatchObject(notFound);
    await expect(findAssistant(ctx, stranger, 999_999)).rejects.toMatchObject(notFound);
    expect(await listAllAssistants(ctx, stranger)).toEqual([]);
  });
});
