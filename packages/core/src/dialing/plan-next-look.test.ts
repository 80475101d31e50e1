/** When a campaign is looked at again, when it is complete, and what its operator reads about it in the log. */
import { statement } from '@parley/db';
import { captureLog, useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange } from '../../test/arrange.ts';
import {
  campaignStatus,
  endUnanswered,
  makeCampaign,
  makeLeads,
  nextLook,
  onlyDial,
  type CampaignFields,
} from '../../test/arrange-campaign.ts';
import { findCampaign } from '../campaigns/find-campaign.ts';
import { fillCampaign } from './fill-campaign.ts';
import { stopCampaigns } from './stop-campaigns.ts';
import { sweepCampaigns } from './sweep-campaigns.ts';

const database = useTestDatabase();
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const setAssistants = statement('', 'update assistants set status = $2 where user_id = $1');
const disarm = statement(
  '',
  'insert into restored_copy (id, taken_at, restored_at) values (1, now(), now())',
);
const arm = statement('', 'delete from restored_copy');

async function setup(fields: CampaignFields = {}, leads = 0) {
  const arranged = await arrange(database.db);
  const { log, lines } = captureLog();
  const ctx = { ...arranged.ctx, log };
  const about = { ...arranged, ctx };
  const campaignId = await makeCampaign(about, fields);
  await makeLeads(about, campaignId, leads);
  const fill = (with_ = ctx) => fillCampaign(with_, { campaignId });
  const endOnlyCall = async () => endUnanswered(about, (await onlyDial(about, campaignId)).callId, 'busy');
  return { ...about, about, campaignId, lines, fill, endOnlyCall };
}

describe('the next look at a campaign', () => {
  it('is not planned at its own limit, however often it is looked at', async () => {
    const { about, campaignId, fill } = await setup({ maxCallsInParallel: 1 }, 2);
    for (let count = 0; count < 2; count++) {
      await fill();
      expect(await nextLook(about, campaignId)).toBeNull();
    }
  });

  it.each([
    ['both are before the hours', 8.8],
    ['this one is within them already', 9.1],
  ])(
    'waits until the hours begin by the clock of the database, which is behind: %s',
    async (_what, hours) => {
      const { ctx, clock, about, campaignId, fill } = await setup(
        { allowedFrom: '09:00:00', allowedUntil: '17:00:00' },
        1,
      );
      const midnight = clock.now();
      clock.advance(hours * HOUR_MS);
      await fill({ ...ctx, databaseNow: async () => new Date(clock.now() - 10 * MINUTE_MS) });
      expect(await nextLook(about, campaignId)).toEqual(new Date(midnight + 9 * HOUR_MS));
    },
  );
});

it('campaigns of an account that is stopped are woken if they were running, so that their calls end', async () => {
  const { ctx, clock, identity, about, campaignId } = await setup();
  const draftId = await makeCampaign(about, { status: 'draft' });
  clock.advance(MINUTE_MS);
  await ctx.db.transaction((tx) => stopCampaigns(ctx, tx, { userId: identity.userId }));
  expect(await campaignStatus(about, campaignId)).toBe('stopped');
  expect(await nextLook(about, campaignId)).not.toBeNull();
  expect(await campaignStatus(about, draftId)).toBe('draft');
  expect(await nextLook(about, draftId)).toBeNull();
  const changes = await Promise.all(
    [campaignId, draftId].map(async (id) => (await findCampaign(ctx, identity, id)).updated_at),
  );
  expect(changes).toEqual(['2026-01-01T00:01:00.000000Z', '2026-01-01T00:00:00.000000Z']);
});

describe('a campaign without leads left', () => {
  it('is complete, also when its assistant is inactive meanwhile, and the log says so', async () => {
    const { ctx, identity, about, campaignId, lines, fill, endOnlyCall } = await setup({ maxRetries: 0 }, 1);
    await fill();
    await ctx.db.query(setAssistants, [identity.userId, 'inactive']);
    await endOnlyCall();
    await fill();
    expect(await campaignStatus(about, campaignId)).toBe('completed');
    expect(lines).toContainEqual(expect.objectContaining({ level: 'info', msg: 'A campaign is complete' }));
  });
});

describe('the log says why a campaign does not dial', () => {
  it('its assistant is inactive', async () => {
    const { ctx, identity, campaignId, lines, fill } = await setup({}, 1);
    await ctx.db.query(setAssistants, [identity.userId, 'inactive']);
    await fill();
    expect(lines).toMatchObject([
      { level: 'warn', campaignId, msg: expect.stringContaining('its assistant is missing or inactive') },
    ]);
  });

  it('its calling window never opens', async () => {
    const { campaignId, lines, fill } = await setup({ allowedDays: [] }, 1);
    await fill();
    expect(lines).toMatchObject([
      { level: 'warn', campaignId, msg: expect.stringContaining('its calling window never opens') },
    ]);
  });

  it('the installation is a restored copy', async () => {
    const { ctx, lines } = await setup();
    await sweepCampaigns(ctx);
    expect(lines).toEqual([]);
    await ctx.db.query(disarm);
    await sweepCampaigns(ctx);
    await ctx.db.query(arm);
    expect(lines).toMatchObject([{ level: 'warn', msg: expect.stringContaining('restored copy') }]);
  });
});
