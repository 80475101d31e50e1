/** Events for webhook endpoints: each once, in the transaction of what it reports, and only to those that subscribe to it. */
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrangeCarrier } from '../../test/arrange-carrier.ts';
import { askToDial, endUnanswered, makeCampaign, makeLead, onlyDial } from '../../test/arrange-campaign.ts';
import { runWithKills, subscribe } from '../../test/arrange-endpoints.ts';
import { ownTrunk } from '../../test/arrange-limits.ts';
import {
  arrange,
  arrangeHosted,
  endOf,
  makeAnsweredCall,
  makeContext,
  makeDialedCall,
  makeIntendedCall,
  makeUser,
  talkedEndOf,
  type Arrangement,
} from '../../test/arrange.ts';
import { changeUserAccount } from '../accounts/user-accounts.ts';
import { placeCall } from '../lifecycle/place-call.ts';
import { authorizeDial } from '../lifecycle/authorize-dial.ts';
import { claimWebCall } from '../lifecycle/claim-web-call.ts';
import { completeCall } from '../lifecycle/complete-call.ts';
import { finishCall } from '../lifecycle/finish-call.ts';
import { placeWebCall } from '../lifecycle/place-web-call.ts';
import { recordCallEvent } from '../lifecycle/record-call-event.ts';
import { replaceRecording } from '../lifecycle/replace-recording.ts';
import { runCampaign } from '../lifecycle/run-campaign.ts';

const database = useTestDatabase();
const RECORDING = { key: '2026/01/call.wav', durationMs: 900, sampleRate: 8000 };
const SCHEMA = { post_call_schema: [{ name: 'mail', type: 'string', description: 'The address' }] };

const answer = (about: Arrangement, callId: number, ctx = about.ctx) =>
  recordCallEvent(ctx, {
    callId,
    event: 'answered',
    at: new Date(about.clock.now()),
    fence: about.fence,
  });

describe('the events of a call', () => {
  it('are reported in order, with the facts of the call', async () => {
    const about = await arrange(database.db);
    const { events, payloads, rows } = await subscribe(about);
    const callId = await makeAnsweredCall(about);
    about.clock.advance(5_000);
    await finishCall(about.ctx, endOf(about, callId));
    expect((await events()).toSorted()).toEqual(['call.answered', 'call.ended', 'call.started']);
    const shared = {
      call_id: callId,
      type: 'outbound',
      customer_phone: expect.stringMatching(/^\+1/),
      assistant_phone: '+12025550100',
      assistant_id: about.assistant.id,
      campaign_id: null,
      lead_id: null,
    };
    for (const payload of await payloads()) expect(payload).toMatchObject(shared);
    expect((await payloads()).find(({ event }) => event === 'call.ended')).toMatchObject({
      status: 'completed',
      ended_reason: 'customer_hung_up',
      duration: 5,
      occurred_at: '2026-01-01T00:00:05.000000Z',
    });
    expect((await rows())[0]).toMatchObject({
      callId,
      userId: about.identity.userId,
      assistantId: null,
      status: 'pending',
      stage: 'due',
    });
  });

  it('are reported once, however often they are repeated', async () => {
    const about = await arrange(database.db);
    const { events } = await subscribe(about);
    const callId = await makeDialedCall(about);
    await authorizeDial(about.ctx, { callId, fence: about.fence });
    await answer(about, callId);
    await answer(about, callId);
    await finishCall(about.ctx, endOf(about, callId));
    await finishCall(about.ctx, endOf(about, callId));
    expect(await events()).toHaveLength(3);
  });

  it('the end of a call that was not answered is reported', async () => {
    const about = await arrange(database.db);
    const { payloads } = await subscribe(about, { events: ['call.ended'] });
    const callId = await makeDialedCall(about);
    const at = new Date(about.clock.now());
    await recordCallEvent(about.ctx, { callId, event: 'busy', at, fence: about.fence });
    expect(await payloads()).toMatchObject([{ status: 'busy', ended_reason: 'busy', duration: 0 }]);
  });

  it('a web call starts when its browser connects', async () => {
    const about = await arrange(database.db);
    const { payloads } = await subscribe(about, { events: ['call.started'] });
    const { ctx, identity, assistant, fence } = about;
    const { ticket, callId } = await placeWebCall(ctx, identity, { assistantId: assistant.id });
    expect(await payloads()).toEqual([]);
    await claimWebCall(ctx, { ticket, voiceProcess: fence });
    expect(await claimWebCall(ctx, { ticket, voiceProcess: fence })).toBeNull();
    expect(await payloads()).toMatchObject([{ call_id: callId, type: 'web', customer_phone: '' }]);
  });

  it('the evaluation is redacted as the assistant wants it', async () => {
    const about = await arrangeHosted(database.db, { ...SCHEMA, redact: ['email'] });
    const { payloads } = await subscribe(about, { events: ['call.evaluated'] });
    const callId = await makeAnsweredCall(about);
    await finishCall(about.ctx, talkedEndOf(about, callId));
    expect(await payloads()).toEqual([]);
    const outcome = { values: { mail: 'ada@example.org' }, detail: {} };
    const kills = await runWithKills(
      about.ctx,
      (ctx) => completeCall(ctx, callId, outcome),
      async () => expect(await payloads()).toEqual([]),
    );
    expect(kills).toBeGreaterThan(4);
    await completeCall(about.ctx, callId, outcome);
    const [payload, ...others] = await payloads();
    expect(others).toEqual([]);
    expect(payload).toMatchObject({ call_id: callId, evaluation: { mail: expect.any(String) } });
    expect(JSON.stringify(payload)).not.toContain('ada@');
  });

  it.each([
    [
      'started',
      makeIntendedCall,
      (about: Arrangement, callId: number) => (ctx: Arrangement['ctx']) =>
        authorizeDial(ctx, { callId, fence: about.fence }),
    ],
    [
      'answered',
      makeDialedCall,
      (about: Arrangement, callId: number) => (ctx: Arrangement['ctx']) => answer(about, callId, ctx),
    ],
    [
      'ended',
      makeAnsweredCall,
      (about: Arrangement, callId: number) => (ctx: Arrangement['ctx']) =>
        finishCall(ctx, endOf(about, callId)),
    ],
  ] as const)('call.%s is written with the state or not at all', async (event, make, work) => {
    const about = await arrange(database.db);
    const { events } = await subscribe(about, { events: [`call.${event}`] });
    const callId = await make(about);
    const state = async () =>
      (await about.ctx.db.query(stateOfCall, [callId])).map((row) => JSON.stringify(row));
    const before = await state();
    const kills = await runWithKills(about.ctx, work(about, callId), async () => {
      expect(await events()).toEqual([]);
      expect(await state()).toEqual(before);
    });
    expect(kills).toBeGreaterThan(4);
    expect(await state()).not.toEqual(before);
    expect(await events()).toEqual([`call.${event}`]);
  });
});

