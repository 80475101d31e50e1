/** Changes that an owner makes while a campaign runs. After each, every lead is settled, queued, in a call or blocked. */
import {
  campaignChangesBody,
  leadChangesBody,
  newTrunkBody,
  type CampaignChanges,
  type LeadChanges,
} from '@parley/contracts';
import { statement } from '@parley/db';
import { captureLog, useTestDatabase } from '@parley/testkit';
import { expect, describe, it } from 'vitest';
import {
  askToDial,
  campaignStatus,
  endUnanswered,
  leadState,
  nextLook,
  liveDials,
  makeCampaign,
  makeLead,
  onlyDial,
  setCampaign,
  talk,
  type CampaignFields,
} from '../../test/arrange-campaign.ts';
import { expectNoLeadFaults, queueOf } from '../../test/arrange-leads.ts';
import { arrange, endOf, freshNumber } from '../../test/arrange.ts';
import { findCampaign } from '../campaigns/find-campaign.ts';
import { startCampaign, stopCampaign } from '../campaigns/update-campaign-status.ts';
import { updateCampaign } from '../campaigns/update-campaign.ts';
import { findLeadFaults, repairLeads } from '../dialing/check-leads.ts';
import { removeQueueEntries } from '../dialing/dial-queue.ts';
import { applyDialEvent } from '../dialing/lead-state.ts';
import { addToDoNotCallList, removeFromDoNotCallList } from '../do-not-call/do-not-call-list.ts';
import { deleteLead } from '../leads/delete-lead.ts';
import { explainLead } from '../leads/explain-lead.ts';
import { updateLead } from '../leads/update-lead.ts';
import { addTrunk } from '../trunks/trunks.ts';
import { completeCall } from './complete-call.ts';
import { finishCall } from './finish-call.ts';
import { recordCallEvent } from './record-call-event.ts';
import { runCampaign } from './run-campaign.ts';

const database = useTestDatabase();

const countWaiting = statement<{ waiting: number }>(
  '',
  `select count(*) as waiting from pg_stat_activity
   where datname = current_database() and wait_event_type = 'Lock'`,
);

const allCalls = statement<{ id: number; status: string }>(
  '',
  'select id, status from calls where campaign_id = $1 order by id',
);

async function setup(fields: CampaignFields = {}) {
  const about = await arrange(database.db);
  const { ctx, identity } = about;
  const campaignId = await makeCampaign(about, { maxCallsInParallel: 1, ...fields });
  const numbers = (count: number) => Array.from({ length: count }, () => freshNumber());
  return {
    about,
    ctx,
    identity,
    campaignId,
    lead: (contacts = 0) => makeLead(about, campaignId, { contacts: numbers(contacts) }),
    run: () => runCampaign(ctx, campaignId),
    dial: () => onlyDial(about, campaignId),
    update: (id: number, changes: LeadChanges) =>
      updateLead(ctx, identity, { id, changes: leadChangesBody.parse(changes) }),
    change: (changes: CampaignChanges) =>
      updateCampaign(ctx, identity, { id: campaignId, changes: campaignChangesBody.parse(changes) }),
    remove: (id: number) => deleteLead(ctx, identity, id),
    check: () => expectNoLeadFaults(about, campaignId),
    status: () => campaignStatus(about, campaignId),
  };
}

/** A conversation that has begun and not ended. */
async function answer(
  { about }: Pick<Awaited<ReturnType<typeof setup>>, 'about'>,
  callId: number,
): Promise<void> {
  await askToDial(about, callId);
  const at = new Date(about.clock.now());
  await recordCallEvent(about.ctx, { callId, event: 'answered', at, fence: about.fence });
}

