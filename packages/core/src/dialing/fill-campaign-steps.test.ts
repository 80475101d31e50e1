/** The single steps of a fill: when nothing is touched, how often it is tried again, and how far it looks. */
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange, freshNumber, makeNumber } from '../../test/arrange.ts';
import {
  endUnanswered,
  leadState,
  liveDials,
  makeCampaign,
  makeLead,
  makeLeads,
  nextLook,
  onlyDial,
  type CampaignFields,
} from '../../test/arrange-campaign.ts';
import { subscribe } from '../../test/arrange-endpoints.ts';
import { findCall } from '../calls/find-call.ts';
import { ONE_CALL_PER_NUMBER } from '../calls/insert-call.ts';
import type { CoreContext } from '../context.ts';
import { fillCampaign } from './fill-campaign.ts';

const database = useTestDatabase();
const TRIES = 5;
const LOOK_LIMIT = 200;

async function setup(fields: CampaignFields = {}, leads = 0) {
  const about = await arrange(database.db);
  const campaignId = await makeCampaign(about, fields);
  const leadIds = await makeLeads(about, campaignId, leads);
  const fill = (ctx = about.ctx) => fillCampaign(ctx, { campaignId });
  return { ...about, about, campaignId, leadIds, fill };
}

/** As the driver reports it. */
function uniqueViolation(constraint: string): Error {
  return Object.assign(new Error('duplicate key value'), { code: '23505', constraint });
}

/** A context whose first `count` transactions end with `fault`; counts all of them. */
function failing(ctx: CoreContext, count: number, fault: Error) {
  let begun = 0;
  const db = Object.create(ctx.db) as CoreContext['db'];
  db.transaction = async (work) => {
    begun += 1;
    if (begun <= count) throw fault;
    return ctx.db.transaction(work);
  };
  return { ctx: { ...ctx, db }, begun: () => begun };
}

describe('a fill', () => {
  it.each([
    ['draft', ''],
    ['stopped', ''],
    ['completed', ''],
    ['in-progress', 'update campaigns set deleted_at = now() where id = $1'],
  ])('of a campaign that is %s or deleted leaves its leads as they are', async (status, change) => {
    const { ctx, about, campaignId, leadIds, fill } = await setup({ status }, 1);
    if (change) await ctx.db.query(statement('', change), [campaignId]);
    const before = await leadState(about, leadIds[0] ?? 0);
    await fill();
    expect(await leadState(about, leadIds[0] ?? 0)).toEqual(before);
    expect(before).toMatchObject({ dialState: 'waiting', dialReason: null, round: 1 });
  });

  it('of a campaign whose row is gone does nothing', async () => {
    const { ctx, campaignId, fill } = await setup();
    await ctx.db.query(statement('', 'delete from campaigns where id = $1'), [campaignId]);
    await expect(fill()).resolves.toBeUndefined();
  });

  it('is tried again when a number has entered another call meanwhile, five times in all', async () => {
    const fault = uniqueViolation(ONE_CALL_PER_NUMBER);
    const { ctx, about, campaignId, fill } = await setup({}, 1);
    const often = failing(ctx, TRIES - 1, fault);
    await fill(often.ctx);
    expect(often.begun()).toBe(TRIES);
    expect(await liveDials(about, campaignId)).toHaveLength(1);
    const always = failing(ctx, Infinity, fault);
    await expect(fill(always.ctx)).rejects.toBe(fault);
    expect(always.begun()).toBe(TRIES);
  });

  it('is not tried again after any other fault', async () => {
    const { ctx, fill } = await setup({}, 1);
    const fault = uniqueViolation('another_constraint');
    const once = failing(ctx, 1, fault);
    await expect(fill(once.ctx)).rejects.toBe(fault);
    expect(once.begun()).toBe(1);
  });

  it('goes on with the next caller number', async () => {
    const { ctx, identity, about } = await setup();
    const ids = [await makeNumber(about), await makeNumber(about)];
    const campaignId = await makeCampaign(about, {
      phoneNumberIds: ids,
      maxCallsInParallel: 1,
      maxRetries: 0,
    });
    await makeLeads(about, campaignId, 2);
    const shown: string[] = [];
    for (let count = 0; count < 2; count++) {
      await fillCampaign(ctx, { campaignId });
      const { callId } = await onlyDial(about, campaignId);
      shown.push((await findCall(ctx, identity, callId)).assistant_phone_number);
      await ctx.db.query(statement('', 'delete from live_calls where call_id = $1'), [callId]);
    }
    expect(new Set(shown).size).toBe(2);
  });

  it('looks at 200 leads, and plans the rest at once', async () => {
    const { ctx, identity, about, campaignId, fill } = await setup({ maxCallsInParallel: 10 });
    await ctx.db.query(insertForbidden, [identity.userId, campaignId, new Date(about.clock.now())]);
    await fill();
    const waiting = statement<{ count: number }>(
      '',
      'select count(*)::int as count from dial_queue where campaign_id = $1',
    );
    expect(await ctx.db.query(waiting, [campaignId])).toEqual([{ count: 300 - LOOK_LIMIT }]);
    expect(await nextLook(about, campaignId)).toEqual(new Date(about.clock.now()));
  });

  it('completes the campaign with its event when nothing is left', async () => {
    const { about, campaignId, fill } = await setup({ maxRetries: 0 }, 1);
    const { events } = await subscribe(about, { events: ['campaign.completed'] });
    await fill();
    await endUnanswered(about, (await onlyDial(about, campaignId)).callId, 'busy');
    await fill();
    expect(await events()).toEqual(['campaign.completed']);
  });

  it('completes nothing while a call is in progress', async () => {
    const { about, campaignId, fill } = await setup({ maxCallsInParallel: 2 }, 1);
    const { events } = await subscribe(about, { events: ['campaign.completed'] });
    await fill();
    await fill();
    expect(await events()).toEqual([]);
    expect(await liveDials(about, campaignId)).toHaveLength(1);
  });

  it('is planned for the time of the first lead that is due later', async () => {
    const { about, campaignId, fill } = await setup({ maxCallsInParallel: 2 });
    const phoneNumber = freshNumber();
    await makeLead(about, campaignId, { phoneNumber });
    await makeLead(about, campaignId, { phoneNumber });
    await fill();
    expect(await nextLook(about, campaignId)).toEqual(new Date(about.clock.now() + 5_000));
  });
});

/** Leads that are never called: they have been completed already. */
const insertForbidden = statement(
  '',
  `with made as (
     insert into leads (user_id, campaign_id, phone_number, variables, status, dial_state, created_at, updated_at)
     select $1, $2, '+1202555' || lpad(n::text, 4, '0'), '{}', 'completed', 'waiting', $3, $3
     from generate_series(1, 300) n returning id)
   insert into dial_queue (campaign_id, ready_at, lead_id, attempt) select $2, $3, id, 1 from made`,
);
