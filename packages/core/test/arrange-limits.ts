/** Sets the limits that calls share: of an account, of a trunk, of the voice fleet. */
import { statement } from '@parley/db';
import type { CoreContext } from '../src/context.ts';
import type { Arrangement } from './arrange.ts';

type About = Pick<Arrangement, 'ctx' | 'identity'>;

const limitAccount = statement('', 'update users set max_calls = $2 where id = $1');
const limitTrunk = statement('', 'update trunks set max_calls = $2, max_cps = $3 where id = $1');
const pauseTrunk = statement('', 'update trunks set paused_until = $2, pause_seconds = $3 where id = $1');
const openTestLine = statement(
  '',
  `update trunks set reach = 'any', is_test = false, max_calls = 1 where id = $1`,
);
const limitFleet = statement('', 'update voice_processes set capacity = $1');
const findTrunk = statement<{ id: number }>(
  '',
  'select id from trunks where user_id = $1 order by id limit 1',
);

export async function setAccountLimit({ ctx, identity }: About, maxCalls: number): Promise<void> {
  await ctx.db.query(limitAccount, [identity.userId, maxCalls]);
}

/** The arrangement's only trunk. */
export async function ownTrunk({ ctx, identity }: About): Promise<number> {
  const [trunk] = await ctx.db.query(findTrunk, [identity.userId]);
  if (!trunk) throw new Error('There is no trunk');
  return trunk.id;
}

export async function setTrunkLimits(
  about: About,
  limits: { maxCalls?: number; maxCps?: number },
): Promise<void> {
  const trunkId = await ownTrunk(about);
  await about.ctx.db.query(limitTrunk, [trunkId, limits.maxCalls ?? null, limits.maxCps ?? null]);
}

/** Makes a trunk of the test line one to a carrier, with one call at a time. */
export async function openTrunk({ db }: CoreContext, trunkId: number): Promise<void> {
  await db.query(openTestLine, [trunkId]);
}

export async function setTrunkPause(
  about: About,
  pause: { until: Date | null; seconds: number },
): Promise<void> {
  await about.ctx.db.query(pauseTrunk, [await ownTrunk(about), pause.until, pause.seconds]);
}

/** Sets the capacity of every voice process in the test's database. */
export async function setFleetCapacity({ ctx }: Pick<Arrangement, 'ctx'>, capacity: number): Promise<void> {
  await ctx.db.query(limitFleet, [capacity]);
}