describe('a lead on the do-not-call list', () => {
  it('is called when it is given another number', async () => {
    const { ctx, identity, campaignId, lead, run, update, check, dial } = await setup();
    const { id, phoneNumber } = await lead();
    await addToDoNotCallList(ctx, identity, { phoneNumber });
    await run();
    await check();
    await update(id, { phone_number: freshNumber() });
    await check();
    // The campaign was complete: nothing else was to be done.
    await startCampaign(ctx, identity, campaignId);
    await run();
    expect(await dial()).toMatchObject({ leadId: id });
  });

  it('is called when its number leaves the list while a claim blocks it', async () => {
    const { ctx, identity, lead, check } = await setup();
    const { id, phoneNumber } = await lead();
    await addToDoNotCallList(ctx, identity, { phoneNumber });
    const removals: Promise<void>[] = [];
    await ctx.db.transaction(async (tx) => {
      // What a claim writes that has read the list before the removal.
      await removeQueueEntries(tx, [id]);
      await applyDialEvent(tx, [id], 'blocked', 'do_not_call');
      removals.push(removeFromDoNotCallList(ctx, identity, { phoneNumber }));
      await Promise.race([...removals, untilOneWaits()]);
    });
    await Promise.all(removals);
    await check();

    async function untilOneWaits(): Promise<void> {
      for (;;) {
        const [row] = await ctx.db.query(countWaiting);
        if ((row?.waiting ?? 0) > 0) return;
      }
    }
  });

  it('is called when its number leaves the list and another reason blocks its contact', async () => {
    const { about, ctx, identity, lead, check } = await setup();
    const { id, phoneNumber } = await lead();
    await addToDoNotCallList(ctx, identity, { phoneNumber });
    await ctx.db.transaction(async (tx) => {
      await removeQueueEntries(tx, [id]);
      await applyDialEvent(tx, [id], 'blocked', 'country_not_allowed');
    });
    await removeFromDoNotCallList(ctx, identity, { phoneNumber });
    await check();
    expect(await leadState(about, id)).toMatchObject({ dialState: 'waiting', round: 1 });
  });
});

describe('a secondary contact is deleted', () => {
  /** The lead itself was not reached, so it is the turn of the first contact. */
  async function setupTurn(contacts: number, fields: CampaignFields = {}) {
    const about = await setup(fields);
    const lead = await about.lead(contacts);
    await about.run();
    await endUnanswered(about.about, (await about.dial()).callId, 'busy');
    const [contactId = 0] = lead.contactIds;
    return { ...about, id: lead.id, contactIds: lead.contactIds, contactId };
  }

  it('while its phone rings: the round goes on with the next contact', async () => {
    const { about, remove, check, contactId, contactIds, campaignId, dial } = await setupTurn(2);
    const { callId, leadId } = await dial();
    expect(leadId).toBe(contactId);
    await askToDial(about, callId);
    await remove(contactId);
    await check();
    expect(await queueOf(about, campaignId)).toMatchObject([{ leadId: contactIds[1], attempt: 1 }]);
    const at = new Date(about.clock.now());
    const detail = { reason: 'lead_deleted' } as const;
    await recordCallEvent(about.ctx, { callId, event: 'failed', at, detail, fence: about.fence });
    await check();
  });

  it('while its phone rings, and it was the last: the lead waits for its next round', async () => {
    const { about, remove, check, contactId, id, dial } = await setupTurn(1);
    const { callId } = await dial();
    await askToDial(about, callId);
    await remove(contactId);
    await check();
    const nextRound = new Date(about.clock.now() + 3_600_000);
    expect(await leadState(about, id)).toMatchObject({
      dialState: 'waiting-to-retry',
      round: 2,
      readyAt: nextRound,
    });
  });

  it('while it talks: the lead goes on, and the end of the conversation changes nothing', async () => {
    const about = await setupTurn(1);
    const { callId } = await about.dial();
    await answer(about, callId);
    await about.remove(about.contactId);
    await about.check();
    const before = await leadState(about.about, about.id);
    await finishCall(about.ctx, endOf(about.about, callId));
    await completeCall(about.ctx, callId);
    await about.check();
    expect(await leadState(about.about, about.id)).toEqual(before);
    expect(await about.status()).toBe('in-progress');
  });

  it('while it is its turn and the campaign is stopped', async () => {
    const about = await setupTurn(2);
    const { callId } = await about.dial();
    await stopCampaign(about.ctx, about.identity, { id: about.campaignId, isHangingUp: false });
    expect(await liveDials(about.about, about.campaignId)).toEqual([]);
    expect(callId).toBeGreaterThan(0);
    await about.remove(about.contactId);
    await about.check();
    await startCampaign(about.ctx, about.identity, about.campaignId);
    await about.run();
    expect(await about.dial()).toMatchObject({ leadId: about.contactIds[1] });
  });

  it('while it is the turn of another number: the round goes on as before', async () => {
    const { remove, check, contactIds, campaignId, about } = await setupTurn(2);
    const before = [await about.ctx.db.query(allCalls, [campaignId]), await queueOf(about, campaignId)];
    await remove(contactIds[1] ?? 0);
    await check();
    expect([await about.ctx.db.query(allCalls, [campaignId]), await queueOf(about, campaignId)]).toEqual(
      before,
    );
  });

  it('in the last round: the lead has reached its retries, and the campaign is complete', async () => {
    const about = await setupTurn(1, { maxRetries: 0 });
    const { callId } = await about.dial();
    await about.remove(about.contactId);
    await about.check();
    expect(await leadState(about.about, about.id)).toMatchObject({ status: 'reached-max-retries' });
    expect(await liveDials(about.about, about.campaignId)).toEqual([]);
    expect(callId).toBeGreaterThan(0);
    await about.run();
    expect(await about.status()).toBe('completed');
  });
});

