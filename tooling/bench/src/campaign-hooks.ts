/**
 * P15. Webhooks from the committed end of a call to the receiver: at a given rate, at the maximum rate, and beside a receiver
 * that never answers. The processor time of the worker is compared with bare undici POSTs of the same size.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { placeCall, recordCallEvent } from '@parley/core';
import { pause, systemClock } from '@parley/runtime';
import { startWorker } from './campaign-processes.ts';
import { measureBarePosts } from './campaign-floors.ts';
import { POOL_SIZE, type CampaignTestbed } from './campaign-testbed.ts';
import { inLanes } from './in-lanes.ts';
import { quantile } from './spread.rules.ts';

/** From the commit to the arrival, milliseconds. */
interface HookLatency {
  perSecond: number;
  p50: number;
  p95: number;
}

/** The figures of P15. */
export interface HookFigures {
  paced: HookLatency[];
  /** The first rate again, while another assistant has a receiver that does not answer. */
  besideHanging: HookLatency;
  /** Webhooks per second when thousands are waiting. */
  mostPerSecond: number;
  /** Processor time of the worker per webhook, and of bare undici per post, microseconds. */
  cpuMicros: { ours: number; bare: number };
}

/** Concurrent requests to one receiver, as in a worker. */
const AT_ONCE = 20;
/** Phone numbers; each is called once. */
let nextNumber = 3_000_000_000;

/** @param plan - `waiting`: number of waiting webhooks for the maximum rate */
export async function measureHooks(
  testbed: CampaignTestbed,
  plan: { paces: number[]; seconds: number; waiting: number },
): Promise<HookFigures> {
  const worker = await startWorker(testbed);
  const [slowest = 50] = plan.paces;
  const paced: HookLatency[] = [];
  // The first calls warm up all processes.
  await measurePace(testbed, { perSecond: slowest, seconds: 1, assistantIds: [testbed.assistantId] });
  for (const perSecond of plan.paces) {
    paced.push(
      await measurePace(testbed, { perSecond, seconds: plan.seconds, assistantIds: [testbed.assistantId] }),
    );
  }
  const hanging = await startHangingReceiver();
  const hangingId = await assistantThatReportsTo(testbed, hanging.url);
  const besideHanging = await measurePace(testbed, {
    perSecond: slowest * 2,
    seconds: plan.seconds,
    assistantIds: [testbed.assistantId, hangingId],
  });
  await forgetPending(testbed);
  hanging.close();
  await worker.stop();
  const most = await measureMost(testbed, plan.waiting);
  const bare = await measureBarePosts(testbed, { count: plan.waiting, atOnce: AT_ONCE });
  return {
    paced,
    besideHanging,
    mostPerSecond: most.perSecond,
    cpuMicros: { ours: most.micros, bare },
  };
}

interface Pace {
  perSecond: number;
  seconds: number;
  /** Assistants whose calls end, in alternation. The latency is measured for the first one. */
  assistantIds: number[];
}

async function measurePace(testbed: CampaignTestbed, pace: Pace): Promise<HookLatency> {
  const { perSecond, seconds, assistantIds } = pace;
  const callIds = await placeCalls(testbed, Math.round(perSecond * seconds), assistantIds);
  const committed = new Map<number, number>();
  const startedMs = systemClock.monotonic();
  const ending: Promise<void>[] = [];
  for (const [index, callId] of callIds.entries()) {
    const dueMs = startedMs + (index * 1000) / perSecond;
    if (dueMs > systemClock.monotonic()) await pause(systemClock, dueMs - systemClock.monotonic());
    ending.push(endCall(testbed, callId).then((at) => void committed.set(callId, at)));
  }
  await Promise.all(ending);
  const ours = callIds.filter((_, index) => index % assistantIds.length === 0);
  await untilArrived(testbed, ours);
  const waits = ours.map((id) => (testbed.receiver.arrivals.get(id) ?? NaN) - (committed.get(id) ?? NaN));
  const clipped = waits.map((wait) => Math.max(0, wait));
  return {
    perSecond: perSecond / assistantIds.length,
    p50: quantile(clipped, 0.5),
    p95: quantile(clipped, 0.95),
  };
}

/** Calls that are not dialed: there is no voice process, and their jobs are removed. */
async function placeCalls(
  { core, sql, userId }: CampaignTestbed,
  count: number,
  assistantIds: readonly number[],
): Promise<number[]> {
  const identity = { userId, role: 'operator', scopes: 'all', tokenId: null, timezone: 'UTC' } as const;
  const callIds = Array.from({ length: count }, () => 0);
  await inLanes(POOL_SIZE, [...callIds.keys()], async (index) => {
    const assistantId = assistantIds[index % assistantIds.length] ?? 0;
    const phoneNumber = `+1${nextNumber++}`;
    callIds[index] = (await placeCall(core, identity, { phoneNumber, assistantId })).callId;
  });
  await sql.query('delete from graphile_worker._private_jobs where locked_at is null');
  return callIds;
}

/** @returns the time of the commit */
async function endCall({ core }: CampaignTestbed, callId: number): Promise<number> {
  await recordCallEvent(core, { callId, event: 'busy', at: new Date(systemClock.now()) });
  return systemClock.now();
}

const ARRIVAL_LIMIT_MS = 60_000;

async function untilArrived({ receiver }: CampaignTestbed, callIds: readonly number[]): Promise<void> {
  const limitMs = systemClock.monotonic() + ARRIVAL_LIMIT_MS;
  while (callIds.some((id) => !receiver.arrivals.has(id))) {
    if (systemClock.monotonic() > limitMs) throw new Error('Not every webhook has arrived');
    await pause(systemClock, 5);
  }
}

async function startHangingReceiver(): Promise<{ url: string; close(): void }> {
  const server = createServer(() => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** @returns the id of a copy of the assistant with another receiver */
async function assistantThatReportsTo({ sql, assistantId }: CampaignTestbed, url: string): Promise<number> {
  const { rows } = await sql.query<{ id: number }>(
    `insert into assistants select twin.* from assistants a, lateral jsonb_populate_record(a, jsonb_build_object(
       'id', nextval('assistants_id_seq'), 'uuid', gen_random_uuid(), 'webhook_url', $2::text)) twin
     where a.id = $1 returning id`,
    [assistantId, url],
  );
  return rows[0]?.id ?? 0;
}

async function forgetPending({ sql }: CampaignTestbed): Promise<void> {
  await sql.query(`delete from deliveries where status = 'pending'`);
}

async function measureMost(
  testbed: CampaignTestbed,
  count: number,
): Promise<{ perSecond: number; micros: number }> {
  const callIds = await placeCalls(testbed, count, [testbed.assistantId]);
  await inLanes(POOL_SIZE, callIds, (callId) => endCall(testbed, callId));
  const worker = await startWorker(testbed);
  const arrived = (): number => callIds.filter((id) => testbed.receiver.arrivals.has(id)).length;
  const first = arrived();
  const [startedMs, before] = [systemClock.monotonic(), (await worker.figures()).cpuMicros];
  await untilArrived(testbed, callIds);
  const seconds = (systemClock.monotonic() - startedMs) / 1000;
  const micros = ((await worker.figures()).cpuMicros - before) / Math.max(1, count - first);
  await worker.stop();
  return { perSecond: (count - first) / seconds, micros };
}
