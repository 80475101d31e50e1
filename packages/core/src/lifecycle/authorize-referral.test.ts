/** REFER requests of a far end: what of them may ring a phone. */
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrangeBridge, REAL_NUMBER } from '../../test/arrange-bridge.ts';
import { freshNumber, makeCall, makeVoiceProcess } from '../../test/arrange.ts';
import { setAccountLimit } from '../../test/arrange-limits.ts';
import { addToDoNotCallList } from '../do-not-call/do-not-call-list.ts';
import { authorizeReferral } from './authorize-referral.ts';
import { finishCall } from './finish-call.ts';
import { endOf } from '../../test/arrange.ts';

const database = useTestDatabase();

const accept = statement('', 'update trunks set incoming_refer = $1, default_country = $2');
const reachAny = statement('', "update trunks set reach = 'any', caller_number = null");
const setToken = statement(
  '',
  `with token as (
     insert into api_tokens (user_id, name, token_hash, prefix, allowed_numbers, created_at)
     select user_id, 'limited', sha256(gen_random_uuid()::text::bytea), '', $2, now() from live_calls where call_id = $1 returning id)
   update live_calls set token_id = token.id from token where call_id = $1`,
);
const latest = statement<{ type: string; detail: unknown }>(
  '',
  'select type, detail from call_events where call_id = $1 order by id desc limit 1',
);

async function setup(setting = 'numbers', country: string | null = null) {
  const about = await arrangeBridge(database.db);
  const { ctx, callId, fence } = about;
  await ctx.db.query(accept, [setting, country]);
  const refer = async (user: string) => authorizeReferral(ctx, { callId, user, fence });
  const event = async () => (await ctx.db.query(latest, [callId]))[0];
  return { ...about, refer, event };
}

describe('the party of a REFER', () => {
  it('has a row with its number before anything is sent, also if no tool lists it', async () => {
    const { refer, legs, event } = await setup();
    const phoneNumber = freshNumber();
    expect(await refer(phoneNumber)).toMatchObject({ isAllowed: true, phoneNumber });
    expect(await legs()).toMatchObject([
      { clientPhoneNumber: phoneNumber, answeredAt: null, type: 'outbound' },
    ]);
    expect(await event()).toMatchObject({ type: 'far_end_referral' });
  });

  it('may be named as dialed in the country of the trunk', async () => {
    const { refer } = await setup('numbers', 'US');
    const phoneNumber = freshNumber();
    expect(await refer(phoneNumber.slice(2))).toMatchObject({ isAllowed: true, phoneNumber });
  });

  type Setup = Awaited<ReturnType<typeof setup>>;
  const obstacles: [string, string, (about: Setup, number: string) => Promise<unknown>][] = [
    ['on a trunk that refuses REFER', 'refer_refused', ({ ctx }) => ctx.db.query(accept, ['refused', null])],
    [
      'on the do-not-call list',
      'do_not_call',
      ({ ctx, identity }, phoneNumber) => addToDoNotCallList(ctx, identity, { phoneNumber, reason: '' }),
    ],
    ['in a call', 'in_call', (about, number) => makeCall(about, number)],
    ['beyond the calls of the account', 'account_calls', (about) => setAccountLimit(about, 1)],
    [
      'that the token of the call may not call',
      'number_not_allowed',
      ({ ctx, callId }) => ctx.db.query(setToken, [callId, ['+49*']]),
    ],
  ];
  it.each(obstacles)('is not called %s', async (_what, reason, arrangeObstacle) => {
    const about = await setup();
    const number = freshNumber();
    await arrangeObstacle(about, number);
    expect(await about.refer(number)).toEqual({ isAllowed: false, reason });
    expect(await about.legs()).toEqual([]);
    expect(await about.event()).toEqual({ type: 'far_end_referral_refused', detail: { reason } });
  });

  it('is not called for a call that is over', async () => {
    const about = await setup();
    await finishCall(about.ctx, endOf(about, about.callId));
    expect(await about.refer(freshNumber())).toEqual({ isAllowed: false, reason: 'over' });
  });

  it('is called in the countries and kinds of numbers that the operator allows only', async () => {
    const { ctx, refer } = await setup();
    expect(await refer(REAL_NUMBER)).toEqual({ isAllowed: false, reason: 'no_line' });
    await ctx.db.query(reachAny);
    expect(await refer('+19002025555')).toEqual({ isAllowed: false, reason: 'number_type_blocked' });
    expect(await refer('+37127123456')).toEqual({ isAllowed: false, reason: 'country_not_allowed' });
    expect(await refer(REAL_NUMBER)).toMatchObject({ isAllowed: true });
  });

  it.each(['', 'bob', '+', '+bob', '+123', '911', '2001', '*72', '+1202555010%30'])(
    'is not called by the name "%s"',
    async (user) => {
      const { refer, legs } = await setup();
      expect(await refer(user)).toEqual({ isAllowed: false, reason: 'not_a_number' });
      expect(await legs()).toEqual([]);
    },
  );

  it('may be an extension where the trunk allows that', async () => {
    const { ctx, refer, legs } = await setup('numbers_and_extensions');
    expect(await refer('2001')).toEqual({ isAllowed: false, reason: 'no_line' });
    await ctx.db.query(reachAny);
    expect(await refer('2001')).toMatchObject({ isAllowed: true, phoneNumber: '2001' });
    expect(await legs()).toMatchObject([{ clientPhoneNumber: '2001' }]);
    expect(await refer('2001')).toEqual({ isAllowed: false, reason: 'in_call' });
    expect(await refer('911')).toEqual({ isAllowed: false, reason: 'not_a_number' });
  });

  it('is authorised only for the process that owns the call', async () => {
    const { ctx, callId } = await setup();
    const fence = await makeVoiceProcess(ctx);
    await expect(authorizeReferral(ctx, { callId, user: freshNumber(), fence })).rejects.toThrow(
      /fenced|another/i,
    );
  });
});
