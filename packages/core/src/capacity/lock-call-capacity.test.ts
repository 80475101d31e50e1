import type { Tx } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { expect, test } from 'vitest';
import { arrange } from '../../test/arrange.ts';
import { setAccountLimit } from '../../test/arrange-limits.ts';
import { lockCallCapacity, planLimitLocks, type CapacityRequest } from './call-capacity.ts';
import type { StoredTrunk } from './load-route-options.ts';

const database = useTestDatabase();
const MANY = 5_000;

function trunk(id: number, maxCalls: number | null): StoredTrunk {
  return {
    id,
    maxCalls,
    maxCps: null,
    userId: null,
    reach: 'any',
    isTest: false,
    priority: 50,
    pricePerMinute: null,
    callerNumber: null,
    pausedUntil: null,
    pauseSeconds: 0,
    spentUntil: null,
  };
}

async function setup() {
  const about = await arrange(database.db);
  const { userId } = about.identity;
  const trunks = [trunk(999_002, 1), trunk(999_003, null), trunk(999_001, 1)];
  const request: CapacityRequest = {
    userId,
    routeOptions: { trunks },
    wanted: 1,
    at: new Date(about.clock.now()),
    fleetCapacity: MANY,
  };
  return { ...about, account: `account:${userId}` as const, request };
}

test('limits are locked in one order: the account, limited trunks by their id, the fleet', async () => {
  const { ctx, request, account } = await setup();
  const sent: unknown[] = [];
  await ctx.db.transaction(async (tx) => {
    const recorded = Object.create(tx) as Tx;
    recorded.query = async (sql, values) => {
      sent.push({ name: sql.name, values });
      return tx.query(sql, values);
    };
    await lockCallCapacity(recorded, { request, shared: new Set([account]) });
  });
  const keys = [account, 'trunk:999001', 'trunk:999002', 'fleet'];
  const limits = keys.map((key) => ({ key, is_shared: key === account }));
  expect(sent).toMatchObject([{ name: 'lock_call_limits', values: [JSON.stringify(limits)] }, {}]);
});

test('a limit is locked together with others only if it, and the whole fleet, have many free slots', async () => {
  const { ctx, request, account, ...about } = await setup();
  await setAccountLimit({ ...about, ctx }, MANY);
  const shared = async (changes: Partial<CapacityRequest>) =>
    (await planLimitLocks(ctx.db, { ...request, ...changes })).shared;
  expect(await shared({})).toEqual(new Set([account, 'fleet']));
  expect(await shared({ fleetCapacity: 10 })).toEqual(new Set());
  expect(await shared({ wanted: 100 })).toEqual(new Set());
  await setAccountLimit({ ...about, ctx }, 10);
  expect(await shared({})).toEqual(new Set(['fleet']));
});
