import { LEASE_RENEWAL_MS } from '@parley/core';
import { statement } from '@parley/db';
import { ManualClock } from '@parley/runtime';
import { createTestContext, useTestDatabase } from '@parley/testkit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { VoiceLease } from './lease.ts';

const database = useTestDatabase();
const dropAll = statement('', 'delete from voice_processes');
const countAll = statement<{ count: number }>('', 'select count(*) from voice_processes');

async function setup() {
  const clock = new ManualClock();
  const core = createTestContext(database.db, { clock });
  const onFenced = vi.fn<() => Promise<void>>(async () => undefined);
  const lease = new VoiceLease({
    core,
    url: 'http://127.0.0.1:3002',
    sipAddress: '127.0.0.1:5060',
    capacity: 10,
    recognition: () => ({ detector: 'silero', recognisedLanguages: {} }),
    load: () => ({ activeCalls: 0, isDraining: false, admittedCalls: 10 }),
    onFenced,
    onRegistered: () => undefined,
  });
  onTestFinished(() => lease.stop());
  await lease.start();
  return { clock, lease, onFenced };
}

test('a fenced process ends its calls and registers again under a new id', async () => {
  const { clock, lease, onFenced } = await setup();
  const { processId } = lease.fence();
  expect(lease.isHolder(processId)).toBe(true);
  await database.db.query(dropAll);
  clock.advance(LEASE_RENEWAL_MS);
  await vi.waitFor(() => expect(lease.isHolder(processId)).toBe(false), { timeout: 10_000 });
  expect(onFenced).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(lease.fence().processId).not.toBe(processId), { timeout: 10_000 });
});

test('a stopping process removes its registration and leaves no timer', async () => {
  const { clock, lease, onFenced } = await setup();
  await lease.stop();
  expect(await database.db.query(countAll)).toEqual([{ count: 0 }]);
  expect(clock.pendingTimers()).toBe(0);
  expect(lease.isRegistered()).toBe(false);
  expect(onFenced).not.toHaveBeenCalled();
});
