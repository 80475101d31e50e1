import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange, freshNumber, makeUser, waitingJobs } from '../../test/arrange.ts';
import { arrangeCarrier } from '../../test/arrange-carrier.ts';
import { findCall } from '../calls/find-call.ts';
import { addProvider } from '../lookups/add-provider.ts';
import { loadCallForVoice } from '../calls/load-call-for-voice.ts';
import { placeCall } from './place-call.ts';
import { requestHangUp } from './request-hang-up.ts';

const database = useTestDatabase();
/** No server listens there, so keys are stored untested. */
const CLOSED_PORT = 'http://127.0.0.1:9';

async function setup(assistantFields: Record<string, unknown> = {}) {
  const about = await arrange(database.db, assistantFields);
  const { ctx, identity, assistant } = about;
  const place = (phoneNumber: string, variables?: Record<string, unknown>) =>
    placeCall(ctx, identity, { phoneNumber, assistantId: assistant.id, variables });
  return { ...about, place };
}

const countCalls = statement<{ calls: number; live: number }>(
  '',
  `select (select count(*) from calls where user_id = $1) as calls,
     (select count(*) from live_calls where user_id = $1) as live`,
);

const findTrunk = statement<{ trunkId: number; isTest: boolean }>(
  '',
  'select l.trunk_id, t.is_test from live_calls l join trunks t on t.id = l.trunk_id where l.call_id = $1',
);
const removeTestTrunks = statement('', 'update trunks set is_test = false where user_id = $1');

describe('placing a call', () => {
  it('writes the call and the job that dials it', async () => {
    const { ctx, identity, place } = await setup();
    const to = freshNumber();
    const { callId } = await place(to.replace('55501', ' 555 01'), { name: 'Bo' });
    expect(await findCall(ctx, identity, callId)).toMatchObject({
      status: 'initiated',
      type: 'outbound',
      client_phone_number: to,
      sip_trunk_name: 'Test phones',
      assistant_phone_number: '+12025550100',
      input_variables: { name: 'Bo' },
      variables: {},
      duration: 0,
      transcript: '',
      evaluation: {},
      webhook_response: {},
      total_cost: 0,
      answered_by: 'unknown',
      events: [{ type: 'initiated' }],
    });
    expect(await waitingJobs(ctx, 'dial_call', { callId })).toBe(1);
  });

  it('twelve at once to one number: one is placed, the others are refused', async () => {
    const { ctx, identity, place } = await setup();
    const to = freshNumber();
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => place(to)));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(11);
    for (const { reason } of refused) expect(reason).toMatchObject({ kind: 'conflict' });
    expect(await ctx.db.query(countCalls, [identity.userId])).toEqual([{ calls: 1, live: 1 }]);
  });

  it('two users may call the same number, and one user again once the first call is over', async () => {
    const [one, other] = [await setup(), await setup()];
    const to = freshNumber();
    const { callId } = await one.place(to);
    await expect(other.place(to)).resolves.toBeDefined();
    await requestHangUp(one.ctx, one.identity, callId);
    await expect(one.place(to)).resolves.toBeDefined();
  });

  it.each(['', 'hello', '+4912', '2025550123'])('refuses the number %j', async (to) => {
    const { ctx, identity, place } = await setup();
    await expect(place(to)).rejects.toMatchObject({
      kind: 'invalid',
      message: 'The given data was invalid.',
      fields: { phone_number: ['Invalid phone number'] },
    });
    expect(await ctx.db.query(countCalls, [identity.userId])).toEqual([{ calls: 0, live: 0 }]);
  });

  it("reads a number without + as one of the user's country", async () => {
    const { ctx, identity, place } = await setup();
    const setCountry = statement('', `update users set default_country = 'US' where id = $1`);
    await ctx.db.query(setCountry, [identity.userId]);
    const { callId } = await place('(202) 555-0177');
    expect((await findCall(ctx, identity, callId)).client_phone_number).toBe('+12025550177');
  });

  it('says so when no line reaches the number', async () => {
    const { place } = await setup();
    await expect(place('+4915123456789')).rejects.toMatchObject({
      kind: 'invalid',
      fields: { phone_number: [expect.stringMatching(/^No configured trunk can reach this number\./)] },
    });
  });

  it('a test call uses the test trunk only, although a trunk to a carrier comes first', async () => {
    const { ctx, identity, assistant, trunkId } = await arrangeCarrier(database.db);
    const call = { phoneNumber: freshNumber(), assistantId: assistant.id };
    const trunkOf = async ({ callId }: { callId: number }) => ctx.db.query(findTrunk, [callId]);
    expect(await trunkOf(await placeCall(ctx, identity, call))).toEqual([{ trunkId, isTest: false }]);
    const testCall = { ...call, phoneNumber: freshNumber(), isTest: true };
    expect(await trunkOf(await placeCall(ctx, identity, testCall))).toMatchObject([{ isTest: true }]);
    await ctx.db.query(removeTestTrunks, [identity.userId]);
    const refused = placeCall(ctx, identity, { ...testCall, phoneNumber: freshNumber() });
    await expect(refused).rejects.toMatchObject({ kind: 'invalid' });
  });

  it("another user's assistant is not found, and an inactive one is refused", async () => {
    const { ctx, assistant, identity, place } = await setup();
    const stranger = await makeUser(ctx);
    const foreign = placeCall(ctx, stranger, { phoneNumber: freshNumber(), assistantId: assistant.id });
    await expect(foreign).rejects.toMatchObject({ kind: 'not-found', message: 'Assistant not found' });
    const deactivate = statement('', `update assistants set status = 'inactive' where user_id = $1`);
    await ctx.db.query(deactivate, [identity.userId]);
    await expect(place(freshNumber())).rejects.toMatchObject({
      kind: 'invalid',
      fields: { assistant_id: [expect.any(String)] },
    });
  });

  it('freezes the assistant: what changes later does not change the call', async () => {
    const { ctx, identity, place } = await setup({
      variables: { greeting: 'Hi', name: 'nobody' },
      record_call: true,
    });
    const { callId } = await place(freshNumber(), { name: 'Bo' });
    const rewrite = statement(
      '',
      `update assistants set system_prompt = 'Changed', is_recorded = false where user_id = $1`,
    );
    await ctx.db.query(rewrite, [identity.userId]);
    expect(await loadCallForVoice(ctx, callId)).toMatchObject({
      assistant: { systemPrompt: 'Be brief.', llmTemperature: 0.1, isInterruptible: true },
      voice: { wireName: 'slt', kind: 'built-in', apiKey: null },
      model: { wireName: 'scripted' },
      language: { iso2: 'en' },
      trunk: { host: '127.0.0.1', port: 5070, transport: 'udp', password: null },
      variables: { greeting: 'Hi', name: 'Bo' },
      recordingKey: `2026/01/${callId}.wav`,
    });
  });

  it('may be transcribed by whom the assistant names, then by the best', async () => {
    const { ctx, identity, place } = await setup();
    const add = (kind: 'deepgram' | 'assemblyai') =>
      addProvider(ctx, {
        name: kind,
        kind,
        baseUrl: CLOSED_PORT,
        apiKey: `key of ${kind}`,
        models: [],
        voices: [],
      });
    const { id: deepgram } = await add('deepgram');
    const { id: assemblyai } = await add('assemblyai');
    const kindsOf = async (callId: number) =>
      (await loadCallForVoice(ctx, callId)).recognisers.map(({ kind }) => kind);
    const first = await place(freshNumber());
    expect(await kindsOf(first.callId)).toEqual(['deepgram', 'assemblyai', 'built-in']);
    const choose = statement('', 'update assistants set transcriber_provider_id = $2 where user_id = $1');
    await ctx.db.query(choose, [identity.userId, assemblyai]);
    const second = await place(freshNumber());
    expect((await loadCallForVoice(ctx, second.callId)).recognisers).toMatchObject([
      { providerId: assemblyai, apiKey: 'key of assemblyai' },
      { providerId: deepgram },
      { kind: 'built-in' },
    ]);
    expect(await kindsOf(first.callId)).toEqual(['deepgram', 'assemblyai', 'built-in']);
  });
});

