import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import {
  arrange,
  arrangeHosted,
  freshNumber,
  makeCall,
  talkedEndOf,
  waitingJobs,
} from '../../test/arrange.ts';
import {
  askToDial,
  campaignStatus,
  endUnanswered,
  leadState,
  liveDials,
  makeCampaign,
  makeLead,
  makeLeads,
  nextLook,
  onlyDial,
  setCampaign,
  talk,
  talkAndSettle,
  type CampaignFields,
  type LiveDial,
} from '../../test/arrange-campaign.ts';
import { completeCall } from '../lifecycle/complete-call.ts';
import { findCall } from '../calls/find-call.ts';
import { recordCallEvent } from '../lifecycle/record-call-event.ts';
import { addToDoNotCallList } from '../do-not-call/do-not-call-list.ts';
import { runCampaign } from '../lifecycle/run-campaign.ts';
import { sweepCampaigns } from './sweep-campaigns.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';

const database = useTestDatabase();

/** A campaign at midnight UTC of a Thursday. */
async function setup(fields: CampaignFields = {}, leads = 0) {
  const about = await arrange(database.db);
  const campaignId = await makeCampaign(about, fields);
  const leadIds = await makeLeads(about, campaignId, leads);
  const run = () => runCampaign(about.ctx, campaignId);
  const live = () => liveDials(about, campaignId);
  return { ...about, about, campaignId, leadIds, run, live };
}

const selectDecision = statement<{ decision: unknown }>(
  '',
  'select dial_decision as decision from calls where campaign_id = $1 order by id',
);

const HOUR_MS = 3_600_000;

