import { campaignChangesBody, campaignDefaults, campaignDetail, campaignRecord } from '@parley/contracts';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { makeCampaign, makeLeads, nextLook, setCampaign } from '../../test/arrange-campaign.ts';
import { leadsOf, queueOf, writeCampaign, writeLead } from '../../test/arrange-leads.ts';
import { arrange, freshNumber, makeAssistant, makeNumber, makeUser } from '../../test/arrange.ts';
import { deleteCampaign } from './delete-campaign.ts';
import { findCampaign, listCampaigns } from './find-campaign.ts';
import { removeLeads } from './remove-leads.ts';
import { runCampaign } from '../lifecycle/run-campaign.ts';
import { updateCampaign } from './update-campaign.ts';

const database = useTestDatabase();

async function setup() {
  const about = await arrange(database.db);
  const { ctx, identity } = about;
  const create = (fields: Record<string, unknown> = {}) => writeCampaign(about, fields);
  const read = (id: number) => findCampaign(ctx, identity, id);
  const update = (id: number, body: Record<string, unknown>) =>
    updateCampaign(ctx, identity, { id, changes: campaignChangesBody.parse(body) });
  return { ...about, about, create, read, update };
}

const NO_ASSISTANT = { kind: 'not-found', message: 'Assistant not found or not an outbound assistant.' };

describe('creating a campaign', () => {
  it('answers with a draft that has the defaults', async () => {
    const { create, read, assistant } = await setup();
    const made = await create();
    expect(campaignRecord.parse(made)).toEqual(made);
    expect(made).toEqual({
      id: made.id,
      name: 'Spring',
      status: 'draft',
      max_calls_in_parallel: 3,
      mark_complete_when_no_leads: true,
      allowed_hours_start_time: '00:00:00',
      allowed_hours_end_time: '23:59:00',
      allowed_days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
      max_retries: 3,
      retry_interval: 3600,
      created_at: '2026-01-01T00:00:00.000000Z',
      updated_at: '2026-01-01T00:00:00.000000Z',
    });
    const detail = await read(made.id);
    expect(campaignDetail.parse(detail)).toEqual(detail);
    expect(detail).toMatchObject({
      ...made,
      assistant_id: assistant.id,
      timezone: 'Europe/Berlin',
      phone_number_ids: [],
      retry_on_voicemail: false,
      retry_on_goal_incomplete: false,
      goal_completion_variable: null,
    });
  });

  it('says when its hours begin next, and nothing within them', async () => {
    const { create, read, clock } = await setup();
    const hours = { allowed_hours_start_time: '09:00', allowed_hours_end_time: '17:00' };
    const { id } = await create({ ...hours, allowed_days: ['friday'] });
    expect((await read(id)).opens_at).toBe('2026-01-02T08:00:00.000000Z');
    clock.advance(32 * 3_600_000);
    expect((await read(id)).opens_at).toBeNull();
  });

  it('reads an empty list of days as all seven', async () => {
    const { create, read } = await setup();
    const { id } = await create({ allowed_days: [] });
    expect(await read(id)).toMatchObject({ allowed_days: campaignDefaults.allowed_days });
  });

  it('keeps what was written, days in week order and numbers once each', async () => {
    const { about, create, read } = await setup();
    const [one, two] = [await makeNumber(about), await makeNumber(about, 'Caller ID')];
    const { id } = await create({
      timezone: 'America/New_York',
      max_calls_in_parallel: '7',
      allowed_hours_start_time: '09:30',
      allowed_hours_end_time: '17:00:05',
      allowed_days: ['sunday', 'monday', 'sunday'],
      max_retries: 0,
      retry_interval: 10,
      mark_complete_when_no_leads: 'false',
      retry_on_voicemail: 1,
      retry_on_goal_incomplete: true,
      goal_completion_variable: 'is_booked',
      phone_number_ids: [two, one, two],
    });
    expect(await read(id)).toMatchObject({
      timezone: 'America/New_York',
      max_calls_in_parallel: 7,
      allowed_hours_start_time: '09:30:00',
      allowed_hours_end_time: '17:00:05',
      allowed_days: ['monday', 'sunday'],
      max_retries: 0,
      retry_interval: 10,
      mark_complete_when_no_leads: false,
      retry_on_voicemail: true,
      retry_on_goal_incomplete: true,
      goal_completion_variable: 'is_booked',
      phone_number_ids: [two, one],
    });
  });

  it('needs an outbound assistant of its own', async () => {
    const { about, ctx, identity, create } = await setup();
    const inbound = await makeAssistant(ctx, identity, { calls_direction: 'receive' });
    const foreign = await makeAssistant(ctx, await makeUser(ctx));
    for (const assistant_id of [inbound.id, foreign.id, 999_999]) {
      await expect(create({ assistant_id })).rejects.toMatchObject(NO_ASSISTANT);
    }
    expect(await listCampaigns(about.ctx, identity)).toEqual([]);
  });

  it("refuses numbers that are not the caller's, by their place", async () => {
    const { about, ctx, create } = await setup();
    const own = await makeNumber(about);
    const foreign = await makeNumber({ ctx, identity: await makeUser(ctx) });
    await expect(create({ phone_number_ids: [own, foreign, 999_999] })).rejects.toMatchObject({
      fields: {
        'phone_number_ids.1': ['The selected phone_number_ids.1 is invalid.'],
        'phone_number_ids.2': ['The selected phone_number_ids.2 is invalid.'],
      },
    });
  });
});

