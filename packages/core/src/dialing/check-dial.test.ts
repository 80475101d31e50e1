import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange, freshNumber, makeIntendedCall } from '../../test/arrange.ts';
import {
  askToDial,
  leadState,
  liveDials,
  makeCampaign,
  makeLead,
  onlyDial,
  setCampaign,
} from '../../test/arrange-campaign.ts';
import { authorizeDial } from '../lifecycle/authorize-dial.ts';
import { findCall } from '../calls/find-call.ts';
import { addToDoNotCallList } from '../do-not-call/do-not-call-list.ts';
import { runCampaign } from '../lifecycle/run-campaign.ts';

const database = useTestDatabase();
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** A claimed lead whose INVITE has not left, a minute before the window closes. */
async function setup({ contacts = [] as string[] } = {}) {
  const about = await arrange(database.db);
  about.clock.advance(17 * HOUR_MS - MINUTE_MS);
  const campaignId = await makeCampaign(about, { allowedUntil: '17:00:00', maxCallsInParallel: 1 });
  const lead = await makeLead(about, campaignId, { contacts });
  await runCampaign(about.ctx, campaignId);
  const { callId } = await onlyDial(about, campaignId);
  const ask = () => askToDial(about, callId);
  const call = () => findCall(about.ctx, about.identity, callId);
  const live = () => liveDials(about, campaignId);
  return { ...about, about, campaignId, lead, callId, ask, call, live };
}

const renumber = statement('', 'update leads set phone_number = $2 where id = $1');
const consentOf = statement(
  '',
  `insert into consents (user_id, phone_number, source, text, consented_at, created_at)
   select user_id, phone_number, 'form', 'Yes', now(), now() from leads where id = $1`,
);
/** As if the claim had selected the contact. */
const callContact = statement(
  '',
  `with contact as (select id, phone_number from leads where id = $2),
     call as (update calls set lead_id = $2, client_phone_number = (select phone_number from contact) where id = $1)
   update live_calls set lead_id = $2, client_phone_number = (select phone_number from contact) where call_id = $1`,
);
const selectNumber = statement<{ phoneNumber: string }>('', 'select phone_number from leads where id = $1');
const endLead = statement('', `update leads set status = 'completed' where id = $1`);