describe('filling a campaign', () => {
  it('dials up to its limit, and writes each call as make_call does', async () => {
    const { ctx, identity, campaignId, leadIds, run, live, about } = await setup(
      { maxCallsInParallel: 2 },
      3,
    );
    await run();
    const dials = await live();
    expect(dials.map(({ leadId }) => leadId)).toEqual(leadIds.slice(0, 2));
    for (const { callId, clientPhoneNumber } of dials) {
      expect(await waitingJobs(ctx, 'dial_call', { callId })).toBe(1);
      expect(await findCall(ctx, identity, callId)).toMatchObject({
        campaign_name: 'Spring',
        type: 'outbound',
        status: 'initiated',
        client_phone_number: clientPhoneNumber,
        assistant_phone_number: '+12025550100',
      });
    }
    expect(await leadState(about, leadIds[0] ?? 0)).toMatchObject({ dialState: 'dialing', round: null });
    expect(await leadState(about, leadIds[2] ?? 0)).toMatchObject({ dialState: 'waiting', round: 1 });
    const decision = { freeCalls: 2, windowClosesAt: '2026-01-02T00:00:00.000Z' };
    expect(await ctx.db.query(selectDecision, [campaignId])).toMatchObject([
      { decision },
      { decision: { ...decision, freeCalls: 1 } },
    ]);
    // At the limit, the end of a call is what fills it again.
    expect(await nextLook(about, campaignId)).toBeNull();
  });

  it.each(['draft', 'stopped', 'completed'])('dials nothing while it is %s', async (status) => {
    const { run, live } = await setup({ status }, 2);
    await run();
    expect(await live()).toEqual([]);
  });

  it('dials nothing when its assistant is inactive, and goes on when it is active again', async () => {
    const { ctx, identity, run, live } = await setup({}, 1);
    const write = statement('', 'update assistants set status = $2 where user_id = $1');
    await ctx.db.query(write, [identity.userId, 'inactive']);
    await run();
    expect(await live()).toEqual([]);
    await ctx.db.query(write, [identity.userId, 'active']);
    await run();
    expect(await live()).toHaveLength(1);
  });

  it.each([
    ['it was deleted', 'update campaigns set deleted_at = now() where user_id = $1'],
    ['its owner was disabled', 'update users set disabled_at = now() where id = $1'],
    ['its assistant takes calls', `update assistants set type = 'inbound' where user_id = $1`],
  ])('dials nothing when %s', async (_what, change) => {
    const { ctx, identity, run, live } = await setup({}, 1);
    await ctx.db.query(statement('', change), [identity.userId]);
    await run();
    expect(await live()).toEqual([]);
  });

  it('tells the variables of a contact before those of its lead', async () => {
    const { ctx, identity, about, campaignId, run, live } = await setup();
    const variables = { name: 'Ann', city: 'Rome' };
    const lead = await makeLead(about, campaignId, { contacts: [freshNumber()], variables });
    await ctx.db.query(statement('', `update leads set variables = '{"name": "Bo"}' where id = any($1)`), [
      lead.contactIds,
    ]);
    await addToDoNotCallList(ctx, identity, { phoneNumber: lead.phoneNumber });
    await run();
    const [dial] = await live();
    const call = await findCall(ctx, identity, dial?.callId ?? 0);
    expect(call.input_variables).toEqual({ name: 'Bo', city: 'Rome' });
  });

  it('a raised limit is used, a lowered one is kept as calls end', async () => {
    const { about, campaignId, run, live } = await setup({ maxCallsInParallel: 1 }, 6);
    await run();
    await setCampaign(about, campaignId, 'max_calls_in_parallel', 3);
    await run();
    const dials = await live();
    expect(dials).toHaveLength(3);
    await setCampaign(about, campaignId, 'max_calls_in_parallel', 2);
    for (const { callId } of dials.slice(0, 2)) await talk(about, callId);
    expect(await live()).toHaveLength(2);
  });

  it('refills when a call has ended, answered or not', async () => {
    const { about, leadIds, run, live } = await setup({ maxCallsInParallel: 1 }, 3);
    await run();
    const [first] = await live();
    await talk(about, first?.callId ?? 0);
    const [second] = await live();
    expect(second?.leadId).toBe(leadIds[1]);
    await endUnanswered(about, second?.callId ?? 0, 'busy');
    expect((await live()).map(({ leadId }) => leadId)).toEqual([leadIds[2]]);
  });

  it('shows its caller numbers in turn, and passes over one that is gone', async () => {
    const about = await arrange(database.db);
    const numbers = [freshNumber(), freshNumber()];
    const insert = statement<{ id: number }>(
      '',
      `insert into phone_numbers (user_id, trunk_id, phone_number, country_code, type_label, created_at)
       select $1, id, $2, 'US', 'Normal', now() from trunks where user_id = $1 returning id`,
    );
    const ids: number[] = [];
    for (const number of numbers) {
      const [row] = await about.ctx.db.query(insert, [about.identity.userId, number]);
      ids.push(row?.id ?? 0);
    }
    const fields = { maxCallsInParallel: 3, phoneNumberIds: [...ids, 999_999_999] };
    const campaignId = await makeCampaign(about, fields);
    await makeLeads(about, campaignId, 3);
    await runCampaign(about.ctx, campaignId);
    const shown: string[] = [];
    for (const { callId } of await liveDials(about, campaignId)) {
      const call = await findCall(about.ctx, about.identity, callId);
      shown.push(call.assistant_phone_number);
    }
    expect(shown).toEqual([numbers[0], numbers[1], numbers[0]]);
  });

  it('a number that is in another call of its owner waits a moment', async () => {
    const { about, clock, campaignId, run, live } = await setup();
    const phoneNumber = freshNumber();
    await makeCall(about, phoneNumber);
    const lead = await makeLead(about, campaignId, { phoneNumber });
    await run();
    expect(await live()).toEqual([]);
    const soon = new Date(clock.now() + 5_000);
    expect(await leadState(about, lead.id)).toMatchObject({ dialReason: 'number_in_call', readyAt: soon });
    expect(await nextLook(about, campaignId)).toEqual(soon);
  });

  it('two leads with one number are not dialed at once', async () => {
    const { about, campaignId, run, live } = await setup();
    const phoneNumber = freshNumber();
    await makeLead(about, campaignId, { phoneNumber });
    await makeLead(about, campaignId, { phoneNumber });
    await run();
    expect(await live()).toHaveLength(1);
  });

  it('a number that no line reaches does not hold up the others', async () => {
    const { about, campaignId, run, live } = await setup({ maxCallsInParallel: 1 });
    const abroad = await makeLead(about, campaignId, { phoneNumber: '+4915123456789' });
    const other = await makeLead(about, campaignId);
    await run();
    expect((await live()).map(({ leadId }) => leadId)).toEqual([other.id]);
    expect(await leadState(about, abroad.id)).toMatchObject({ dialReason: 'no_line', attempts: 0, round: 1 });
  });

  it('skips forbidden numbers: dials a contact, or no number at all', async () => {
    const { ctx, identity, about, campaignId, run, live } = await setup();
    const withContact = await makeLead(about, campaignId, { contacts: [freshNumber()] });
    const alone = await makeLead(about, campaignId);
    await addToDoNotCallList(ctx, identity, { phoneNumber: withContact.phoneNumber });
    await addToDoNotCallList(ctx, identity, { phoneNumber: alone.phoneNumber });
    await run();
    expect((await live()).map(({ leadId }) => leadId)).toEqual(withContact.contactIds);
    const blocked = { status: 'created', dialState: 'blocked', dialReason: 'do_not_call', round: null };
    expect(await leadState(about, alone.id)).toMatchObject(blocked);
  });

  it('a lead that its owner is changing right now is left for a moment later', async () => {
    const { ctx, clock, about, leadIds, run, live } = await setup({}, 2);
    const hold = statement('', 'select id from leads where id = $1 for update');
    await ctx.db.transaction(async (tx) => {
      await tx.query(hold, [leadIds[0] ?? 0]);
      await run();
    });
    expect((await live()).map(({ leadId }) => leadId)).toEqual([leadIds[1]]);
    const readyAt = new Date(clock.now() + 1_000);
    expect(await leadState(about, leadIds[0] ?? 0)).toMatchObject({ readyAt, round: 1 });
  });

  it('a contact whose lead its owner is changing right now is left for a moment later', async () => {
    const { ctx, clock, about, campaignId, run, live } = await setup();
    const lead = await makeLead(about, campaignId, { contacts: [freshNumber()] });
    const [contactId = 0] = lead.contactIds;
    const hold = statement('', 'select id from leads where id = $1 for update');
    await ctx.db.query(statement('', 'update dial_queue set lead_id = $2 where lead_id = $1'), [
      lead.id,
      contactId,
    ]);
    await ctx.db.transaction(async (tx) => {
      await tx.query(hold, [lead.id]);
      await run();
    });
    expect(await live()).toEqual([]);
    expect(await leadState(about, contactId)).toMatchObject({ readyAt: new Date(clock.now() + 1_000) });
  });
});

