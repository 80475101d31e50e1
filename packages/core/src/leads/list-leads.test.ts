import { leadRecord, type LeadRecord } from '@parley/contracts';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { endUnanswered, makeCampaign, makeLead, onlyDial } from '../../test/arrange-campaign.ts';
import { writeLead } from '../../test/arrange-leads.ts';
import { arrange, makeUser } from '../../test/arrange.ts';
import { runCampaign } from '../lifecycle/run-campaign.ts';
import { deleteLead } from './delete-lead.ts';
import { findLeadSummary } from './find-lead.ts';
import { listLeads, listLeadSummaries, streamLeads, type LeadFilters } from './list-leads.ts';
import { updateLead } from './update-lead.ts';

const database = useTestDatabase();

async function setup() {
  const about = await arrange(database.db);
  const campaignId = await makeCampaign(about, { status: 'draft' });
  const { ctx, identity } = about;
  const all = async (filters: LeadFilters = {}, reader = identity): Promise<LeadRecord[]> => {
    const found: LeadRecord[] = [];
    for await (const batch of streamLeads(ctx, reader, filters)) found.push(...batch);
    return found;
  };
  const ids = async (filters: LeadFilters = {}) => (await all(filters)).map(({ id }) => id);
  return { ...about, about, campaignId, all, ids };
}

/** As an import would, without contacts. */
const insertMany = statement(
  '',
  `insert into leads (user_id, campaign_id, phone_number, variables, status, dial_state, created_at, updated_at)
   select $1, $2, '+1202' || (5000000 + n), '{}', 'created', 'waiting', $4, $4 from generate_series(1, $3::int) n`,
);

