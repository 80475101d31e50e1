/** One round of `bench:talk`: concurrent calls for some time, measured at both ends and in the voice process. */
import { systemClock, pause } from '@parley/runtime';
import type { Callers, FinishedCall } from './talk-callers.ts';
import type { TalkTestbed } from './talk-testbed.ts';
import type { Role } from './talk-script.rules.ts';

/** The plan of a round. */
export interface RoundPlan {
  roles: readonly Exclude<Role, 'called'>[];
  talkMs: number;
  /** Runs during the measurement, when all calls are live. */
  disturb?: () => Promise<void>;
}

/** The result of a round. */
export interface Round {
  /** Concurrent calls. */
  calls: number;
  finished: FinishedCall[];
  /** Processor time of the voice process during the measurement, percent of a core per call. */
  cpuPercent: number;
  /** Processor time for each packet received or sent, microseconds. */
  packetMicros: number;
  /** What the voice process has grown by, megabytes for each call. */
  memoryMegabytes: number;
  /** The longest time without a turn of the event loop, milliseconds. */
  longestStallMs: number;
  /** How late the callers' own clock was. */
  noiseMs: number[];
}

const PACKETS_PER_SECOND = 100;
/** Before this the calls are being set up: code is compiled, memory grows. */
const SETTLE_MS = 1000;

/** Dials, measures, hangs up. */
export async function runRound(
  { voice }: TalkTestbed,
  callers: Callers,
  { roles, talkMs, disturb }: RoundPlan,
): Promise<Round> {
  await voice.collectGarbage();
  const empty = await voice.figures();
  await callers.call(roles);
  await pause(systemClock, SETTLE_MS);
  await voice.resetStalls();
  callers.wires.latenessesMs.length = 0;
  const before = await voice.figures();
  const fromMs = systemClock.monotonic();
  await Promise.all([pause(systemClock, talkMs), disturb?.()]);
  const after = await voice.figures();
  const lastedMs = systemClock.monotonic() - fromMs;
  const noiseMs = callers.wires.latenessesMs.slice();
  await voice.collectGarbage();
  const full = await voice.figures();
  const finished = await callers.hangUp();
  const calls = roles.length;
  const cpuMicros = after.cpuMicros - before.cpuMicros;
  return {
    calls,
    finished,
    cpuPercent: cpuMicros / lastedMs / 10 / calls,
    packetMicros: cpuMicros / ((lastedMs / 1000) * PACKETS_PER_SECOND * calls),
    memoryMegabytes: (full.rssBytes - empty.rssBytes) / 2 ** 20 / calls,
    longestStallMs: after.longestStallMs,
    noiseMs,
  };
}