describe('a campaign that was stopped', () => {
  it('its job cancels unanswered calls and lets answered ones continue', async () => {
    const { ctx, clock, about, campaignId, leadIds, run, live } = await setup({ maxCallsInParallel: 3 }, 4);
    await run();
    const [waiting, ringing, talking] = await live();
    for (const dial of [ringing, talking]) await askToDial(about, dial?.callId ?? 0);
    const at = new Date(clock.now());
    await recordCallEvent(ctx, { callId: talking?.callId ?? 0, event: 'answered', at, fence: about.fence });
    await setCampaign(about, campaignId, 'status', 'stopped');
    await sweepCampaigns(ctx);
    expect(await nextLook(about, campaignId)).not.toBeNull();
    await run();
    expect(await live()).toEqual([ringing, talking]);
    const asked = (dial: LiveDial | undefined) => waitingJobs(ctx, 'hang_up_call', { callId: dial?.callId });
    expect([await asked(ringing), await asked(talking)]).toEqual([1, 0]);
    expect(await findCall(ctx, about.identity, waiting?.callId ?? 0)).toMatchObject({
      status: 'failed',
      ended_reason: 'campaign_stopped',
    });
    expect(await leadState(about, leadIds[0] ?? 0)).toMatchObject({ attempts: 0, round: 1 });
  });
});

