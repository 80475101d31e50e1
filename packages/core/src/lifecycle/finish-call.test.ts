import { callDetail, callFinishedPayload, priceListBody } from '@parley/contracts';
import { statement, type DeliveryRow } from '@parley/db';
import { createHostedModel, useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { FencedError } from '../shared/domain-error.ts';
import {
  arrange,
  endOf,
  makeAnsweredCall,
  makeCall,
  makeContext,
  makeVoiceProcess,
  talkedEndOf,
  waitingJobs,
} from '../../test/arrange.ts';
import { completeCall } from './complete-call.ts';
import { findCall } from '../calls/find-call.ts';
import { finishCall, type FinishCallInput } from './finish-call.ts';
import { listProviders } from '../lookups/providers/providers.ts';
import { setPrices } from '../prices/price-list.ts';
import { placeCall } from './place-call.ts';
import { sweepCalls } from './sweep-calls.ts';

const database = useTestDatabase();

const WEBHOOK = { is_webhook_active: true, webhook_url: 'https://a.test/hook' };

async function setup(assistantFields: Record<string, unknown> = {}) {
  const about = await arrange(database.db, assistantFields);
  const callId = await makeAnsweredCall(about);
  about.clock.advance(12_600);
  const { ctx, identity } = about;
  const finish = (changes: Partial<FinishCallInput> = {}) =>
    finishCall(ctx, { ...endOf(about, callId), ...changes });
  const deliveries = () => ctx.db.query(selectDeliveries, [callId]);
  const said = talkedEndOf(about, callId).turns;
  return { ...about, callId, finish, said, deliveries, detail: () => findCall(ctx, identity, callId) };
}

/** An assistant whose calls can be evaluated. */
async function hosted() {
  return { llm_model: await createHostedModel(makeContext(database.db).ctx) };
}

const selectDeliveries = statement<DeliveryRow>('', 'select * from deliveries where call_id = $1');

describe('hang-up', () => {
  it('stores the conversation and asks for its evaluation', async () => {
    const { ctx, callId, finish, detail, said } = await setup(await hosted());
    expect(await finish({ turns: said })).toEqual({ status: 'ended_by_customer', isApplied: true });
    const call = await detail();
    expect(callDetail.parse(call)).toEqual(call);
    expect(call).toMatchObject({
      status: 'ended_by_customer',
      duration: 13,
      transcript: 'AI: Hello.\nCustomer: Hi.',
      turns: [
        { sender: 'bot', timestamp: 1_767_225_612.6, start_ms: 0, end_ms: 900, is_interrupted: false },
        { sender: 'human' },
      ],
      variables: { mood: 'good' },
      answered_by: 'human',
      ended_by: 'customer',
      ended_reason: 'customer_hung_up',
      outcome: 'talked',
      evaluation: {},
    });
    expect(await waitingJobs(ctx, 'evaluate_call', { callId })).toBe(1);
  });

  it('is written with a transcript of characters that cannot be stored', async () => {
    const { finish, detail } = await setup();
    expect(await finish({ transcript: 'AI: Hel\0lo.' })).toMatchObject({ isApplied: true });
    expect((await detail()).transcript).toBe('AI: Hel\u{FFFD}lo.');
  });

  it.each([
    ['the model follows a script', async () => ({}), true, 'no_llm'],
    ['the customer said nothing', hosted, false, 'nothing_said'],
  ])('settles the call at once when %s', async (_what, fields, isSaid, reason) => {
    const { ctx, callId, finish, detail, said } = await setup(await fields());
    expect(await finish(isSaid ? { turns: said } : {})).toEqual({ status: 'completed', isApplied: true });
    const call = await detail();
    expect(call).toMatchObject({ ended_by: 'customer', evaluation: { status: null, summary: null } });
    expect(call.events.slice(-3)).toMatchObject([
      { type: 'customer-hung-up' },
      { type: 'evaluation_skipped', detail: { reason } },
      { type: 'settled' },
    ]);
    expect(await waitingJobs(ctx, 'evaluate_call', { callId })).toBe(0);
  });

  it('fills the evaluation of a scripted call with the values that the script has stored', async () => {
    const post_call_schema = [
      { name: 'status', type: 'bool', description: 'Whether the caller comes' },
      { name: 'guests', type: 'number', description: 'How many come' },
      { name: 'summary', type: 'string', description: 'What was said' },
    ];
    const { finish, detail, said, deliveries } = await setup({ ...WEBHOOK, post_call_schema });
    await finish({ turns: said, variables: { status: 'yes', guests: '2', day: 'Monday' } });
    const evaluation = { status: true, guests: 2, summary: null };
    expect((await detail()).evaluation).toEqual(evaluation);
    const [delivery] = await deliveries();
    expect(delivery?.payload).toMatchObject({
      evaluation,
      extracted_variables: { ...evaluation, day: 'Monday' },
    });
  });

  it('frees the number at once', async () => {
    const { ctx, identity, assistant, finish, detail } = await setup();
    const phoneNumber = (await detail()).client_phone_number;
    const again = () => placeCall(ctx, identity, { phoneNumber, assistantId: assistant.id });
    await expect(again()).rejects.toMatchObject({ kind: 'conflict' });
    await finish();
    await expect(again()).resolves.toBeDefined();
  });

  it('happens once; what comes second is ignored', async () => {
    const { ctx, callId, finish, detail, said } = await setup(await hosted());
    const both = {
      customer: finish({ turns: said }),
      assistant: finish({ event: 'assistant-hung-up', transcript: 'other', turns: said }),
    };
    const results = await Promise.all([both.customer, both.assistant]);
    expect(results.filter((result) => result.isApplied)).toHaveLength(1);
    expect((await finish({ transcript: 'late' })).isApplied).toBe(false);
    expect((await detail()).transcript).not.toBe('late');
    expect(await waitingJobs(ctx, 'evaluate_call', { callId })).toBe(1);
  });

  it('is not believed of a process that lost the call', async () => {
    const { ctx, finish, detail } = await setup();
    await expect(finish({ fence: await makeVoiceProcess(ctx) })).rejects.toBeInstanceOf(FencedError);
    expect((await detail()).status).toBe('in-progress');
  });

  it('of an unanswered call is ignored', async () => {
    const about = await arrange(database.db);
    const callId = await makeCall(about);
    const { fence: _fence, ...end } = endOf(about, callId);
    expect(await finishCall(about.ctx, end)).toEqual({ status: 'initiated', isApplied: false });
  });

  it('a recording is heard from then on, and one that came to nothing is not', async () => {
    const recorded = await setup({ record_call: true });
    expect((await recorded.detail()).recording_url).toBeUndefined();
    await recorded.finish({ recording: { key: '2026/01/1.wav', durationMs: 12_600, sampleRate: 8000 } });
    const start = `https://parley.test/recordings/${recorded.callId}/`;
    expect((await recorded.detail()).recording_url).toMatch(new RegExp(`^${start}\\d{10}-[\\w-]{43}\\.wav$`));

    const failed = await setup({ record_call: true });
    await failed.finish({ recording: null });
    expect((await failed.detail()).recording_url).toBeUndefined();
  });

  it.each([true, false])(
    'noise is removed from a recording if the assistant asks for it: %s',
    async (isAsked) => {
      const { ctx, callId, finish } = await setup({ record_call: true, enable_noise_cancellation: isAsked });
      const key = `2026/01/${callId}.wav`;
      await finish({ recording: { key, durationMs: 12_600, sampleRate: 8000 } });
      expect(await waitingJobs(ctx, 'remove_noise', { callId, key })).toBe(isAsked ? 1 : 0);
    },
  );
});

describe('completing', () => {
  it('writes an empty evaluation keyed by the schema, and says why in the timeline', async () => {
    const { ctx, callId, finish, detail } = await setup();
    await finish();
    expect(await completeCall(ctx, callId)).toBe('completed');
    const call = await detail();
    expect(call).toMatchObject({
      status: 'completed',
      evaluation: { status: null, summary: null },
      duration: 13,
    });
    expect(call.events.slice(-2)).toMatchObject([
      { type: 'evaluation_skipped', detail: { reason: 'no_llm' } },
      { type: 'settled' },
    ]);
  });

  it('evaluates nothing where the assistant does not ask for it', async () => {
    const { ctx, callId, finish, detail } = await setup({ post_call_evaluation: false });
    await finish();
    await completeCall(ctx, callId);
    expect(await detail()).toMatchObject({ status: 'completed', evaluation: {} });
  });

  it('happens once and puts one webhook into the outbox, raced by job and sweep', async () => {
    const { ctx, clock, callId, finish, deliveries, detail } = await setup(WEBHOOK);
    await finish();
    clock.advance(60_001);
    // All connections are open before the race begins, or the first would be over when the last one starts.
    await Promise.all(Array.from({ length: 5 }, () => ctx.db.ping()));
    await Promise.all([
      completeCall(ctx, callId),
      completeCall(ctx, callId),
      sweepCalls(ctx, { hasBeenReachableForMs: 0, unreachable: [] }),
      sweepCalls(ctx, { hasBeenReachableForMs: 0, unreachable: [] }),
    ]);
    const [delivery, ...others] = await deliveries();
    expect(others).toEqual([]);
    expect((await detail()).events.filter((event) => event.type === 'settled')).toHaveLength(1);
    expect(delivery).toMatchObject({ status: 'pending', stage: 'due', origin: 'https://a.test' });
  });

  it('sends the flat body of the decisions', async () => {
    const { ctx, callId, assistant, finish, deliveries } = await setup(WEBHOOK);
    await finish();
    await completeCall(ctx, callId);
    const [delivery] = await deliveries();
    expect(delivery).toMatchObject({
      event: 'call.finished',
      url: 'https://a.test/hook',
      target: 'post-call',
      status: 'pending',
    });
    expect(callFinishedPayload.parse(delivery?.payload)).toEqual({
      event: 'call.finished',
      id: callId,
      customer_phone: expect.stringMatching(/^\+1\d{10}$/),
      assistant_phone: '+12025550100',
      duration: 13,
      status: 'completed',
      assistant_id: assistant.id,
      campaign_id: null,
      ended_reason: 'customer_hung_up',
      outcome: 'talked',
      disposition: null,
      extracted_variables: { mood: 'good', status: null, summary: null },
      evaluation: { status: null, summary: null },
      input_variables: { name: 'Bo' },
      transcript: 'AI: Hello.\nCustomer: Hi.',
      turns: [{ sender: 'bot', timestamp: 1_767_225_612.6, text: 'Hello.' }],
      recording_url: null,
      created_at: '2026-01-01T00:00:00.000000Z',
      finished_at: '2026-01-01T00:00:12.600000Z',
      carrier_cost: 0,
      total_cost: 0,
      lead: null,
      campaign: null,
    });
  });

  it('sends the evaluation, merged over what tools collected', async () => {
    const { ctx, callId, finish, deliveries, said } = await setup({ ...WEBHOOK, ...(await hosted()) });
    await finish({ turns: said, variables: { mood: 'good', status: 'tool', kept: 1 } });
    const values = { status: true, summary: 'Booked', kept: null };
    await completeCall(ctx, callId, { values, detail: {} });
    const [delivery] = await deliveries();
    expect(callFinishedPayload.parse(delivery?.payload)).toMatchObject({
      extracted_variables: { mood: 'good', status: true, summary: 'Booked', kept: 1 },
      evaluation: values,
    });
  });

  it('sends the costs that the same transaction charges', async () => {
    const { ctx, identity, finish, deliveries } = await setup(WEBHOOK);
    const [builtIn] = await listProviders(ctx, identity);
    const prices = { providers: [{ provider_id: builtIn?.id ?? 0, per_minute: 60 }] };
    await setPrices(ctx, identity, priceListBody.parse(prices));
    expect(await finish()).toMatchObject({ status: 'completed' });
    expect((await deliveries())[0]?.payload).toMatchObject({ carrier_cost: 0, total_cost: 13 });
  });

  it('leaves the recording out where the assistant says so', async () => {
    const { ctx, callId, finish, deliveries } = await setup({
      ...WEBHOOK,
      include_recording_in_webhook: false,
    });
    await finish();
    await completeCall(ctx, callId);
    expect((await deliveries())[0]?.payload).not.toHaveProperty('recording_url');
  });

  it('heeds a webhook that was switched off during the call', async () => {
    const { ctx, callId, finish, deliveries, assistant } = await setup(WEBHOOK);
    await ctx.db.query(statement('', 'update assistants set is_webhook_active = false where id = $1'), [
      assistant.id,
    ]);
    await finish();
    expect(await completeCall(ctx, callId)).toBe('completed');
    expect(await deliveries()).toEqual([]);
  });

  it('changes nothing before hang-up', async () => {
    const { ctx, callId, detail } = await setup(WEBHOOK);
    expect(await completeCall(ctx, callId)).toBe('in-progress');
    expect((await detail()).status).toBe('in-progress');
  });
});