describe('the list of leads', () => {
  it('has main leads only, newest first, with their campaign and contacts in order', async () => {
    const { about, campaignId, all } = await setup();
    const first = await writeLead(about, campaignId, {
      secondary_contacts: [{ phone_number: '+12025550120' }, { phone_number: '+12025550121' }],
    });
    const second = await writeLead(about, campaignId);
    const listed = await all();
    expect(listed).toEqual([second, first]);
    expect(leadRecord.array().parse(listed)).toEqual(listed);
  });

  it('streams more than one batch without skipping or repeating one, also when some vanish meanwhile', async () => {
    const { ctx, clock, identity, campaignId, ids } = await setup();
    const at = new Date(clock.now());
    await ctx.db.query(insertMany, [identity.userId, campaignId, 1201, at]);
    const before = await ids();
    expect(new Set(before).size).toBe(1201);
    expect(before).toEqual(before.toSorted((a, b) => b - a));

    const gone = before[700] ?? 0;
    const seen: number[] = [];
    for await (const batch of streamLeads(ctx, identity, {})) {
      if (seen.length === 0) await deleteLead(ctx, identity, gone);
      if (seen.length === 0) await ctx.db.query(insertMany, [identity.userId, campaignId, 3, at]);
      seen.push(...batch.map(({ id }) => id));
    }
    expect(seen).toEqual(before.filter((id) => id !== gone));
  });

  it('is filtered by each of its parameters, and by several', async () => {
    const { about, clock, campaignId, ids } = await setup();
    const { ctx, identity } = about;
    const otherId = await makeCampaign(about, { status: 'draft' });
    const early = await writeLead(about, campaignId, { phone_number: '+49 151 23456789' });
    clock.advance(24 * 3_600_000);
    const late = await writeLead(about, otherId, { phone_number: '+1 202 555 0170' });
    await updateLead(ctx, identity, { id: early.id, changes: { status: 'completed' } });

    const rows: [LeadFilters, number[]][] = [
      [{}, [late.id, early.id]],
      [{ campaignId }, [early.id]],
      [{ campaignId: otherId }, [late.id]],
      [{ campaignId: 999_999 }, []],
      [{ status: 'completed' }, [early.id]],
      [{ status: 'created' }, [late.id]],
      [{ phoneNumber: '2345' }, [early.id]],
      [{ phoneNumber: '+1 (202)' }, [late.id]],
      [{ phoneNumber: '%' }, []],
      [{ dateFrom: '2026-01-02' }, [late.id]],
      [{ dateTo: '2026-01-01' }, [early.id]],
      [{ dateFrom: '2026-01-01', dateTo: '2026-01-02' }, [late.id, early.id]],
      [{ campaignId, status: 'created', phoneNumber: '555' }, []],
    ];
    for (const [filters, expected] of rows) {
      expect(await ids(filters), JSON.stringify(filters)).toEqual(expected);
      const page = await listLeads(ctx, identity, { ...filters, page: 1, perPage: 15 });
      expect(
        page.rows.map(({ id }) => id),
        JSON.stringify(filters),
      ).toEqual(expected);
      expect(page.total).toBe(expected.length);
    }
  });

  it('has for the admin app the state of each lead and its newest call, which may be to a contact', async () => {
    const { about, ids } = await setup();
    const { ctx, identity } = about;
    const campaignId = await makeCampaign(about, { maxCallsInParallel: 1 });
    const lead = await makeLead(about, campaignId, { contacts: ['+12025550171'] });
    const others = { campaignId };
    await runCampaign(ctx, campaignId);
    expect(await findLeadSummary(ctx, identity, lead.id)).toMatchObject({
      state: 'dialing',
      last_call: { outcome: null },
    });
    await endUnanswered(about, (await onlyDial(about, campaignId)).callId, 'busy');
    about.clock.advance(1000);
    await runCampaign(ctx, campaignId);
    const second = await onlyDial(about, campaignId);
    await endUnanswered(about, second.callId, 'no-answer');

    const list = await listLeadSummaries(ctx, identity, { ...others, page: 1, perPage: 15 });
    expect(list.rows).toMatchObject([
      { id: lead.id, state: 'waiting-to-retry', last_call: { id: second.callId, outcome: 'no_answer' } },
    ]);
    expect(await ids({ ...others, outcome: 'no_answer' })).toEqual([lead.id]);
    expect(await ids({ ...others, outcome: 'busy' })).toEqual([]);
    expect(await ids({ ...others, state: 'waiting-to-retry' })).toEqual([lead.id]);
    expect(await ids({ ...others, state: 'waiting' })).toEqual([]);
    await updateLead(ctx, identity, { id: lead.id, changes: { status: 'completed' } });
    expect(await ids({ ...others, state: 'completed' })).toEqual([lead.id]);
  });

  it('takes the days of a filter, and writes its times, in the zone of the reader', async () => {
    const { about, all } = await setup();
    const campaignId = await makeCampaign(about, { status: 'draft' });
    const { id } = await writeLead(about, campaignId);
    const reader = { ...about.identity, timezone: 'America/New_York' };
    expect(await all({ dateTo: '2025-12-31' }, reader)).toMatchObject([
      { id, created_at: '2025-12-31 19:00:00' },
    ]);
    expect(await all({ dateFrom: '2026-01-01' }, reader)).toEqual([]);
  });

  it('pages to an empty page past the end', async () => {
    const { about, ctx, identity, campaignId } = await setup();
    const made: number[] = [];
    for (let leads = 0; leads < 5; leads++) {
      const { id } = await writeLead(about, campaignId, {
        secondary_contacts: [{ phone_number: `+1303555012${leads}` }],
      });
      made.unshift(id);
    }
    const page = async (number: number) => {
      const { rows, total } = await listLeads(ctx, identity, { page: number, perPage: 2 });
      return { ids: rows.map(({ id }) => id), total };
    };
    expect(await page(1)).toEqual({ ids: made.slice(0, 2), total: 5 });
    expect(await page(3)).toEqual({ ids: made.slice(4), total: 5 });
    expect(await page(4)).toEqual({ ids: [], total: 5 });
  });

  it("shows only the user's own leads", async () => {
    const { about, all, campaignId } = await setup();
    await writeLead(about, campaignId);
    const stranger = await makeUser(about.ctx);
    expect(await all({}, stranger)).toEqual([]);
    expect(await all({ campaignId }, stranger)).toEqual([]);
  });
});