describe('a lead that no hour allows', () => {
  it('is blocked, counted, and called when the hours are widened', async () => {
    const { about, ctx, identity, campaignId, lead, run, change, check, dial } = await setup({
      allowedDays: [],
    });
    const { id } = await lead();
    // The window of the campaign never opens, so that only a lead of its own zone is claimed.
    await setCampaign(about, campaignId, 'is_lead_timezone_respected', true);
    await ctx.db.transaction(async (tx) => {
      await removeQueueEntries(tx, [id]);
      await applyDialEvent(tx, [id], 'blocked', 'no_allowed_time');
    });
    await check();
    const { progress } = await findCampaign(ctx, identity, campaignId);
    expect(progress).toMatchObject({ created: 1, waiting: 0, dialing: 0, waiting_to_retry: 0, blocked: 1 });
    await change({ allowed_days: ['thursday'] });
    await check();
    await setCampaign(about, campaignId, 'is_lead_timezone_respected', false);
    await run();
    expect(await dial()).toMatchObject({ leadId: id });
  });

  it('is called when its own time zone no longer counts', async () => {
    // 09:00 to 09:30 in Kiritimati is never 09:00 to 09:30 in New York.
    const fields = { timezone: 'Pacific/Kiritimati', allowedFrom: '14:00:00', allowedUntil: '14:30:00' };
    const { about, ctx, identity, campaignId, lead, run, change, check, dial } = await setup(fields);
    await setCampaign(about, campaignId, 'is_lead_timezone_respected', true);
    const { id } = await lead();
    await run();
    await check();
    expect(await leadState(about, id)).toMatchObject({ dialState: 'blocked', dialReason: 'no_allowed_time' });
    await change({ respect_lead_timezone: false });
    await startCampaign(ctx, identity, campaignId);
    await check();
    await run();
    expect(await dial()).toMatchObject({ leadId: id });
  });
});

