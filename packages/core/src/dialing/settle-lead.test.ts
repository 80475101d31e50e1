import { callFinishedPayload } from '@parley/contracts';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange, arrangeHosted, endOf, freshNumber, talkedEndOf } from '../../test/arrange.ts';
import {
  askToDial,
  campaignStatus,
  endUnanswered,
  leadState,
  makeCampaign,
  makeLead,
  nextLook,
  onlyDial,
  setCampaign,
  talk,
  talkAndSettle,
  type CampaignFields,
} from '../../test/arrange-campaign.ts';
import { subscribe } from '../../test/arrange-endpoints.ts';
import { updateLead } from '../leads/update-lead.ts';
import { completeCall } from '../lifecycle/complete-call.ts';
import { finishCall } from '../lifecycle/finish-call.ts';
import { recordCallEvent } from '../lifecycle/record-call-event.ts';
import { requestHangUp } from '../lifecycle/request-hang-up.ts';
import { runCampaign } from '../lifecycle/run-campaign.ts';

const database = useTestDatabase();

interface SetupOptions {
  contacts?: number;
  assistant?: Record<string, unknown>;
  /** Calls in which the customer has spoken are evaluated before their lead is settled. */
  isHosted?: boolean;
}

/** A campaign with one lead and its contacts, whose first call is live. */
async function setup(
  fields: CampaignFields = {},
  { contacts = 0, assistant = {}, isHosted = false }: SetupOptions = {},
) {
  const about = await (isHosted ? arrangeHosted : arrange)(database.db, assistant);
  const campaignId = await makeCampaign(about, { retryIntervalSeconds: 600, ...fields });
  const lead = await makeLead(about, campaignId, {
    contacts: Array.from({ length: contacts }, freshNumber),
    variables: { customer_name: 'Bo' },
  });
  await runCampaign(about.ctx, campaignId);
  const dial = () => onlyDial(about, campaignId);
  const main = () => leadState(about, lead.id);
  /** The retry interval passes. */
  const later = async () => {
    about.clock.advance(600_000);
    await runCampaign(about.ctx, campaignId);
  };
  return { ...about, about, campaignId, lead, dial, main, later };
}