describe('the last check before the INVITE of a campaign', () => {
  it('says yes when nothing has changed: the control for all that follow', async () => {
    const { ask, live } = await setup();
    expect(await ask()).toEqual({ isAllowed: true });
    expect(await live()).toHaveLength(1);
  });

  it('a stop prevents it; the call is failed, no attempt, and the lead is where it was', async () => {
    const { about, campaignId, lead, ask, call, live } = await setup();
    await setCampaign(about, campaignId, 'status', 'stopped');
    expect(await ask()).toEqual({ isAllowed: false, reason: 'campaign_stopped' });
    expect(await call()).toMatchObject({ status: 'failed', ended_reason: 'campaign_stopped' });
    expect(await live()).toEqual([]);
    expect(await leadState(about, lead.id)).toMatchObject({
      status: 'created',
      dialState: 'waiting',
      attempts: 0,
      round: 1,
    });
  });

  it('the window has closed between claim and INVITE', async () => {
    const { about, clock, lead, ask, call, live } = await setup();
    clock.advance(MINUTE_MS);
    expect(await ask()).toEqual({ isAllowed: false, reason: 'window_closed' });
    expect(await call()).toMatchObject({ status: 'failed', ended_reason: 'window_closed' });
    expect(await live()).toEqual([]);
    expect(await leadState(about, lead.id)).toMatchObject({ status: 'created', attempts: 0, round: 1 });
  });

  it('an instant before it closes the INVITE may leave', async () => {
    const { clock, ask } = await setup();
    clock.advance(MINUTE_MS - 1);
    expect(await ask()).toEqual({ isAllowed: true });
  });

  it('a number that is on the do-not-call list meanwhile is not called; its contact is, next', async () => {
    const { ctx, identity, lead, ask, call, live } = await setup({ contacts: [freshNumber()] });
    await addToDoNotCallList(ctx, identity, { phoneNumber: lead.phoneNumber });
    expect(await ask()).toEqual({ isAllowed: false, reason: 'do_not_call' });
    expect(await call()).toMatchObject({ status: 'failed', ended_reason: 'do_not_call' });
    expect((await live()).map(({ leadId }) => leadId)).toEqual(lead.contactIds);
  });

  it('a number without the consent that is required meanwhile is not called; its contact is, next', async () => {
    const { about, ctx, campaignId, lead, ask, call, live } = await setup({ contacts: [freshNumber()] });
    await setCampaign(about, campaignId, 'is_consent_required', true);
    await ctx.db.query(consentOf, [lead.contactIds[0] ?? 0]);
    expect(await ask()).toEqual({ isAllowed: false, reason: 'consent_missing' });
    expect(await call()).toMatchObject({ status: 'failed', ended_reason: 'consent_missing' });
    expect((await live()).map(({ leadId }) => leadId)).toEqual(lead.contactIds);
  });

  it('a lead that was moved to another campaign meanwhile', async () => {
    const { about, ctx, lead, ask } = await setup();
    const otherId = await makeCampaign(about);
    await ctx.db.query(statement('', 'update leads set campaign_id = $2 where id = $1'), [lead.id, otherId]);
    expect(await ask()).toEqual({ isAllowed: false, reason: 'lead_changed' });
  });

  it('a lead that was completed, deleted or given another number meanwhile', async () => {
    const done = await setup();
    await done.ctx.db.query(endLead, [done.lead.id]);
    expect(await done.ask()).toEqual({ isAllowed: false, reason: 'lead_done' });
    const deleted = await setup();
    await deleted.ctx.db.query(statement('', 'delete from leads where id = $1'), [deleted.lead.id]);
    expect(await deleted.ask()).toEqual({ isAllowed: false, reason: 'lead_deleted' });
    const changed = await setup();
    const other = freshNumber();
    await changed.ctx.db.query(renumber, [changed.lead.id, other]);
    expect(await changed.ask()).toEqual({ isAllowed: false, reason: 'lead_changed' });
    expect((await changed.live()).map((dial) => dial.clientPhoneNumber)).toEqual([other]);
  });

  it('of a contact: the reason is what became of it, not of the number that is next', async () => {
    const { ctx, identity, lead, callId, ask, live } = await setup({
      contacts: [freshNumber(), freshNumber()],
    });
    const [called = 0, next = 0] = lead.contactIds;
    await ctx.db.query(callContact, [callId, called]);
    const [contact] = await ctx.db.query(selectNumber, [called]);
    await addToDoNotCallList(ctx, identity, { phoneNumber: contact?.phoneNumber ?? '' });
    expect(await ask()).toEqual({ isAllowed: false, reason: 'do_not_call' });
    expect((await live()).map(({ leadId }) => leadId)).toEqual([next]);
  });

  it('of a contact that was reached meanwhile: another contact with its number is not called in its name', async () => {
    const shared = freshNumber();
    const { ctx, lead, callId, ask } = await setup({ contacts: [shared, shared] });
    const [called = 0] = lead.contactIds;
    await ctx.db.query(callContact, [callId, called]);
    await ctx.db.query(endLead, [called]);
    expect(await ask()).toEqual({ isAllowed: false, reason: 'lead_changed' });
  });

  it('a campaign that was deleted meanwhile', async () => {
    const { ctx, campaignId, ask } = await setup();
    await ctx.db.query(statement('', 'update campaigns set deleted_at = now() where id = $1'), [campaignId]);
    expect(await ask()).toEqual({ isAllowed: false, reason: 'campaign_deleted' });
  });

  it('a campaign whose row is gone, with its leads', async () => {
    const { ctx, campaignId, ask } = await setup();
    await ctx.db.query(statement('', 'delete from leads where campaign_id = $1'), [campaignId]);
    await ctx.db.query(statement('', 'delete from campaigns where id = $1'), [campaignId]);
    expect(await ask()).toEqual({ isAllowed: false, reason: 'campaign_deleted' });
  });

  it('stop and INVITE at the same time: every permission was granted before the stop', async () => {
    for (let round = 0; round < 5; round++) {
      const { about, campaignId, ask, call } = await setup();
      const [answer] = await Promise.all([ask(), setCampaign(about, campaignId, 'status', 'stopped')]);
      expect((await call()).status).toBe(answer.isAllowed ? 'initiated' : 'failed');
      expect((await ask()).isAllowed).toBe(false);
    }
  });

  it('the list counts for every call, also for one that no campaign has placed', async () => {
    const about = await arrange(database.db);
    const callId = await makeIntendedCall(about);
    const { client_phone_number: phoneNumber } = await findCall(about.ctx, about.identity, callId);
    await addToDoNotCallList(about.ctx, about.identity, { phoneNumber });
    const verdict = await authorizeDial(about.ctx, { callId, fence: about.fence });
    expect(verdict).toEqual({ isAllowed: false, reason: 'do_not_call' });
  });
});
