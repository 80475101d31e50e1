import type { LeadsAction } from '@parley/contracts';
import { Lead } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { makeCampaign } from '../../test/arrange-campaign.ts';
import { writeLead } from '../../test/arrange-leads.ts';
import { arrange, makeUser } from '../../test/arrange.ts';
import { changeLeads, type LeadSelection } from './change-leads.ts';
import { exportLeads } from './export-leads.ts';
import { findLead } from './find-lead.ts';
import { updateLead } from './update-lead.ts';

const database = useTestDatabase();

async function setup(count = 5) {
  const about = await arrange(database.db);
  const { ctx, identity } = about;
  const campaignId = await makeCampaign(about);
  const ids: number[] = [];
  for (let place = 0; place < count; place++) ids.push((await writeLead(about, campaignId)).id);
  const change = (selection: LeadSelection, action: LeadsAction, who = identity) =>
    changeLeads(ctx, who, { selection, action });
  const statuses = async () => Promise.all(ids.map(async (id) => (await findLead(ctx, identity, id)).status));
  return { ...about, about, campaignId, ids, change, statuses };
}

const ALL_WELL = { refused: 0, reason: null, next: null };

describe('changing many leads', () => {
  it('goes through a filter piece by piece, and changes each lead once', async () => {
    const { ids, campaignId, change, statuses, ctx } = await setup();
    const filters = { campaignId };
    const first = await change({ filters, below: null, limit: 3 }, { type: 'end' });
    expect(first).toEqual({ ...ALL_WELL, changed: 3, next: ids[2] });
    expect(await statuses()).toEqual(['created', 'created', ...Array<string>(3).fill('completed')]);
    const rest = await change({ filters, below: first.next, limit: 3 }, { type: 'end' });
    expect(rest).toEqual({ ...ALL_WELL, changed: 2 });
    expect(await change({ ids }, { type: 'restart' })).toEqual({ ...ALL_WELL, changed: 5 });
    expect(new Set(await statuses())).toEqual(new Set(['created']));
    await change({ filters, below: null, limit: 100 }, { type: 'delete' });
    expect(await ctx.db.em.count(Lead, { campaignId })).toBe(0);
  });

  it('moves leads, and says how many could not be changed and why', async () => {
    const { about, ctx, ids, change } = await setup(2);
    const other = await makeCampaign(about);
    const action = { type: 'move', campaign_id: other } as const;
    const moved = await change({ ids: [...ids, 999_999_999] }, action);
    expect(moved).toEqual({ changed: 2, refused: 1, reason: 'Lead not found', next: null });
    expect(await ctx.db.em.count(Lead, { campaignId: other })).toBe(2);
    const nowhere = await change({ ids }, { type: 'move', campaign_id: 999_999_999 });
    expect(nowhere).toMatchObject({ changed: 0, refused: 2, reason: 'Campaign not found' });
  });

  it('leaves the leads of other users alone', async () => {
    const { ctx, ids, campaignId, change } = await setup(2);
    const stranger = await makeUser(ctx);
    const result = await change({ ids }, { type: 'delete' }, stranger);
    expect(result).toMatchObject({ changed: 0, refused: 2 });
    const filtered = await change(
      { filters: { campaignId }, below: null, limit: 10 },
      { type: 'end' },
      stranger,
    );
    expect(filtered).toEqual({ ...ALL_WELL, changed: 0 });
    expect(await ctx.db.em.count(Lead, { campaignId })).toBe(2);
  });
});

it('leads are exported with a column for each variable', async () => {
  const { ctx, identity, ids, campaignId } = await setup(2);
  const [one = 0] = ids;
  await updateLead(ctx, identity, { id: one, changes: { variables: { city: 'Köln, "Mitte"', age: 7 } } });
  let file = '';
  for await (const piece of exportLeads(ctx, identity, { campaignId })) file += piece;
  const [head, second, first, end] = file.split('\r\n');
  expect(head).toBe(
    'phone_number,campaign,state,last_call_at,last_call_outcome,created_at,secondary_contacts,age,city',
  );
  expect(second).toMatch(/^'\+\d+,.*,waiting,,,2026-01-01 \d\d:00:00,,,$/);
  expect(first).toMatch(/,7,"Köln, ""Mitte"""$/);
  expect(end).toBe('');
});
