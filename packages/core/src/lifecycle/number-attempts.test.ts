import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrangeCarrier } from '../../test/arrange-carrier.ts';
import {
  askToDial,
  endUnanswered,
  leadState,
  liveDials,
  makeCampaign,
  makeLead,
  onlyDial,
} from '../../test/arrange-campaign.ts';
import { makeTestLine } from '../../test/arrange.ts';
import { changeUserAccount } from '../accounts/user-accounts.ts';
import { fillCampaign } from '../dialing/fill-campaign.ts';
import { explainLead } from '../leads/explain-lead.ts';
import { placeCall } from './place-call.ts';
import { sweepCalls } from './sweep-calls.ts';

const database = useTestDatabase();

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const countAttempts = statement<{ attempts: number }>(
  '',
  'select count(*) as attempts from number_attempts where user_id = $1',
);
const makeFictional = statement('', `update trunks set reach = 'fictional' where id = $1`);

let numbers = 0;

/** A number of its own, and an account with these limits. */
async function setup(limits: { perDay?: number; perWeek?: number } = {}) {
  const about = await arrangeCarrier(database.db);
  const { ctx, identity, assistant, clock } = about;
  const limit = ({ perDay = null, perWeek = null }: { perDay?: number | null; perWeek?: number | null }) =>
    changeUserAccount(ctx, identity, {
      id: identity.userId,
      max_attempts_per_number_per_day: perDay,
      max_attempts_per_number_per_week: perWeek,
    });
  await limit(limits);
  const phoneNumber = `+4915200${String(200_000 + numbers++)}`;
  const place = (to = phoneNumber) =>
    placeCall(ctx, identity, { phoneNumber: to, assistantId: assistant.id });
  /** One attempt that nobody answers. */
  const dial = async (to?: string): Promise<void> => {
    await endUnanswered(about, (await place(to)).callId, 'no-answer');
  };
  const pass = (ms: number) => clock.advance(ms);
  const attempts = async () => (await ctx.db.query(countAttempts, [identity.userId]))[0]?.attempts;
  return { ...about, limit, phoneNumber, place, dial, pass, attempts };
}

const refusal = (from: string) => ({
  kind: 'invalid',
  fields: {
    phone_number: [
      `This number was dialed as often as your account allows within a day or a week. It may be dialed again from ${from}.`,
    ],
  },
});
const isoOf = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');

describe('calls that are placed one by one', () => {
  it('are refused from the limit of a day on, until the first of them is a day old', async () => {
    const { dial, place, pass, clock } = await setup({ perDay: 2 });
    const first = clock.now();
    await dial();
    pass(HOUR_MS);
    await dial();
    await expect(place()).rejects.toMatchObject(refusal(isoOf(first + DAY_MS)));
    pass(DAY_MS - HOUR_MS - 1);
    await expect(place()).rejects.toMatchObject({ kind: 'invalid' });
    pass(1);
    await dial();
    // The second one is not a day old yet.
    await expect(place()).rejects.toMatchObject(refusal(isoOf(first + DAY_MS + HOUR_MS)));
  });

  it('the later of two limits counts', async () => {
    const { dial, place, pass, clock } = await setup({ perDay: 1, perWeek: 2 });
    const first = clock.now();
    await dial();
    await expect(place()).rejects.toMatchObject(refusal(isoOf(first + DAY_MS)));
    pass(DAY_MS);
    await dial();
    await expect(place()).rejects.toMatchObject(refusal(isoOf(first + 7 * DAY_MS)));
  });

  it('other numbers and other accounts are not affected', async () => {
    const one = await setup({ perDay: 1 });
    const other = await setup({ perDay: 1 });
    await one.dial();
    await one.dial(other.phoneNumber);
    await other.dial();
    await other.dial(one.phoneNumber);
    expect(await one.attempts()).toBe(2);
  });

  it('attempts count although their calls ended before a limit was set', async () => {
    const { dial, place, limit, pass } = await setup();
    await dial();
    pass(1);
    await dial();
    await limit({ perWeek: 2 });
    await expect(place()).rejects.toMatchObject({ kind: 'invalid' });
    await limit({ perWeek: 3 });
    await dial();
  });

  it('a call that was placed before counts when it is dialed', async () => {
    const about = await setup();
    const { place, limit, dial, clock, attempts } = about;
    await dial();
    const { callId } = await place();
    await limit({ perDay: 1 });
    expect(await askToDial(about, callId)).toEqual({ isAllowed: false, reason: 'attempt_limit' });
    expect(await attempts()).toBe(1);
    clock.advance(DAY_MS);
    await dial();
  });

  it('calls to test phones are not counted', async () => {
    const { ctx, trunkId, identity, dial, attempts } = await setup({ perDay: 1 });
    await makeTestLine(ctx, identity.userId);
    await ctx.db.query(makeFictional, [trunkId]);
    await dial('+12025550177');
    await dial('+12025550177');
    expect(await attempts()).toBe(0);
  });

  it('are forgotten after a week', async () => {
    const { ctx, dial, pass, attempts } = await setup();
    await dial();
    pass(7 * DAY_MS);
    await sweepCalls(ctx, { hasBeenReachableForMs: 0, unreachable: [] });
    expect(await attempts()).toBe(1);
    pass(1);
    await sweepCalls(ctx, { hasBeenReachableForMs: 0, unreachable: [] });
    expect(await attempts()).toBe(0);
  });
});

