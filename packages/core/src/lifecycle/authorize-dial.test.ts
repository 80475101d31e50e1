import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import {
  arrange,
  killVoiceProcess,
  makeIntendedCall,
  makeVoiceProcess,
  silenceVoiceProcess,
} from '../../test/arrange.ts';
import { setAccountLimit, setTrunkLimits, setTrunkPause } from '../../test/arrange-limits.ts';
import { slowToHear } from '../../test/slow-to-hear.ts';
import { registerVoiceProcess } from '../capacity/lease.ts';
import type { CoreContext } from '../context.ts';
import { addToDoNotCallList } from '../do-not-call/do-not-call-list.ts';
import { FencedError } from '../shared/domain-error.ts';
import { authorizeDial } from './authorize-dial.ts';
import { closeLostCall } from './close-lost-call.ts';
import { recordCallEvent } from './record-call-event.ts';
import { requestHangUp } from './request-hang-up.ts';

const database = useTestDatabase();
const addressOf = statement<{ url: string }>('', 'select url from voice_processes where id = $1');

async function setup() {
  const about = await arrange(database.db);
  const callId = await makeIntendedCall(about);
  const ask = (fence = about.fence, ctx: CoreContext = about.ctx) => authorizeDial(ctx, { callId, fence });
  return { ...about, callId, ask };
}

describe('the last question before the INVITE', () => {
  it('eight ask at once: one may send, ever', async () => {
    const { ask } = await setup();
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask()));
    expect(answers.filter((answer) => answer.isAllowed)).toHaveLength(1);
    expect(await ask()).toEqual({ isAllowed: false, reason: 'already_sent' });
  });

  it('another process may not', async () => {
    const { ctx, ask } = await setup();
    expect(await ask(await makeVoiceProcess(ctx))).toEqual({ isAllowed: false, reason: 'fenced' });
    expect(await ask()).toEqual({ isAllowed: true });
  });

  it('after a restart at the same address, neither the old process nor the new one may', async () => {
    const { ctx, callId, ask, fence } = await setup();
    const [{ url } = { url: '' }] = await ctx.db.query(addressOf, [fence.processId]);
    const restarted = await registerVoiceProcess(ctx, { url, sipAddress: '127.0.0.1:5060', capacity: 10 });
    const fenced = { isAllowed: false, reason: 'fenced' };
    expect(await ask()).toEqual(fenced);
    expect(await ask(restarted)).toEqual(fenced);
    const ringing = { callId, event: 'ringing', at: new Date(0) } as const;
    await expect(recordCallEvent(ctx, { ...ringing, fence: restarted })).rejects.toThrow(FencedError);
  });

  it('a process whose lease has run out, or that was fenced, may not', async () => {
    const silent = await setup();
    await silenceVoiceProcess(silent.ctx, silent.fence);
    expect(await silent.ask()).toEqual({ isAllowed: false, reason: 'fenced' });
    const gone = await setup();
    await killVoiceProcess(gone.ctx, gone.fence);
    expect(await gone.ask()).toEqual({ isAllowed: false, reason: 'fenced' });
  });

  it('a call that was ended meanwhile is not dialed', async () => {
    const hungUp = await setup();
    await requestHangUp(hungUp.ctx, hungUp.identity, hungUp.callId);
    expect(await hungUp.ask()).toEqual({ isAllowed: false, reason: 'over' });
    const failed = await setup();
    await recordCallEvent(failed.ctx, { callId: failed.callId, event: 'failed', at: new Date(0) });
    expect(await failed.ask()).toEqual({ isAllowed: false, reason: 'over' });
  });

  it('hang-up and dial at the same time: either nothing leaves, or voice is asked to end it', async () => {
    for (let round = 0; round < 5; round++) {
      const { ctx, identity, callId, ask } = await setup();
      const [answer, hangUp] = await Promise.all([ask(), requestHangUp(ctx, identity, callId)]);
      expect(hangUp.status).toBe(answer.isAllowed ? 'initiated' : 'failed');
    }
  });

  it('a process that was frozen before it heard the answer does not act on it', async () => {
    const { ctx, callId, ask } = await setup();
    expect(await ask(undefined, slowToHear(ctx))).toEqual({ isAllowed: false, reason: 'too_late' });
    expect(await endOf(ctx, callId)).toEqual([{ status: 'failed', endedReason: 'internal_error' }]);
    expect(await ask()).toEqual({ isAllowed: false, reason: 'over' });
  });

  it('and says nothing of a call that others have ended meanwhile', async () => {
    const { ctx, callId, ask, fence } = await setup();
    const meanwhile = async (): Promise<void> => {
      await killVoiceProcess(ctx, fence);
      await closeLostCall(ctx, callId);
    };
    expect(await ask(undefined, slowToHear(ctx, meanwhile))).toEqual({
      isAllowed: false,
      reason: 'too_late',
    });
    expect(await endOf(ctx, callId)).toEqual([{ status: 'failed', endedReason: 'process_lost' }]);
  });
});