describe('a lead that waits', () => {
  it('for a trunk says so, and is due when one is added', async () => {
    const { about, ctx, identity, campaignId, run } = await setup();
    const { id } = await makeLead(about, campaignId, { phoneNumber: '+4915123456789' });
    await run();
    expect((await explainLead(ctx, identity, id)).now).toMatchObject({ decision: 'wait', reason: 'no_line' });
    await addTrunk(ctx, identity, newTrunkBody.parse({ name: 'Carrier', host: 'sip.carrier.example' }));
    expect(await leadState(about, id)).toMatchObject({ readyAt: new Date(about.clock.now()) });
  });

  it('for a number that another campaign calls says so, also when it is set back', async () => {
    const { about, ctx, identity, campaignId, run, update, check } = await setup();
    const other = await makeCampaign(about);
    const { phoneNumber } = await makeLead(about, other);
    await runCampaign(ctx, other);
    const { id } = await makeLead(about, campaignId, { phoneNumber });
    await update(id, { status: 'completed' });
    await update(id, { status: 'created' });
    await run();
    await check();
    expect((await explainLead(ctx, identity, id)).now).toMatchObject({ reason: 'number_in_call' });
  });

  it('is queued once when it is set back during a call to its contact', async () => {
    const { about, lead, campaignId, run, dial, update, check } = await setup();
    const { id } = await lead(1);
    await run();
    await endUnanswered(about, (await dial()).callId, 'busy');
    const { callId } = await dial();
    await askToDial(about, callId);
    await update(id, { status: 'completed' });
    await update(id, { status: 'created' });
    await setCampaign(about, campaignId, 'status', 'stopped');
    await endUnanswered(about, callId, 'failed', 'lead_done');
    await check();
    expect(await queueOf(about, campaignId)).toMatchObject([{ leadId: id }]);
  });
});

describe('the check', () => {
  let damages = 0;

  it.each([
    ['left_behind', `delete from dial_queue where lead_id = $1`],
    [
      'left_behind',
      `with q as (delete from dial_queue where lead_id = $1) update leads set dial_state = 'dialing' where id = $1`,
    ],
    [
      'blocked_without_reason',
      `with q as (delete from dial_queue where lead_id = $1) update leads set dial_state = 'blocked', dial_reason = 'do_not_call' where id = $1`,
    ],
    ['wrong_state', `update leads set dial_state = 'done' where id = $1`],
    ['settled_but_queued', `update leads set status = 'completed', dial_state = 'done' where id = $1`],
    [
      'wrong_entry',
      `insert into dial_queue (campaign_id, ready_at, lead_id, attempt)
       select campaign_id, now(), id, 1 from leads where parent_id = $1`,
    ],
    ['wrong_state', `update leads set dial_state = 'dialing' where parent_id = $1`],
  ])('finds and repairs a lead that is %s', async (kind, damage) => {
    const { about, ctx, campaignId, lead, check } = await setup();
    const { id } = await lead(1);
    await check();
    await ctx.db.query(statement(`test_damage_${++damages}`, damage), [id]);
    expect(await findLeadFaults(ctx.db, campaignId)).toEqual([{ leadId: id, campaignId, kind }]);
    expect(await repairLeads(ctx)).toContainEqual({ leadId: id, campaignId, kind });
    await check();
    expect(await queueOf(about, campaignId)).toHaveLength(kind === 'settled_but_queued' ? 0 : 1);
  });

  it('looks at one campaign or at all, and the log says what was repaired', async () => {
    const one = await setup();
    const other = await setup();
    const sound = await setup();
    const leads = [await one.lead(), await other.lead()];
    await sound.lead();
    for (const { id } of leads) await removeQueueEntries(one.ctx.db, [id]);
    const [fault, otherFault] = leads.map(({ id }, index) => ({
      leadId: id,
      campaignId: [one, other][index]?.campaignId,
      kind: 'left_behind',
    }));
    expect(await findLeadFaults(one.ctx.db, one.campaignId)).toEqual([fault]);
    const all = await findLeadFaults(one.ctx.db);
    expect(all).toEqual(expect.arrayContaining([fault, otherFault]));
    const { log, lines } = captureLog();
    expect(await nextLook(one.about, one.campaignId)).toBeNull();
    expect(await repairLeads({ ...one.ctx, log })).toEqual(all);
    expect(await nextLook(one.about, one.campaignId)).not.toBeNull();
    expect(lines.map(({ campaignId, leads, kinds }) => ({ campaignId, leads, kinds }))).toEqual(
      [one, other].map(({ campaignId }) => ({ campaignId, leads: 1, kinds: ['left_behind'] })),
    );
  });

  it('finds nothing during and after a conversation', async () => {
    const { about, ctx, lead, run, dial, check } = await setup();
    await lead();
    await run();
    const { callId } = await dial();
    await check();
    await talk(about, callId);
    await check();
    await completeCall(ctx, callId);
    await check();
  });
});