describe('reading campaigns', () => {
  it('lists them newest first, to their owner only', async () => {
    const { ctx, identity, create } = await setup();
    const made = [await create(), await create({ name: 'Summer' })];
    expect(await listCampaigns(ctx, identity)).toEqual(made.toReversed());
    const stranger = await makeUser(ctx);
    expect(await listCampaigns(ctx, stranger)).toEqual([]);
    await expect(findCampaign(ctx, stranger, made[0]?.id ?? 0)).rejects.toMatchObject({
      kind: 'not-found',
      message: 'Campaign not found',
    });
  });

  it('tells how far one is', async () => {
    const { about, ctx, read } = await setup();
    const id = await makeCampaign(about, { maxCallsInParallel: 2 });
    const [done] = await makeLeads(about, id, 4);
    await writeLead(about, id, { secondary_contacts: [{ phone_number: freshNumber() }] });
    const complete = `update leads set status = 'completed', dial_state = 'done' where id = $1`;
    await database.db.query(statement('', complete), [done ?? 0]);
    await runCampaign(ctx, id);
    expect((await read(id)).progress).toEqual({
      leads: 5,
      created: 4,
      completed: 1,
      reached_max_retries: 0,
      waiting: 2,
      dialing: 2,
      waiting_to_retry: 0,
      blocked: 0,
      called: 2,
      dispositions: [],
      live_calls: 2,
      outcomes: {},
    });
  });
});

describe('updating a campaign', () => {
  it('changes only what is sent, and wakes one that runs', async () => {
    const { about, clock, create, read, update } = await setup();
    const made = await create({ allowed_days: ['friday'] });
    clock.advance(1000);
    const changed = await update(made.id, { name: 'Autumn', max_retries: '5' });
    expect(changed).toEqual({
      ...made,
      name: 'Autumn',
      max_retries: 5,
      updated_at: '2026-01-01T00:00:01.000000Z',
    });
    expect(await nextLook(about, made.id)).toBeNull();
    await setCampaign(about, made.id, 'status', 'in-progress');
    await update(made.id, { max_calls_in_parallel: 9 });
    expect(await nextLook(about, made.id)).not.toBeNull();
    expect(await read(made.id)).toMatchObject({
      name: 'Autumn',
      max_calls_in_parallel: 9,
      status: 'in-progress',
    });
  });

  it('asks for a goal variable unless one is stored', async () => {
    const { create, update } = await setup();
    const { id } = await create();
    const fault = {
      fields: {
        goal_completion_variable: [
          'The goal completion variable field is required when retry on goal incomplete is true.',
        ],
      },
    };
    await expect(update(id, { retry_on_goal_incomplete: true })).rejects.toMatchObject(fault);
    await update(id, { goal_completion_variable: 'is_booked' });
    await update(id, { retry_on_goal_incomplete: true });
    await expect(update(id, { goal_completion_variable: null })).rejects.toMatchObject(fault);
    await update(id, { goal_completion_variable: null, retry_on_goal_incomplete: false });
  });

  it('refuses what creating refuses', async () => {
    const { ctx, identity, create, update } = await setup();
    const { id } = await create();
    const inbound = await makeAssistant(ctx, identity, { calls_direction: 'receive' });
    await expect(update(id, { assistant_id: inbound.id })).rejects.toMatchObject(NO_ASSISTANT);
    await expect(update(id, { phone_number_ids: [999_999] })).rejects.toMatchObject({ kind: 'invalid' });
    await expect(update(999_999, {})).rejects.toMatchObject({
      kind: 'not-found',
      message: 'Campaign not found',
    });
  });
});

describe('deleting a campaign', () => {
  it('removes its leads, contacts and queue, and nothing of another', async () => {
    const { about, ctx, identity, read } = await setup();
    const [id, otherId] = [await makeCampaign(about), await makeCampaign(about)];
    for (const campaignId of [id, otherId]) {
      await writeLead(about, campaignId, { secondary_contacts: [{ phone_number: freshNumber() }] });
    }
    await deleteCampaign(ctx, identity, id);
    await expect(read(id)).rejects.toMatchObject({ kind: 'not-found' });
    expect(await leadsOf(about, id)).toBe(0);
    expect(await queueOf(about, id)).toEqual([]);
    expect(await leadsOf(about, otherId)).toBe(2);
    await expect(deleteCampaign(ctx, identity, id)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('leaves leads alone as long as the campaign is not deleted', async () => {
    const { about, ctx } = await setup();
    const id = await makeCampaign(about);
    await writeLead(about, id);
    await removeLeads(ctx, id);
    expect(await leadsOf(about, id)).toBe(1);
  });

  it('is not found for a stranger', async () => {
    const { about, ctx, create } = await setup();
    const { id } = await create();
    const stranger = await makeUser(ctx);
    await expect(deleteCampaign(ctx, stranger, id)).rejects.toMatchObject({ kind: 'not-found' });
    await expect(updateCampaign(ctx, stranger, { id, changes: { name: 'Mine' } })).rejects.toMatchObject({
      kind: 'not-found',
    });
    expect(await listCampaigns(ctx, about.identity)).toHaveLength(1);
  });

  it('never leaves a lead behind that was created meanwhile', async () => {
    const { about, ctx, identity } = await setup();
    const id = await makeCampaign(about);
    const creations = Promise.allSettled(Array.from({ length: 8 }, () => writeLead(about, id)));
    await deleteCampaign(ctx, identity, id);
    await creations;
    expect(await leadsOf(about, id)).toBe(0);
  });
});
