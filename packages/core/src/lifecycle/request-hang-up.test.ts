import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import {
  arrange,
  endOf,
  killVoiceProcess,
  makeAnsweredCall,
  makeCall,
  makeIntendedCall,
  makeUser,
  waitingJobs,
} from '../../test/arrange.ts';
import { findCall } from '../calls/find-call.ts';
import { finishCall } from './finish-call.ts';
import { findHangUpTarget, requestHangUp } from './request-hang-up.ts';

const database = useTestDatabase();

const setup = () => arrange(database.db);

describe('asking for the end of a call', () => {
  it('ends at once what has not left yet', async () => {
    const about = await setup();
    for (const callId of [await makeCall(about), await makeIntendedCall(about)]) {
      expect(await requestHangUp(about.ctx, about.identity, callId)).toEqual({ callId, status: 'failed' });
      expect(await findCall(about.ctx, about.identity, callId)).toMatchObject({
        status: 'failed',
        ended_reason: 'hang_up_requested',
        ended_by: 'system',
      });
    }
  });

  it('has voice end the rest, and may be repeated', async () => {
    const about = await setup();
    const callId = await makeAnsweredCall(about);
    for (let times = 0; times < 2; times++) {
      expect(await requestHangUp(about.ctx, about.identity, callId)).toEqual({
        callId,
        status: 'in-progress',
      });
    }
    expect(await waitingJobs(about.ctx, 'hang_up_call', { callId })).toBe(1);
    const target = await findHangUpTarget(about.ctx, callId);
    expect(target).toEqual({ url: expect.stringMatching(/^http:\/\/voice-/), reason: 'hang_up_requested' });
    const { events } = await findCall(about.ctx, about.identity, callId);
    expect(events.filter((event) => event.type === 'hang_up_requested')).toHaveLength(1);
  });

  it('has no target once the call is over or its process gone', async () => {
    const about = await setup();
    const ended = await makeAnsweredCall(about);
    await finishCall(about.ctx, endOf(about, ended));
    expect(await findHangUpTarget(about.ctx, ended)).toBeNull();
    const orphan = await makeAnsweredCall(about);
    await killVoiceProcess(about.ctx, about.fence);
    expect(await findHangUpTarget(about.ctx, orphan)).toBeNull();
  });

  it('of a call that is over is a conflict', async () => {
    const about = await setup();
    const callId = await makeAnsweredCall(about);
    await finishCall(about.ctx, endOf(about, callId));
    await expect(requestHangUp(about.ctx, about.identity, callId)).rejects.toMatchObject({
      kind: 'conflict',
    });
  });

  it("of another user's call or a missing one is not found", async () => {
    const about = await setup();
    const callId = await makeAnsweredCall(about);
    const stranger = await makeUser(about.ctx);
    await expect(requestHangUp(about.ctx, stranger, callId)).rejects.toMatchObject({ kind: 'not-found' });
    await expect(requestHangUp(about.ctx, about.identity, 999_999_999)).rejects.toMatchObject({
      kind: 'not-found',
    });
    await expect(findCall(about.ctx, stranger, callId)).rejects.toMatchObject({
      kind: 'not-found',
      message: 'Call not found',
    });
  });
});
