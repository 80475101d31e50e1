import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { arrange, endOf, makeAnsweredCall, makeDialedCall, makeUser } from '../../test/arrange.ts';
import { readProcessHealth } from '../capacity/read-health.ts';
import { completeCall } from '../lifecycle/complete-call.ts';
import { finishCall } from '../lifecycle/finish-call.ts';
import { countCallsByDay, measureSilenceByDay } from './count-calls-by-day.ts';

const database = useTestDatabase();

it('counts ended calls by outcome on the days of the reader, and no live ones', async () => {
  const about = await arrange(database.db);
  const { ctx, clock, identity } = about;
  const callId = await makeAnsweredCall(about);
  await finishCall(ctx, endOf(about, callId));
  await completeCall(ctx, callId);
  await makeDialedCall(about);

  const found = await countCallsByDay(ctx, identity, { days: 7 });
  expect(found).toMatchObject({ from: '2025-12-26', until: '2026-01-01' });
  expect(found.days).toMatchObject([{ day: '2026-01-01', calls: 1, outbound: 1, answered: 1 }]);
  // The clock begins at midnight UTC.
  const west = { ...identity, timezone: 'America/New_York' };
  expect((await countCallsByDay(ctx, west, { days: 1 })).days).toMatchObject([
    { day: '2025-12-31', calls: 1 },
  ]);

  clock.advance(86_400_000);
  expect((await countCallsByDay(ctx, identity, { days: 1 })).days).toEqual([]);
  expect((await countCallsByDay(ctx, await makeUser(ctx), { days: 7 })).days).toEqual([]);
});

it('reads the running processes', async () => {
  const { ctx } = await arrange(database.db);
  const { voice_processes: voice, workers } = await readProcessHealth(ctx);
  expect(voice).toBeGreaterThan(0);
  expect(workers).toBe(0);
});

it('measures the silence before replies of one campaign or of all calls, and ignores turns without one', async () => {
  const about = await arrange(database.db);
  const { ctx, identity } = about;
  const callId = await makeAnsweredCall(about);
  const end = endOf(about, callId);
  const [turn] = end.turns;
  if (!turn) throw new Error('The end has no turn.');
  const replies = [400, 500, 2_400].map((silence) => ({ ...turn, latencyMs: { silence, final: 9 } }));
  await finishCall(ctx, { ...end, turns: [turn, ...replies] });

  expect(await measureSilenceByDay(ctx, identity, { days: 7 })).toEqual([
    { day: '2026-01-01', replies: 3, median_ms: 500, p95_ms: 2_210 },
  ]);
  expect(await measureSilenceByDay(ctx, identity, { days: 7, campaignId: 1 })).toEqual([]);
  expect((await countCallsByDay(ctx, identity, { days: 7, campaignId: 1 })).days).toEqual([]);
  expect(await measureSilenceByDay(ctx, await makeUser(ctx), { days: 7 })).toEqual([]);
});