describe('campaigns', () => {
  it('wait for the limit, which covers all campaigns and calls of the account', async () => {
    const about = await setup({ perDay: 2 });
    const { ctx, identity, phoneNumber, dial, clock, pass } = about;
    const first = clock.now();
    await dial();
    pass(HOUR_MS);
    const one = await makeCampaign(about);
    const other = await makeCampaign(about);
    await makeLead(about, one, { phoneNumber });
    await fillCampaign(ctx, { campaignId: one });
    await endUnanswered(about, (await onlyDial(about, one)).callId, 'busy');
    const { id } = await makeLead(about, other, { phoneNumber });
    await fillCampaign(ctx, { campaignId: other });
    expect(await liveDials(about, other)).toEqual([]);
    const until = new Date(first + DAY_MS);
    expect(await leadState(about, id)).toMatchObject({
      dialReason: 'attempt_limit',
      readyAt: until,
      attempts: 0,
    });
    expect((await explainLead(ctx, identity, id)).now).toMatchObject({
      decision: 'wait',
      reason: 'attempt_limit',
      until: isoOf(until.getTime()),
    });
    pass(DAY_MS - HOUR_MS);
    await fillCampaign(ctx, { campaignId: other });
    expect(await liveDials(about, other)).toMatchObject([{ clientPhoneNumber: phoneNumber }]);
  });

  it('a call that was claimed before the limit is not dialed, and is no attempt', async () => {
    const about = await setup();
    const { ctx, phoneNumber, dial, limit, attempts } = about;
    await dial();
    const campaignId = await makeCampaign(about);
    const { id } = await makeLead(about, campaignId, { phoneNumber });
    await fillCampaign(ctx, { campaignId });
    const { callId } = await onlyDial(about, campaignId);
    await limit({ perDay: 1 });
    expect(await askToDial(about, callId)).toEqual({ isAllowed: false, reason: 'attempt_limit' });
    expect(await attempts()).toBe(1);
    await fillCampaign(ctx, { campaignId });
    expect(await leadState(about, id)).toMatchObject({ dialReason: 'attempt_limit', attempts: 0, round: 1 });
  });

  it('a higher limit makes waiting leads due at once', async () => {
    const about = await setup({ perDay: 1 });
    const { ctx, phoneNumber, dial, limit } = about;
    await dial();
    const campaignId = await makeCampaign(about);
    await makeLead(about, campaignId, { phoneNumber });
    await fillCampaign(ctx, { campaignId });
    expect(await liveDials(about, campaignId)).toEqual([]);
    await limit({ perDay: 2 });
    await fillCampaign(ctx, { campaignId });
    expect(await liveDials(about, campaignId)).toHaveLength(1);
  });

  it('a number without attempts is called while another number of the campaign waits', async () => {
    const about = await setup({ perDay: 1 });
    const { ctx, phoneNumber, dial } = about;
    await dial();
    const campaignId = await makeCampaign(about);
    await makeLead(about, campaignId, { phoneNumber });
    const free = await makeLead(about, campaignId, { phoneNumber: '+4915211999999' });
    await fillCampaign(ctx, { campaignId });
    expect(await liveDials(about, campaignId)).toMatchObject([{ leadId: free.id }]);
  });
});