describe('a finished call settles its lead', () => {
  it('a conversation completes it', async () => {
    const { about, dial, main, campaignId } = await setup();
    await talkAndSettle(about, (await dial()).callId);
    const done = { status: 'completed', dialState: 'done', attempts: 1, round: null };
    expect(await main()).toMatchObject(done);
    expect(await campaignStatus(about, campaignId)).toBe('completed');
  });

  it.each(['busy', 'no-answer', 'failed'] as const)(
    '%s is tried again after the retry interval',
    async (event) => {
      const { about, clock, dial, main, later } = await setup();
      const first = await dial();
      await endUnanswered(about, first.callId, event, event === 'failed' ? 'rejected' : undefined);
      const readyAt = new Date(clock.now() + 600_000);
      expect(await main()).toMatchObject({
        status: 'created',
        dialState: 'waiting-to-retry',
        attempts: 1,
        round: 2,
        readyAt,
      });
      await later();
      expect((await dial()).callId).not.toBe(first.callId);
    },
  );

  it('gets one round and max_retries more, then it has failed', async () => {
    const { about, dial, main, later, campaignId } = await setup({ maxRetries: 2 });
    for (let round = 1; round <= 3; round++) {
      if (round > 1) await later();
      await endUnanswered(about, (await dial()).callId, 'no-answer');
    }
    const given = {
      status: 'reached-max-retries',
      dialState: 'done',
      dialReason: 'no_answer',
      attempts: 3,
      round: null,
    };
    expect(await main()).toMatchObject(given);
    expect(await campaignStatus(about, campaignId)).toBe('completed');
  });

  it('a round calls the lead, then its contacts in order; each keeps its own count', async () => {
    const { about, lead, dial, later, main } = await setup({ maxRetries: 1 }, { contacts: 2 });
    const called: number[] = [];
    for (const round of [1, 2]) {
      if (round > 1) await later();
      for (let turn = 0; turn < 3; turn++) {
        const { callId, leadId } = await dial();
        called.push(leadId);
        await endUnanswered(about, callId, 'busy');
      }
    }
    const order = [lead.id, ...lead.contactIds];
    expect(called).toEqual([...order, ...order]);
    expect(await main()).toMatchObject({ status: 'reached-max-retries', attempts: 2 });
    expect(await leadState(about, lead.contactIds[1] ?? 0)).toMatchObject({
      status: 'reached-max-retries',
      attempts: 2,
    });
  });

  it('a contact that is reached completes the lead, and the others are left alone', async () => {
    const { about, lead, dial, main } = await setup({}, { contacts: 2 });
    await endUnanswered(about, (await dial()).callId, 'busy');
    const contact = await dial();
    expect(contact.leadId).toBe(lead.contactIds[0]);
    await talkAndSettle(about, contact.callId);
    expect(await main()).toMatchObject({ status: 'completed', dialState: 'done' });
    expect(await leadState(about, contact.leadId)).toMatchObject({ status: 'completed', attempts: 1 });
    const untouched = { status: 'created', dialState: 'done', attempts: 0, round: null };
    expect(await leadState(about, lead.contactIds[1] ?? 0)).toMatchObject(untouched);
  });

  it('voicemail is tried again only when the campaign says so', async () => {
    const kept = await setup();
    await talkAndSettle(kept.about, (await kept.dial()).callId, { answeredBy: 'machine' });
    expect(await kept.main()).toMatchObject({ status: 'completed' });
    const retried = await setup({ isVoicemailRetried: true });
    await talkAndSettle(retried.about, (await retried.dial()).callId, { answeredBy: 'machine' });
    expect(await retried.main()).toMatchObject({ status: 'created', dialReason: 'voicemail', round: 2 });
  });

  it('the retry interval begins at the end of the call, however long its evaluation takes', async () => {
    const { ctx, about, clock, dial, main } = await setup({ isVoicemailRetried: true }, { isHosted: true });
    const { callId } = await dial();
    await talk(about, callId, { answeredBy: 'machine', turns: talkedEndOf(about, callId).turns });
    const readyAt = new Date(clock.now() + 600_000);
    clock.advance(60_000);
    expect(await main()).toMatchObject({ dialState: 'dialing' });
    await completeCall(ctx, callId);
    expect(await main()).toMatchObject({ dialReason: 'voicemail', round: 2, readyAt });
  });

  it('an unmet goal is tried again only when the campaign says so', async () => {
    const end = { variables: { booked: false } };
    const kept = await setup({ goalVariable: 'booked' });
    await talkAndSettle(kept.about, (await kept.dial()).callId, end);
    expect(await kept.main()).toMatchObject({ status: 'completed' });
    const retried = await setup({ isUnmetGoalRetried: true, goalVariable: 'booked' });
    await talkAndSettle(retried.about, (await retried.dial()).callId, end);
    expect(await retried.main()).toMatchObject({ status: 'created', dialReason: 'goal_unmet', round: 2 });
  });

  it('a fault of ours is no attempt: the same round, after a pause', async () => {
    const { about, clock, dial, main, later } = await setup({ maxRetries: 0 });
    await endUnanswered(about, (await dial()).callId, 'failed', 'unreachable');
    const readyAt = new Date(clock.now() + 60_000);
    expect(await main()).toMatchObject({
      status: 'created',
      dialState: 'waiting',
      attempts: 0,
      round: 1,
      readyAt,
    });
    await later();
    await endUnanswered(about, (await dial()).callId, 'busy');
    expect(await main()).toMatchObject({ status: 'reached-max-retries', attempts: 1 });
  });

  it.each([
    ['in which the customer has said nothing is made again', endOf, 'created'],
    ['in which the customer has spoken is not', talkedEndOf, 'completed'],
  ])('a call that was lost after the answer %s', async (_what, end, status) => {
    const { about, dial, main } = await setup();
    const { callId } = await dial();
    const { turns } = end(about, callId);
    await talkAndSettle(about, callId, { turns, event: 'ended', endedReason: 'line_lost' });
    expect(await main()).toMatchObject({ status });
  });

  it('its owner hangs up on it: that was an attempt, and it is not called again at once', async () => {
    const { ctx, identity, dial, main } = await setup();
    await requestHangUp(ctx, identity, (await dial()).callId);
    expect(await main()).toMatchObject({ dialState: 'waiting-to-retry', attempts: 1, round: 2 });
  });

  it('retries that were taken away meanwhile are not made', async () => {
    const { about, campaignId, dial, main, later } = await setup({ maxRetries: 3 });
    await endUnanswered(about, (await dial()).callId, 'busy');
    await setCampaign(about, campaignId, 'max_retries', 0);
    await later();
    expect(await main()).toMatchObject({
      status: 'reached-max-retries',
      dialState: 'done',
      attempts: 1,
      round: null,
    });
    expect(await campaignStatus(about, campaignId)).toBe('completed');
  });

  it('a lead that its owner has ended meanwhile stays as it was written', async () => {
    const { ctx, about, lead, dial, main } = await setup();
    const end = statement('', `update leads set status = 'completed' where id = $1`);
    const { callId } = await dial();
    await ctx.db.query(end, [lead.id]);
    await requestHangUp(ctx, about.identity, callId);
    expect(await main()).toMatchObject({ status: 'completed', dialState: 'done', round: null });
  });

  it('a lead that its owner has ended during a conversation is not reported again at its end', async () => {
    const { ctx, identity, about, lead, dial } = await setup();
    const { callId } = await dial();
    await askToDial(about, callId);
    const at = new Date(about.clock.now());
    await recordCallEvent(ctx, { callId, event: 'answered', at, fence: about.fence });
    await updateLead(ctx, identity, { id: lead.id, changes: { status: 'completed' } });
    const { events } = await subscribe(about, { events: ['lead.settled'] });
    await finishCall(ctx, talkedEndOf(about, callId));
    await completeCall(ctx, callId);
    expect(await events()).toEqual([]);
  });

  it('a lead that was moved during its call goes on in its new campaign', async () => {
    const { ctx, about, lead, dial, main } = await setup();
    const { callId } = await dial();
    const otherId = await makeCampaign(about, { retryIntervalSeconds: 600 });
    const move = statement('', 'update leads set campaign_id = $2 where id = $1');
    await ctx.db.query(move, [lead.id, otherId]);
    await requestHangUp(ctx, about.identity, callId);
    expect(await main()).toMatchObject({ dialState: 'waiting-to-retry', round: 2 });
    expect(await nextLook(about, otherId)).not.toBeNull();
    about.clock.advance(600_000);
    await runCampaign(ctx, otherId);
    expect((await onlyDial(about, otherId)).leadId).toBe(lead.id);
  });

  it('a lead that was deleted during its call causes no error', async () => {
    const { ctx, about, lead, dial, campaignId } = await setup();
    const { callId } = await dial();
    await ctx.db.query(statement('', 'delete from leads where id = $1'), [lead.id]);
    await requestHangUp(ctx, about.identity, callId);
    await expect(dial()).rejects.toThrow('found 0');
    // It has no leads at all now, so it waits for one.
    expect(await campaignStatus(about, campaignId)).toBe('in-progress');
  });
});

const selectPayload = statement<{ payload: unknown }>(
  '',
  'select payload from deliveries where call_id = $1',
);

describe('the webhook of a campaign’s call', () => {
  it('has the lead, with the status that the call gave it, and the campaign', async () => {
    const assistant = { is_webhook_active: true, webhook_url: 'https://example.org/hook' };
    const { ctx, about, lead, dial, campaignId } = await setup({}, { assistant });
    const { callId } = await dial();
    await talkAndSettle(about, callId);
    const [delivery] = await ctx.db.query(selectPayload, [callId]);
    const campaign = { id: campaignId, name: 'Spring' };
    expect(callFinishedPayload.parse(delivery?.payload)).toMatchObject({
      campaign,
      lead: {
        id: lead.id,
        phone_number: lead.phoneNumber,
        variables: { customer_name: 'Bo' },
        status: 'completed',
        created_at: '2026-01-01 00:00:00',
        campaign,
      },
      input_variables: { customer_name: 'Bo' },
    });
  });
});
