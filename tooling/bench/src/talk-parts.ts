/** The parts of `bench:talk` that are more than a round of calls that come in. */
import { placeCall } from '@parley/core';
import { freePorts } from '@parley/e2e';
import { pause, systemClock } from '@parley/runtime';
import type { Callers } from './talk-callers.ts';
import { figuresOf, type TalkFigures } from './talk-figures.rules.ts';
import { holdsPace } from './talk-goals.rules.ts';
import type { TalkTestbed } from './talk-testbed.ts';
import { SECRETS } from './installation.ts';
import { startMeasured } from './measured-process.ts';
import { startDisturbance } from './talk-disturbance.ts';
import { runRound, type RoundPlan } from './talk-round.ts';

/** Between two calls that are asked for, milliseconds. */
const APART_MS = 100;
/** How long called persons listen, milliseconds. */
const LISTEN_MS = 3_000;
const GROWTH_CALLS_AT_ONCE = 50;
/** They hear the greeting. */
const GROWTH_TALK_MS = 1_000;
/** SIP keeps a finished transaction for 32 s (RFC 3261, timers H and J), so memory is read after that. */
const AFTERGLOW_MS = 40_000;
const MOST_STEP = 25;
const MOST_CALLS = 400;
const MOST_TALK_MS = 10_000;

/** Calls out, by the real worker, to phones that ring before they are answered. */
export async function measureCalled(
  testbed: TalkTestbed,
  callers: Callers,
  count: number,
): Promise<TalkFigures> {
  const { installation, identity, outboundAssistantId: assistantId } = testbed;
  const [port = 0] = await freePorts(1);
  await installation.sql.query(`update trunks set host = '127.0.0.1', port = $1, reach = 'any'`, [
    callers.port,
  ]);
  const worker = startMeasured('apps/worker/src/main.ts', {
    ...SECRETS,
    DATABASE_URL: installation.databaseUrl,
    DATA_DIR: installation.folder,
    WORKER_PORT: String(port),
    LOCAL_MODELS: 'off',
  });
  try {
    for (let call = 0; call < count; call++) {
      await placeCall(installation.core, identity, { assistantId, phoneNumber: callers.nextNumber() });
      await pause(systemClock, APART_MS);
    }
    await callers.calledAre(count);
    await pause(systemClock, LISTEN_MS);
    const finished = await callers.hangUp();
    const nothing = { cpuPercent: 0, packetMicros: 0, memoryMegabytes: 0, longestStallMs: 0, noiseMs: [] };
    return figuresOf([{ calls: 1, finished, ...nothing }]);
  } finally {
    await worker.stop();
  }
}

/** 100 calls beside readers of the API and a storm of JSON. */
export async function measureDisturbed(
  testbed: TalkTestbed,
  callers: Callers,
  plan: Omit<RoundPlan, 'disturb'>,
): Promise<TalkFigures> {
  const disturbance = await startDisturbance(testbed);
  try {
    const disturb = async (): Promise<void> => void (await disturbance.run(plan.talkMs));
    return figuresOf([await runRound(testbed, callers, { ...plan, disturb })]);
  } finally {
    await disturbance.stop();
  }
}

/** What `count` short calls leave behind, megabytes. */
export async function measureGrowth(testbed: TalkTestbed, callers: Callers, count: number): Promise<number> {
  const { voice } = testbed;
  const roles = Array.from({ length: GROWTH_CALLS_AT_ONCE }, () => 'talker' as const);
  const heldMegabytes = async (): Promise<number> => {
    await pause(systemClock, AFTERGLOW_MS);
    await voice.collectGarbage();
    return (await voice.figures()).heapBytes / 2 ** 20;
  };
  const before = await heldMegabytes();
  for (let done = 0; done < count; done += roles.length)
    await runRound(testbed, callers, { roles, talkMs: GROWTH_TALK_MS });
  return ((await heldMegabytes()) - before) * (1_000 / count);
}

/** Steps up until P1 or P7 is missed. @returns the last number of calls that held both */
export async function measureMost(testbed: TalkTestbed, callers: Callers): Promise<number> {
  let most = 0;
  for (let calls = MOST_STEP; calls <= MOST_CALLS; calls += MOST_STEP) {
    const roles = Array.from({ length: calls }, () => 'talker' as const);
    const figures = figuresOf([await runRound(testbed, callers, { roles, talkMs: MOST_TALK_MS })]);
    if (!holdsPace(figures)) return most;
    most = calls;
  }
  return most;
}
