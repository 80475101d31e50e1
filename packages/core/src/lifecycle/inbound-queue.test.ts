import { randomUUID } from 'node:crypto';
import { inboundRouteBody } from '@parley/contracts';
import { PhoneNumber } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange, freshNumber, killVoiceProcess, makeAssistant, makeNumber } from '../../test/arrange.ts';
import { findCall } from '../calls/find-call.ts';
import { removeInboundRoute, setInboundRoute } from '../trunks/inbound-route.ts';
import { acceptInboundCall } from './accept-inbound-call.ts';
import { closeLostCall } from './close-lost-call.ts';
import { giveUpWaiting, takeTurn } from './inbound-queue.ts';
import { recordCallEvent } from './record-call-event.ts';

const database = useTestDatabase();

const REJECT = { type: 'reject' };

async function setup(queue: Record<string, unknown> = {}) {
  const about = await arrange(database.db);
  const { ctx, clock, identity, fence } = about;
  const numberId = await makeNumber(about);
  const [row] = await ctx.db.em.find(PhoneNumber, { id: numberId });
  const to = row?.phoneNumber ?? '';
  const { id: assistantId } = await makeAssistant(ctx, identity, { calls_direction: 'receive' });
  const route = {
    timezone: 'UTC',
    otherwise: { type: 'assistant', assistant_id: assistantId },
    queue: { max_calls: 1, max_waiting: 2, text: 'Number {{queue_position}}.', overflow: REJECT, ...queue },
  };
  await setInboundRoute(ctx, identity, numberId, inboundRouteBody.parse(route));
  const arrive = (capacity = { hasSlot: true, hasQueueSlot: true }) =>
    acceptInboundCall(ctx, {
      to,
      from: freshNumber(),
      sipCallId: randomUUID(),
      sourceAddress: '127.0.0.1',
      voiceProcess: fence,
      capacity,
    });
  const accepted = async (capacity?: { hasSlot: boolean; hasQueueSlot: boolean }) => {
    const result = await arrive(capacity);
    if (!('call' in result)) throw new Error(`The call was refused: ${result.reason}`);
    return { callId: result.call.callId, isQueued: result.queue !== null };
  };
  const look = (callId: number, hasSlot = true) => takeTurn(ctx, { callId, fence, takeSlot: () => hasSlot });
  const end = (callId: number) =>
    recordCallEvent(ctx, {
      callId,
      fence,
      event: 'no-answer',
      at: new Date(clock.now()),
      detail: { reason: 'left_queue' },
    });
  const timeline = async (callId: number) =>
    (await findCall(ctx, identity, callId)).events.map(({ type, detail }) => ({ type, detail }));
  return { ...about, numberId, assistantId, arrive, accepted, look, end, timeline };
}

