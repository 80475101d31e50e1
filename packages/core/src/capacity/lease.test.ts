import { randomUUID } from 'node:crypto';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { makeContext, silenceVoiceProcess } from '../../test/arrange.ts';
import { findSilentProcesses } from '../lifecycle/sweep-calls.ts';
import {
  dropVoiceProcess,
  findLivingVoiceProcess,
  fleetCapacity,
  listVoiceLoads,
  pickVoiceProcess,
  registerVoiceProcess,
  renewLease,
  takeVoiceSlot,
  type VoiceFence,
} from './lease.ts';

const database = useTestDatabase();
const setLease = statement('', 'update voice_processes set lease_until = $2 where id = $1');
const clear = statement('', 'delete from voice_processes');

function setup() {
  const { ctx } = makeContext(database.db);
  const url = `http://voice-${randomUUID()}.test`;
  const register = () => registerVoiceProcess(ctx, { url, sipAddress: '127.0.0.1:5060', capacity: 10 });
  const renew = (fence: VoiceFence) => renewLease(ctx, { ...fence, activeCalls: 0, isDraining: false });
  return { ctx, url, register, renew };
}

describe('the lease of a voice process', () => {
  it('is renewed by its holder only', async () => {
    const { register, renew } = setup();
    const lease = await register();
    expect(await renew(lease)).toBe(true);
    expect(await renew({ processId: randomUUID() })).toBe(false);
  });

  it('a process that starts again at the same address gets another id, and its predecessor is fenced', async () => {
    const { register, renew } = setup();
    const first = await register();
    const second = await register();
    expect(second.processId).not.toBe(first.processId);
    expect(await renew(first)).toBe(false);
    expect(await renew(second)).toBe(true);
  });

  it('its predecessor was last known to run when it last renewed its lease', async () => {
    const { ctx, url, register } = setup();
    const lost = await register();
    await ctx.db.query(setLease, [lost.processId, new Date('2026-01-01T00:00:10Z')]);
    const seen: unknown[] = [];
    const input = { url, sipAddress: '127.0.0.1:5060', capacity: 10 };
    const own = await registerVoiceProcess(ctx, input, async (_tx, fence, before) => {
      seen.push([fence, before]);
    });
    expect(seen).toEqual([[own, { id: lost.processId, lastSeenAt: new Date('2026-01-01T00:00:00Z') }]]);
  });

  it('that ran out shows as silent until it is renewed or dropped', async () => {
    const { ctx, url, register, renew } = setup();
    const lease = await register();
    const isSilent = async () => (await findSilentProcesses(ctx)).some((process) => process.url === url);
    expect(await isSilent()).toBe(false);
    await silenceVoiceProcess(ctx, lease);
    expect(await isSilent()).toBe(true);
    await renew(lease);
    expect(await isSilent()).toBe(false);
    await dropVoiceProcess(ctx, lease.processId);
    expect(await renew(lease)).toBe(false);
  });
});

describe('a voice process that has just started', () => {
  const takeOut = statement('', 'update voice_processes set is_draining = true');

  async function admitting(admittedCalls: number) {
    const { ctx, url, renew } = setup();
    await ctx.db.query(takeOut);
    const fence = await registerVoiceProcess(ctx, {
      url,
      sipAddress: '127.0.0.1:5060',
      capacity: 10,
      admittedCalls,
    });
    return { ctx, renew, fence };
  }

  it('gets no more calls that can wait than it admits, and those of people on the line up to its capacity', async () => {
    const { ctx, fence } = await admitting(0);
    expect(await pickVoiceProcess(ctx.db, { canWait: true })).toBeNull();
    expect(await pickVoiceProcess(ctx.db, { canWait: false })).toMatchObject({ id: fence.processId });
    expect(await listVoiceLoads(ctx.db)).toEqual([{ id: fence.processId, capacity: 0, calls: 0 }]);
  });

  it('admits up to its capacity when it says so', async () => {
    const { ctx, renew, fence } = await admitting(0);
    await renew(fence);
    expect(await pickVoiceProcess(ctx.db, { canWait: true })).toMatchObject({ id: fence.processId });
    expect(await listVoiceLoads(ctx.db)).toMatchObject([{ capacity: 10 }]);
  });
});

describe('the voice fleet', () => {
  it('has the capacity of all processes that take calls, and is reached through any that runs', async () => {
    const { ctx, register, renew } = setup();
    await ctx.db.query(clear);
    expect(await fleetCapacity(ctx.db)).toBe(0);
    expect(await findLivingVoiceProcess(ctx)).toBeNull();
    const [first, other] = [await register(), await setup().register()];
    expect(await fleetCapacity(ctx.db)).toBe(20);
    await renewLease(ctx, { ...other, activeCalls: 0, isDraining: true });
    expect(await fleetCapacity(ctx.db)).toBe(10);
    expect(await findLivingVoiceProcess(ctx)).toMatchObject({ id: first.processId });
    await dropVoiceProcess(ctx, first.processId);
    expect(await findLivingVoiceProcess(ctx)).toMatchObject({ id: other.processId });
    expect(await renew(first)).toBe(false);
  });
});

describe('the voice process that a call is meant for', () => {
  const load = (id: string, capacity: number, calls: number) => ({ id, capacity, calls });

  it('is the one with the smallest share of its slots taken', () => {
    const loads = [load('small', 2, 0), load('large', 4, 1)];
    const taken = Array.from({ length: 6 }, () => takeVoiceSlot(loads)?.processId ?? null);
    expect(taken).toEqual(['small', 'large', 'small', 'large', 'large', null]);
  });

  it('is null when no process is running', () => {
    expect(takeVoiceSlot([])).toBeNull();
  });
});