describe('the next run of a campaign', () => {
  it('outside the window: when it opens', async () => {
    const { about, clock, campaignId, run, live } = await setup(
      { allowedFrom: '09:00:00', allowedUntil: '17:00:00' },
      1,
    );
    await run();
    expect(await live()).toEqual([]);
    expect(await nextLook(about, campaignId)).toEqual(new Date(clock.now() + 9 * HOUR_MS));
    clock.advance(9 * HOUR_MS);
    await run();
    expect(await live()).toHaveLength(1);
  });

  it('with retries pending: when the first is due', async () => {
    const { about, clock, campaignId, run } = await setup({ retryIntervalSeconds: 600 }, 2);
    await run();
    const [first, second] = await liveDials(about, campaignId);
    await endUnanswered(about, first?.callId ?? 0, 'busy');
    const due = new Date(clock.now() + 600_000);
    clock.advance(60_000);
    await endUnanswered(about, second?.callId ?? 0, 'no-answer');
    expect(await nextLook(about, campaignId)).toEqual(due);
  });

  it('never, when no hour is allowed', async () => {
    const { about, campaignId, run } = await setup({ allowedDays: [] }, 1);
    await run();
    expect(await nextLook(about, campaignId)).toBeNull();
    expect(await campaignStatus(about, campaignId)).toBe('in-progress');
  });

  it('is one job, however often the campaign is woken', async () => {
    const { ctx, campaignId } = await setup();
    for (let time = 0; time < 3; time++) await ctx.db.transaction((tx) => wakeCampaign(tx, campaignId));
    expect(await waitingJobs(ctx, 'run_campaign', { campaignId })).toBe(1);
  });

  it('a lead that is added while the campaign is being looked at is not forgotten', async () => {
    const { ctx, clock, about, campaignId, run } = await setup({ retryIntervalSeconds: 600 }, 1);
    await run();
    await endUnanswered(about, (await onlyDial(about, campaignId)).callId, 'busy');
    // The new lead's transaction is open while the campaign is looked at, and the next look planned for the retry.
    const insert = statement(
      '',
      `with lead as (insert into leads (user_id, campaign_id, phone_number, variables, status, dial_state, created_at, updated_at)
         select user_id, id, $2, '{}', 'created', 'waiting', $3, $3 from campaigns where id = $1 returning id)
       insert into dial_queue (campaign_id, ready_at, lead_id, attempt) select $1, $3, id, 1 from lead`,
    );
    await ctx.db.transaction(async (tx) => {
      await tx.query(insert, [campaignId, freshNumber(), new Date(clock.now())]);
      await wakeCampaign(tx, campaignId);
      await run();
    });
    expect(await waitingJobs(ctx, 'run_campaign', { campaignId })).toBe(2);
    await run();
    expect(await liveDials(about, campaignId)).toHaveLength(1);
  });

  it('the sweep wakes only campaigns without a planned run', async () => {
    const forgotten = await setup({}, 1);
    const waiting = await setup({ retryIntervalSeconds: 600 }, 1);
    await waiting.run();
    await endUnanswered(waiting.about, (await onlyDial(waiting.about, waiting.campaignId)).callId, 'busy');
    const stopped = await setup({ status: 'stopped' }, 1);
    const planned = await nextLook(waiting.about, waiting.campaignId);
    await sweepCampaigns(forgotten.ctx);
    expect(await nextLook(forgotten.about, forgotten.campaignId)).not.toBeNull();
    expect(await nextLook(waiting.about, waiting.campaignId)).toEqual(planned);
    expect(await nextLook(stopped.about, stopped.campaignId)).toBeNull();
  });
});

describe('a campaign without leads left', () => {
  it('is complete when its last call is settled, and not before', async () => {
    const about = await arrangeHosted(database.db);
    const campaignId = await makeCampaign(about);
    await makeLeads(about, campaignId, 1);
    await runCampaign(about.ctx, campaignId);
    const { callId } = await onlyDial(about, campaignId);
    await talk(about, callId, { turns: talkedEndOf(about, callId).turns });
    expect(await campaignStatus(about, campaignId)).toBe('in-progress');
    await completeCall(about.ctx, callId);
    expect(await campaignStatus(about, campaignId)).toBe('completed');
  });

  it('goes on while a retry is pending', async () => {
    const { about, clock, campaignId, run } = await setup({ maxRetries: 1, retryIntervalSeconds: 600 }, 1);
    await run();
    await endUnanswered(about, (await onlyDial(about, campaignId)).callId, 'busy');
    expect(await campaignStatus(about, campaignId)).toBe('in-progress');
    clock.advance(600_000);
    await run();
    await endUnanswered(about, (await onlyDial(about, campaignId)).callId, 'busy');
    expect(await campaignStatus(about, campaignId)).toBe('completed');
  });

  it('never completes when it is set to continue', async () => {
    const { about, campaignId, run } = await setup({ isCompletedWithoutLeads: false }, 1);
    await run();
    await talkAndSettle(about, (await onlyDial(about, campaignId)).callId);
    expect(await campaignStatus(about, campaignId)).toBe('in-progress');
  });

  it('waits for its first lead when it never had one', async () => {
    const { about, campaignId, run } = await setup();
    await run();
    expect(await campaignStatus(about, campaignId)).toBe('in-progress');
  });

  it('is complete when only forbidden numbers are left', async () => {
    const { ctx, identity, about, campaignId, run } = await setup();
    const { phoneNumber } = await makeLead(about, campaignId);
    await addToDoNotCallList(ctx, identity, { phoneNumber });
    await run();
    expect(await campaignStatus(about, campaignId)).toBe('completed');
  });
});
