/** What a claim does with leads that it does not dial, and which number a lead sees. */
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange, freshNumber, makeNumber, makeTestLine } from '../../test/arrange.ts';
import {
  leadState,
  liveDials,
  makeCampaign,
  makeLead,
  nextLook,
  setCampaign,
  type CampaignFields,
} from '../../test/arrange-campaign.ts';
import { subscribe } from '../../test/arrange-endpoints.ts';
import { openTrunk } from '../../test/arrange-limits.ts';
import { findCall } from '../calls/find-call.ts';
import { runCampaign } from '../lifecycle/run-campaign.ts';

const database = useTestDatabase();

const SECOND_MS = 1000;
const setRound = statement('', 'update dial_queue set attempt = $2 where lead_id = $1');
const setTurn = statement('', 'update dial_queue set lead_id = $2 where lead_id = $1');
const lockLead = statement('', 'select 1 from leads where id = $1 for update');

async function setup(fields: CampaignFields = {}) {
  const about = await arrange(database.db);
  const campaignId = await makeCampaign(about, fields);
  const lead = (phoneNumber?: string) =>
    makeLead(about, campaignId, phoneNumber === undefined ? {} : { phoneNumber });
  const run = () => runCampaign(about.ctx, campaignId);
  const live = async () => (await liveDials(about, campaignId)).map(({ leadId }) => leadId);
  const inSeconds = (seconds: number) => new Date(about.clock.now() + seconds * SECOND_MS);
  return { ...about, about, campaignId, lead, run, live, inSeconds };
}

describe('a lead that is not dialed', () => {
  it('waits 5 s when a lead with its number has just been dialed', async () => {
    const { about, campaignId, lead, run, live, inSeconds } = await setup();
    const phoneNumber = freshNumber();
    const first = await lead(phoneNumber);
    const second = await lead(phoneNumber);
    await run();
    expect(await live()).toEqual([first.id]);
    expect(await leadState(about, second.id)).toMatchObject({ readyAt: inSeconds(5), round: 1, attempts: 0 });
    expect(await nextLook(about, campaignId)).toEqual(inSeconds(5));
  });

  it('waits 10 min when no trunk reaches its number', async () => {
    const { about, lead, run, inSeconds } = await setup();
    const { id } = await lead('+4915123456789');
    await run();
    expect(await leadState(about, id)).toMatchObject({ dialReason: 'no_line', readyAt: inSeconds(600) });
  });

  it('waits 5 s when the only trunk to its number is full and others are free', async () => {
    const { ctx, identity, about, lead, run, live, inSeconds } = await setup();
    await openTrunk(ctx, await makeTestLine(ctx, identity.userId));
    const first = await lead('+12025552345');
    const fictional = await lead();
    const second = await lead('+12025552346');
    await run();
    expect(await live()).toEqual([first.id, fictional.id]);
    const waits = { dialReason: 'trunk_calls', readyAt: inSeconds(5), round: 1, attempts: 0 };
    expect(await leadState(about, second.id)).toMatchObject(waits);
  });

  it('makes its campaign wait for the trunk while others are due', async () => {
    const { ctx, identity, campaignId, lead, run, live } = await setup();
    await openTrunk(ctx, await makeTestLine(ctx, identity.userId));
    const first = await lead('+12025552347');
    await run();
    for (const phoneNumber of ['+12025552348', '+12025552349']) await lead(phoneNumber);
    await run();
    expect(await live()).toEqual([first.id]);
    const [campaign] = await ctx.db.query(selectHold, [campaignId]);
    expect(campaign?.heldBy).toMatch(/^trunk:/);
  });

  it.each(['lead', 'contact'] as const)('waits 1 s while its owner changes the %s', async (changed) => {
    const { ctx, about, campaignId, run, live, inSeconds } = await setup();
    const { id, contactIds } = await makeLead(about, campaignId, { contacts: [freshNumber()] });
    const [contactId = 0] = contactIds;
    // The round goes on with the contact.
    await ctx.db.query(setTurn, [id, contactId]);
    await ctx.db.transaction(async (tx) => {
      await tx.query(lockLead, [changed === 'lead' ? id : contactId]);
      await run();
    });
    expect(await live()).toEqual([]);
    expect(await leadState(about, contactId)).toMatchObject({ readyAt: inSeconds(1), round: 1, attempts: 0 });
    about.clock.advance(SECOND_MS);
    await run();
    expect(await live()).toEqual([contactId]);
  });

  it('is settled with its event when the rounds that are left were taken away', async () => {
    const { ctx, about, campaignId, lead, run } = await setup({ maxRetries: 3 });
    const { payloads } = await subscribe(about, { events: ['lead.settled'] });
    const { id } = await lead();
    await ctx.db.query(setRound, [id, 3]);
    await setCampaign(about, campaignId, 'max_retries', 1);
    await run();
    const settled = { lead_id: id, status: 'reached-max-retries', call_id: null };
    expect(await payloads()).toMatchObject([settled]);
  });
});

const selectHold = statement<{ heldBy: string | null }>('', 'select held_by from campaigns where id = $1');
const selectNumber = statement<{ phoneNumber: string }>(
  '',
  'select phone_number from phone_numbers where id = $1',
);

it('a caller number that was removed from the account takes no turn', async () => {
  const { ctx, identity, about } = await setup();
  const ids = [await makeNumber(about), await makeNumber(about)];
  const campaignId = await makeCampaign(about, { phoneNumberIds: [999_999_999, ...ids] });
  for (let count = 0; count < 3; count++) await makeLead(about, campaignId);
  await runCampaign(ctx, campaignId);
  const shown: string[] = [];
  for (const { callId } of await liveDials(about, campaignId))
    shown.push((await findCall(ctx, identity, callId)).assistant_phone_number);
  const own: string[] = [];
  for (const id of ids) own.push((await ctx.db.query(selectNumber, [id]))[0]?.phoneNumber ?? '');
  expect(shown).toEqual([own[0], own[1], own[0]]);
});