const stateOfCall = statement<{ status: string; inviteSentAt: Date | null }>(
  '',
  `select c.status, l.invite_sent_at from calls c left join live_calls l on l.call_id = c.id where c.id = $1`,
);

describe('a recording', () => {
  it('is ready at the end of the call, with an address that can be opened', async () => {
    const about = await arrange(database.db, { record_call: true, enable_noise_cancellation: false });
    const { payloads } = await subscribe(about, { events: ['recording.ready'] });
    const callId = await makeAnsweredCall(about);
    await finishCall(about.ctx, { ...endOf(about, callId), recording: RECORDING });
    expect(await payloads()).toMatchObject([
      { call_id: callId, recording_url: expect.stringMatching(/^https:\/\/parley\.test\/.*\.wav$/) },
    ]);
  });

  it('is ready when its noise is removed, once', async () => {
    const about = await arrange(database.db, { record_call: true, enable_noise_cancellation: true });
    const { payloads } = await subscribe(about, { events: ['recording.ready'] });
    const callId = await makeAnsweredCall(about);
    await finishCall(about.ctx, { ...endOf(about, callId), recording: RECORDING });
    expect(await payloads()).toEqual([]);
    const job = { callId, key: RECORDING.key };
    await runWithKills(
      about.ctx,
      (ctx) => replaceRecording(ctx, job),
      async () => expect(await payloads()).toEqual([]),
    );
    await replaceRecording(about.ctx, job);
    expect(await payloads()).toMatchObject([{ call_id: callId }]);
  });

  it('is not reported where nothing was recorded', async () => {
    const about = await arrange(database.db, { record_call: true });
    const { events } = await subscribe(about, { events: ['recording.ready'] });
    await finishCall(about.ctx, endOf(about, await makeAnsweredCall(about)));
    expect(await events()).toEqual([]);
  });
});

