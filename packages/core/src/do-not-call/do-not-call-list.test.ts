import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange, freshNumber, makeCall, makeUser } from '../../test/arrange.ts';
import { leadState, liveDials, makeCampaign, makeLead } from '../../test/arrange-campaign.ts';
import { runCampaign } from '../lifecycle/run-campaign.ts';
import { addToDoNotCallList, listDoNotCall, removeFromDoNotCallList } from './do-not-call-list.ts';

const database = useTestDatabase();

async function setup() {
  const about = await arrange(database.db);
  const { ctx, identity } = about;
  const add = (phoneNumber: string, reason?: string) =>
    addToDoNotCallList(ctx, identity, { phoneNumber, reason });
  const remove = (phoneNumber: string) => removeFromDoNotCallList(ctx, identity, { phoneNumber });
  const list = (phoneNumber?: string) => listDoNotCall(ctx, identity, { page: 1, perPage: 15, phoneNumber });
  return { ...about, about, add, remove, list };
}

describe('the do-not-call list', () => {
  it('keeps numbers as E.164, newest first; adding one again changes its reason', async () => {
    const { clock, add, list } = await setup();
    await add('+1 (202) 555-0171', 'asked us to');
    clock.advance(1_000);
    await add('+12025550172');
    await add('+12025550171', 'asked again');
    expect(await list()).toEqual({
      total: 2,
      rows: [
        { phoneNumber: '+12025550172', reason: '', createdAt: new Date(clock.now()), callId: null },
        {
          phoneNumber: '+12025550171',
          reason: 'asked again',
          createdAt: new Date(clock.now() - 1_000),
          callId: null,
        },
      ],
    });
    expect(await list('50172')).toMatchObject({ total: 1, rows: [{ phoneNumber: '+12025550172' }] });
  });

  it.each(['', 'hello', '+4912'])('refuses the number %j', async (phoneNumber) => {
    const { add, list } = await setup();
    const fields = { phone_number: ['Invalid phone number'] };
    await expect(add(phoneNumber)).rejects.toMatchObject({ kind: 'invalid', fields });
    expect(await list()).toEqual({ total: 0, rows: [] });
  });

  it('make_call is refused with the reason, for its owner only', async () => {
    const { ctx, about, add, remove } = await setup();
    const phoneNumber = freshNumber();
    await add(phoneNumber);
    const fields = { phone_number: ['This number is on the do-not-call list.'] };
    await expect(makeCall(about, phoneNumber)).rejects.toMatchObject({ kind: 'invalid', fields });
    const other = await arrange(ctx.db);
    await expect(makeCall(other, phoneNumber)).resolves.toBeGreaterThan(0);
    await remove(phoneNumber);
    await expect(makeCall(about, phoneNumber)).resolves.toBeGreaterThan(0);
  });

  it('a number that is not on it, or on another user’s list, cannot be removed', async () => {
    const { ctx, add } = await setup();
    const phoneNumber = freshNumber();
    await add(phoneNumber);
    const stranger = await makeUser(ctx);
    const foreign = removeFromDoNotCallList(ctx, stranger, { phoneNumber });
    await expect(foreign).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('leads that were not called because of it are called once it is removed', async () => {
    const { ctx, about, add, remove } = await setup();
    const campaignId = await makeCampaign(about, { isCompletedWithoutLeads: false });
    const lead = await makeLead(about, campaignId);
    await add(lead.phoneNumber);
    await runCampaign(ctx, campaignId);
    expect(await leadState(about, lead.id)).toMatchObject({ dialState: 'blocked', round: null });
    await remove(lead.phoneNumber);
    await runCampaign(ctx, campaignId);
    expect((await liveDials(about, campaignId)).map(({ leadId }) => leadId)).toEqual([lead.id]);
  });
});
