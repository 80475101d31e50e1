import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { FencedError } from '../shared/domain-error.ts';
import {
  arrange,
  DIALOG,
  makeAnsweredCall,
  makeDialedCall,
  makeVoiceProcess,
  waitingJobs,
} from '../../test/arrange.ts';
import type { CallEventType } from '../calls/call-state.rules.ts';
import { findCall } from '../calls/find-call.ts';
import { recordCallEvent, recordCallNote } from './record-call-event.ts';

const database = useTestDatabase();

async function setup(assistantFields: Record<string, unknown> = {}) {
  const about = await arrange(database.db, assistantFields);
  const callId = await makeDialedCall(about);
  const { ctx, identity, clock, fence } = about;
  const record = (event: CallEventType, detail?: Record<string, unknown>) =>
    recordCallEvent(ctx, { callId, event, at: new Date(clock.now()), detail, fence });
  return { ...about, callId, record, detail: () => findCall(ctx, identity, callId) };
}

const liveCall = statement<{ dialog: unknown; answeredAt: Date | null }>(
  '',
  'select dialog, answered_at from live_calls where call_id = $1',
);
const deliveries = statement<{ id: string }>('', 'select id from deliveries where call_id = $1');

describe('what happens on the line', () => {
  it('moves the call on and stands in its timeline', async () => {
    const { record, detail, clock } = await setup();
    expect(await record('ringing')).toEqual({ status: 'ringing', isApplied: true });
    clock.advance(5_000);
    expect(await record('answered')).toEqual({ status: 'in-progress', isApplied: true });
    const call = await detail();
    expect(call).toMatchObject({
      status: 'in-progress',
      answered_at: '2026-01-01T00:00:05.000000Z',
      ended_at: null,
    });
    expect(call.events.map((event) => event.type)).toEqual(['initiated', 'dialed', 'ringing', 'answered']);
  });

  it('late and repeated events change nothing and throw nothing', async () => {
    const { record, detail } = await setup();
    await record('ringing');
    await record('answered');
    for (const event of ['ringing', 'answered', 'busy', 'no-answer', 'failed', 'settled'] as const) {
      expect(await record(event)).toEqual({ status: 'in-progress', isApplied: false });
    }
    expect((await detail()).events).toHaveLength(4);
  });

  it('the same event from several sides at once is applied once', async () => {
    const { record, detail } = await setup();
    const results = await Promise.all(Array.from({ length: 6 }, () => record('busy')));
    expect(results.filter((result) => result.isApplied)).toHaveLength(1);
    expect((await detail()).events.filter((event) => event.type === 'busy')).toHaveLength(1);
  });

  it('contradicting events at once: one end, told once', async () => {
    const about = await setup({
      is_webhook_active: true,
      webhook_url: 'https://a.test/',
      send_webhook_only_on_completed: false,
    });
    const events = ['busy', 'no-answer', 'failed'] as const;
    const results = await Promise.all(events.map((event) => about.record(event)));
    expect(results.filter((result) => result.isApplied)).toHaveLength(1);
    expect(await about.ctx.db.query(deliveries, [about.callId])).toHaveLength(1);
  });

  it('the answer stores the dialog, and a note replaces it', async () => {
    const about = await arrange(database.db);
    const callId = await makeAnsweredCall(about);
    expect(await about.ctx.db.query(liveCall, [callId])).toEqual([
      { dialog: DIALOG, answeredAt: new Date(about.clock.now()) },
    ]);
    const dialog = { ...DIALOG, localSequence: 2 };
    await recordCallNote(about.ctx, {
      callId,
      type: 'dialog_changed',
      at: new Date(0),
      dialog,
      fence: about.fence,
    });
    expect(await about.ctx.db.query(liveCall, [callId])).toMatchObject([{ dialog }]);
  });

  it.each([
    ['busy', 'busy', 'customer', 'busy'],
    ['no-answer', 'no-answer', 'customer', 'no_answer'],
    ['failed', 'failed', 'system', 'unreachable'],
  ] as const)('a call that ends %s settles at once', async (event, status, endedBy, reason) => {
    const { ctx, callId, record, detail } = await setup();
    await record(event, { reason });
    expect(await detail()).toMatchObject({
      status,
      ended_by: endedBy,
      ended_reason: reason,
      duration: 0,
      evaluation: {},
    });
    expect(await ctx.db.query(liveCall, [callId])).toEqual([]);
    expect(await waitingJobs(ctx, 'evaluate_call', { callId })).toBe(0);
  });

  it('a process that lost the call cannot write about it', async () => {
    const { ctx, callId, detail } = await setup();
    const other = await makeVoiceProcess(ctx);
    const at = new Date(0);
    await expect(
      recordCallEvent(ctx, { callId, event: 'answered', at, fence: other }),
    ).rejects.toBeInstanceOf(FencedError);
    await expect(recordCallNote(ctx, { callId, type: 'note', at, fence: other })).rejects.toBeInstanceOf(
      FencedError,
    );
    expect((await detail()).status).toBe('initiated');
  });

  it('a call that does not exist is not found', async () => {
    const { ctx } = await setup();
    const attempt = recordCallEvent(ctx, { callId: 999_999_999, event: 'ringing', at: new Date(0) });
    await expect(attempt).rejects.toMatchObject({ kind: 'not-found' });
  });
});