it('an inbound assistant does not dial', async () => {
  const { place } = await setup({ calls_direction: 'receive' });
  await expect(place(freshNumber())).rejects.toMatchObject({
    kind: 'invalid',
    fields: { assistant_id: ['The assistant only receives calls.'] },
  });
});

it('a call has instructions and questions of its own, and leaves the assistant as it is', async () => {
  const { ctx, identity, assistant, place } = await setup();
  const { id: provider } = await addProvider(ctx, {
    name: 'Own server',
    kind: 'openai-compatible',
    baseUrl: CLOSED_PORT,
    apiKey: 'key',
    models: [{ name: 'Own model', wireName: 'own-model' }],
    voices: [],
  });
  const choose = statement(
    '',
    `update assistants set llm_model_id = (select id from llm_models where provider_id = $2) where user_id = $1`,
  );
  await ctx.db.query(choose, [identity.userId, provider]);
  const postCallSchema = [{ name: 'moved', type: 'bool' as const, description: 'Whether it was moved' }];
  const instructions = 'Ask to move the table to eight.';
  const call = { phoneNumber: freshNumber(), assistantId: assistant.id, instructions, postCallSchema };
  const { callId } = await placeCall(ctx, identity, call);
  expect(await loadCallForVoice(ctx, callId)).toMatchObject({
    assistant: { systemPrompt: `Be brief.\n\n${instructions}`, postCallSchema, isPostCallEvaluated: true },
  });
  const { callId: next } = await place(freshNumber());
  const { assistant: usual } = await loadCallForVoice(ctx, next);
  expect(usual.systemPrompt).toBe('Be brief.');
  expect(usual.postCallSchema).not.toEqual(postCallSchema);
});

it('instructions are refused for the built-in model, which follows a script', async () => {
  const { ctx, identity, assistant } = await setup();
  const call = { phoneNumber: freshNumber(), assistantId: assistant.id, instructions: 'Be kind.' };
  await expect(placeCall(ctx, identity, call)).rejects.toMatchObject({
    kind: 'invalid',
    fields: { instructions: [expect.stringContaining('script')] },
  });
  expect(await ctx.db.query(countCalls, [identity.userId])).toEqual([{ calls: 0, live: 0 }]);
});