describe('an obstacle to the INVITE', () => {
  type Setup = Awaited<ReturnType<typeof setup>>;

  const obstacles: [what: string, reason: string, arrangeObstacle: (about: Setup) => Promise<unknown>][] = [
    [
      'the number was put on the do-not-call list',
      'do_not_call',
      async ({ ctx, identity, callId }) => {
        const phoneNumber = (await ctx.db.query(selectNumber, [callId]))[0]?.clientPhoneNumber ?? '';
        return addToDoNotCallList(ctx, identity, { phoneNumber, reason: '' });
      },
    ],
    ['the limit of the account was lowered', 'account_calls', (about) => setAccountLimit(about, 0)],
    ['the limit of the trunk was lowered', 'trunk_calls', (about) => setTrunkLimits(about, { maxCalls: 0 })],
    [
      'the trunk was paused',
      'trunk_paused',
      (about) => setTrunkPause(about, { until: new Date(about.clock.now() + 60_000), seconds: 60 }),
    ],
  ];
  it.each(obstacles)('ends the call: %s', async (_what, reason, arrangeObstacle) => {
    const about = await setup();
    await arrangeObstacle(about);
    expect(await about.ask()).toEqual({ isAllowed: false, reason });
    expect(await endOf(about.ctx, about.callId)).toEqual([{ status: 'failed', endedReason: reason }]);
  });

  it('is no limit that the call itself has reached', async () => {
    const about = await setup();
    await setAccountLimit(about, 1);
    await setTrunkLimits(about, { maxCalls: 1 });
    expect(await about.ask()).toEqual({ isAllowed: true });
  });

  it('is a hang-up that was requested, which leaves the call to others', async () => {
    const { ctx, callId, ask } = await setup();
    const request = statement('', 'update live_calls set hang_up_requested_at = now() where call_id = $1');
    await ctx.db.query(request, [callId]);
    expect(await ask()).toEqual({ isAllowed: false, reason: 'hang_up_requested' });
    expect(await endOf(ctx, callId)).toEqual([{ status: 'initiated', endedReason: null }]);
  });

  it('is the rate of its trunk, for as long as it says', async () => {
    const about = await setup();
    const { ctx, fence, ask } = about;
    const next = await makeIntendedCall(about);
    await setTrunkLimits(about, { maxCps: 1 });
    expect(await ask()).toEqual({ isAllowed: true });
    const answer = await authorizeDial(ctx, { callId: next, fence });
    expect(answer).toEqual({ isAllowed: false, reason: 'wait', waitMs: expect.any(Number) as number });
    const waitMs = 'waitMs' in answer ? answer.waitMs : 0;
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(1_000);
    expect(await endOf(ctx, next)).toEqual([{ status: 'initiated', endedReason: null }]);
  });
});

const selectNumber = statement<{ clientPhoneNumber: string }>(
  '',
  'select client_phone_number from live_calls where call_id = $1',
);
const selectEnd = statement<{ status: string; endedReason: string | null }>(
  '',
  'select status, ended_reason from calls where id = $1',
);

async function endOf({ db }: CoreContext, callId: number): Promise<{ status: string }[]> {
  return db.query(selectEnd, [callId]);
}