describe('the queue of a number', () => {
  it('connects callers in the order in which they came, and the timeline shows the wait', async () => {
    const { clock, accepted, look, end, timeline } = await setup();
    const talking = await accepted();
    expect(talking.isQueued).toBe(false);
    const first = await accepted();
    const second = await accepted();
    expect([first.isQueued, second.isQueued]).toEqual([true, true]);
    expect(await look(second.callId)).toEqual({ isConnected: false, position: 2, isStalled: false });
    expect(await look(first.callId)).toEqual({ isConnected: false, position: 1, isStalled: false });
    clock.advance(30_000);
    await end(talking.callId);
    expect(await look(second.callId)).toMatchObject({ isConnected: false, position: 2 });
    expect(await look(first.callId)).toEqual({ isConnected: true });
    expect(await look(second.callId)).toMatchObject({ isConnected: false, position: 1 });
    const left = { type: 'queue_left', detail: { outcome: 'connected', waited_seconds: 30 } };
    expect(await timeline(first.callId)).toContainEqual(left);
    expect(await timeline(first.callId)).toContainEqual({ type: 'queued', detail: { position: 1 } });
    expect(await timeline(second.callId)).toContainEqual({ type: 'queued', detail: { position: 2 } });
  });

  it('closes up when a caller hangs up', async () => {
    const { accepted, look, end } = await setup();
    await accepted();
    const first = await accepted();
    const second = await accepted();
    await end(first.callId);
    expect(await look(second.callId)).toMatchObject({ position: 1 });
    await expect(look(first.callId)).rejects.toThrow('The call does not wait.');
  });

  it('keeps no caller of a process that was killed', async () => {
    const { ctx, fence, accepted, identity, arrive } = await setup({ max_waiting: 1 });
    const talking = await accepted();
    const waiting = await accepted();
    expect(await arrive()).toEqual({ reject: 486, reason: 'queue_full' });
    await killVoiceProcess(ctx, fence);
    for (const { callId } of [talking, waiting]) await closeLostCall(ctx, callId);
    expect(await findCall(ctx, identity, waiting.callId)).toMatchObject({ ended_reason: 'process_lost' });
    expect((await accepted()).isQueued).toBe(false);
  });

  it('lets later callers come first while the process of an earlier one has no slot', async () => {
    const { accepted, look } = await setup({ max_calls: 2 });
    await accepted();
    const full = { hasSlot: false, hasQueueSlot: true };
    const first = await accepted(full);
    const second = await accepted(full);
    expect(first.isQueued).toBe(true);
    expect(await look(second.callId)).toMatchObject({ isConnected: false, position: 2 });
    expect(await look(first.callId, false)).toEqual({ isConnected: false, position: 1, isStalled: true });
    expect(await look(second.callId)).toEqual({ isConnected: true });
    expect(await look(first.callId)).toMatchObject({ isConnected: false, isStalled: false });
  });

  it('gives its overflow to those whom the queue cannot take', async () => {
    const { arrive, accepted, assistantId, timeline, ctx, identity, numberId } = await setup({
      max_waiting: 1,
    });
    await accepted();
    await accepted();
    expect(await arrive()).toEqual({ reject: 486, reason: 'queue_full' });
    const overflow = { type: 'message', assistant_id: assistantId, text: 'All are busy.' };
    const otherwise = { type: 'assistant', assistant_id: assistantId };
    const queue = { max_calls: 1, max_waiting: 1, text: 'Wait.', overflow };
    const body = inboundRouteBody.parse({ timezone: 'UTC', otherwise, queue });
    await setInboundRoute(ctx, identity, numberId, body);
    const result = await arrive();
    if (!('call' in result)) throw new Error('The call was refused');
    expect(result).toMatchObject({
      queue: null,
      call: { answering: { type: 'message', text: 'All are busy.' } },
    });
    const routed = { type: 'routed', detail: { rule: null, action: 'message' } };
    expect(await timeline(result.call.callId)).toContainEqual(routed);
    expect(await arrive({ hasSlot: false, hasQueueSlot: true })).toEqual({ reject: 503, reason: 'full' });
  });

  it('treats a call that has waited too long as its overflow says', async () => {
    const { ctx, fence, accepted, assistantId, timeline, look } = await setup();
    await accepted();
    const { callId } = await accepted();
    const overflow = { type: 'voicemail', assistantId, text: 'Leave a message.', maxSeconds: 60 } as const;
    const call = await giveUpWaiting(ctx, { callId, fence, overflow });
    expect(call?.answering).toEqual({ type: 'voicemail', text: 'Leave a message.', maxSeconds: 60 });
    expect(call?.recordingKey).not.toBeNull();
    const left = { type: 'queue_left', detail: { outcome: 'timed_out', waited_seconds: 0 } };
    expect(await timeline(callId)).toContainEqual(left);
    await expect(look(callId)).rejects.toThrow('The call does not wait.');
  });

  it('that was removed keeps no caller waiting', async () => {
    const { ctx, identity, numberId, accepted, look } = await setup();
    await accepted();
    const { callId } = await accepted();
    await removeInboundRoute(ctx, identity, numberId);
    expect(await look(callId)).toEqual({ isConnected: true });
  });

  it('lets only one of several callers have the last conversation', async () => {
    const { accepted, look, end } = await setup({ max_waiting: 5 });
    const talking = await accepted();
    const waiting = [await accepted(), await accepted(), await accepted()];
    await end(talking.callId);
    const turns = await Promise.all(waiting.map(({ callId }) => look(callId)));
    expect(turns.map(({ isConnected }) => isConnected)).toEqual([true, false, false]);
  });

  it('is refused by another process than that of the call', async () => {
    const { ctx, accepted, end } = await setup();
    const talking = await accepted();
    const { callId } = await accepted();
    await end(talking.callId);
    const other = { processId: randomUUID() };
    await expect(takeTurn(ctx, { callId, fence: other, takeSlot: () => true })).rejects.toThrow(
      'Another process is responsible',
    );
  });
});