describe('a campaign', () => {
  it('reports its settled lead and its completion, without phone numbers', async () => {
    const about = await arrange(database.db);
    const { payloads } = await subscribe(about, { events: ['lead.settled', 'campaign.completed'] });
    const campaignId = await makeCampaign(about, { maxRetries: 1, retryIntervalSeconds: 600 });
    const lead = await makeLead(about, campaignId);
    await runCampaign(about.ctx, campaignId);
    await endUnanswered(about, (await onlyDial(about, campaignId)).callId, 'no-answer');
    expect(await payloads()).toEqual([]);
    about.clock.advance(600_000);
    await runCampaign(about.ctx, campaignId);
    const { callId } = await onlyDial(about, campaignId);
    await endUnanswered(about, callId, 'no-answer');
    await runCampaign(about.ctx, campaignId);
    await runCampaign(about.ctx, campaignId);
    const shared = { campaign_id: campaignId, assistant_id: about.assistant.id };
    expect((await payloads()).toSorted((a, b) => b.event.localeCompare(a.event))).toMatchObject([
      { ...shared, event: 'lead.settled', lead_id: lead.id, call_id: callId, status: 'reached-max-retries' },
      { ...shared, event: 'campaign.completed' },
    ]);
    expect(JSON.stringify(await payloads())).not.toContain('+1');
  });

  it('settles a lead and completes with its event or not at all', async () => {
    const about = await arrange(database.db);
    const settled = await subscribe(about, { events: ['lead.settled'] });
    const completed = await subscribe(about, { events: ['campaign.completed'] });
    const campaignId = await makeCampaign(about);
    await makeLead(about, campaignId);
    await runCampaign(about.ctx, campaignId);
    const { callId } = await onlyDial(about, campaignId);
    await askToDial(about, callId);
    await answer(about, callId);
    const states = async () => JSON.stringify(await about.ctx.db.query(stateOfCampaign, [campaignId]));
    const before = await states();
    await runWithKills(
      about.ctx,
      (ctx) => finishCall(ctx, talkedEndOf(about, callId)),
      async () => expect([await settled.events(), await states()]).toEqual([[], before]),
    );
    expect(await settled.payloads()).toMatchObject([{ status: 'completed', call_id: callId }]);
    const called = await states();
    if ((await completed.events()).length === 0)
      await runWithKills(
        about.ctx,
        (ctx) => runCampaign(ctx, campaignId),
        async () => expect([await completed.events(), await states()]).toEqual([[], called]),
      );
    expect(await completed.payloads()).toMatchObject([{ campaign_id: campaignId }]);
  });
});

const stateOfCampaign = statement<{ campaign: string; lead: string }>(
  '',
  `select c.status as campaign, l.status as lead from campaigns c join leads l on l.campaign_id = c.id where c.id = $1`,
);

describe('an account', () => {
  it('learns that its trunk is paused', async () => {
    const about = await arrange(database.db);
    const trunkId = await ownTrunk(about);
    const { payloads } = await subscribe(about, {
      events: ['trunk.paused'],
      assistant_ids: [about.assistant.id],
    });
    const fail = async (callId: number, ctx = about.ctx) => {
      const detail = { reason: 'unavailable' } as const;
      const at = new Date(about.clock.now());
      await recordCallEvent(ctx, { callId, event: 'failed', at, detail, fence: about.fence });
    };
    for (let call = 0; call < 9; call++) await fail(await makeDialedCall(about));
    const last = await makeDialedCall(about);
    await runWithKills(
      about.ctx,
      (ctx) => fail(last, ctx),
      async () => expect(await payloads()).toEqual([]),
    );
    expect(await payloads()).toMatchObject([
      { trunk_id: trunkId, user_id: about.identity.userId, paused_until: '2026-01-01T00:00:30.000000Z' },
    ]);
  });

  it('learns of its limits', async () => {
    const about = await arrangeCarrier(database.db);
    const { ctx, identity, assistant } = about;
    const { payloads } = await subscribe(about, { events: ['limit.warning', 'limit.reached'] });
    const { callId } = await placeCall(ctx, identity, {
      phoneNumber: '+4915100700001',
      assistantId: assistant.id,
    });
    await changeUserAccount(ctx, identity, { id: identity.userId, max_calls_per_day: 1 });
    await askToDial(about, callId);
    expect((await payloads()).map(({ event }) => event).toSorted()).toEqual([
      'limit.reached',
      'limit.warning',
    ]);
  });
});

describe('an endpoint', () => {
  it('receives only events that it subscribes to, of its account, and that pass its filters', async () => {
    const about = await arrange(database.db);
    const other = { ...about, identity: await makeUser(about.ctx) };
    const campaignId = await makeCampaign(about);
    const silent = [
      await subscribe(about, { events: ['lead.settled'] }),
      await subscribe(about, { is_enabled: false }),
      await subscribe(about, { campaign_ids: [campaignId] }),
      await subscribe(other),
    ];
    const all = await subscribe(about, { events: ['call.started'] });
    const own = await subscribe(about, { events: ['call.started'], assistant_ids: [about.assistant.id] });
    await makeDialedCall(about);
    for (const { events } of silent) expect(await events()).toEqual([]);
    for (const { events } of [all, own]) expect(await events()).toEqual(['call.started']);
    // A call of the campaign.
    await makeLead(about, campaignId);
    await runCampaign(about.ctx, campaignId);
    await askToDial(about, (await onlyDial(about, campaignId)).callId);
    expect(await silent[2]?.events()).toEqual(['call.started']);
  });

  it('is needed: without one, calls write no deliveries', async () => {
    const { ctx } = makeContext(database.db);
    const about = { ...(await arrange(database.db)), ctx };
    const before = await ctx.db.query(countDeliveries);
    await finishCall(ctx, endOf(about, await makeAnsweredCall(about)));
    expect(await ctx.db.query(countDeliveries)).toEqual(before);
  });
});

const countDeliveries = statement<{ count: number }>('', 'select count(*) as count from deliveries');
