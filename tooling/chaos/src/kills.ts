/**
 * R1 and R2: campaigns are dialed while processes are killed, or frozen for so long that others consider them dead. Three
 * campaigns share the leads: one without a calling window, one whose window closes during the run, and one whose window
 * opens during the run. The faults are distributed over the leads, so that each of them hits work in progress.
 */
import { seededRandom } from '@parley/phones';
import { pause, systemClock } from '@parley/runtime';
import { createCampaign, createReportingAssistant, setWindow, tellCampaign } from './campaigns.ts';
import type { Check, CheckOptions, CheckResult } from './check.ts';
import type { Fleet } from './fleet.ts';
import { withTestbed, type Testbed } from './testbed.ts';
import { zoneAtNoon } from './noon.ts';
import { NumberBook } from './numbers.ts';
import type { CampaignFact } from './oracle.rules.ts';
import { STUCK_MS, untilHungUp, untilQuiet } from './quiet.ts';
import { gatherEvidence, resultOf } from './verdict.ts';

interface Size {
  leads: number;
  cap: number;
  workers: number;
  voices: number;
  faultCount: number;
  /** Share of the phones that answer. */
  answeringShare: number;
}

/** The faults that are injected. */
interface Attack extends Size {
  options: CheckOptions;
  /** Resolves when the fault is over. @returns false if the process was not running */
  inject(fleet: Fleet, victim: string): Promise<boolean>;
  random: () => number;
  /** Processes that the faults hit. Default: all. */
  victims?: RegExp;
}

const QUICK: Size = { leads: 120, cap: 8, workers: 2, voices: 2, faultCount: 6, answeringShare: 0.15 };
const FULL: Size = {
  leads: 10_000,
  cap: 40,
  workers: 3,
  voices: 3,
  faultCount: 200,
  answeringShare: 0.05,
};
/** Share of the leads in the campaign that closes, and in the campaign that opens, during the run. */
const CLOSING_SHARE = 0.1;
const OPENING_SHARE = 0.15;
/** Time from the start until one window closes and the other opens, milliseconds. */
const CHANGE_AFTER_MS = 4_000;
/** Some leads of the closing campaign, and one or two faults, remain for the end. */
const CALLED_AT_LEAST = 1 - CLOSING_SHARE - 0.05;
const LOOK_MS = 50;
const PAUSE_MS = 300;
/** Processes that are selected more often have a greater weight. */
const LOTS: Record<string, number> = { postgres: 1, api: 1, worker: 2, voice: 2 };
const SHORTEST_FREEZE_MS = 5_000;
const LONGEST_FREEZE_MS = 30_000;
/** Longer than the lease of a voice process, so that others consider the frozen process dead. */
const QUICK_FREEZE_MS = 12_000;

/** R1: SIGKILL of any process, Postgres included, during a campaign. */
export const kills: Check = {
  id: 'R1',
  what: 'processes killed at random while campaigns dial',
  run: (options) =>
    attack({
      ...(options.isFull ? FULL : QUICK),
      options,
      inject: (fleet, victim) => fleet.kill(victim),
      random: seededRandom('kills', options.seed),
    }),
};

/** R2: the same with SIGSTOP. A process that continues acts as if it still had its lease. */
export const freezes: Check = {
  id: 'R2',
  what: 'processes frozen for 5 to 30 seconds while campaigns dial',
  run: (options) => {
    const random = seededRandom('freezes', options.seed);
    const someMs = (): number => SHORTEST_FREEZE_MS + random() * (LONGEST_FREEZE_MS - SHORTEST_FREEZE_MS);
    return attack({
      ...(options.isFull ? { ...FULL, faultCount: 40 } : { ...QUICK, faultCount: 1 }),
      options,
      // The single freeze of the quick form hits the process with the most to lose.
      ...(options.isFull ? {} : { victims: /^voice/ }),
      inject: (fleet, victim) => fleet.freeze(victim, options.isFull ? someMs() : QUICK_FREEZE_MS),
      random,
    });
  },
};

async function attack(plan: Attack): Promise<CheckResult> {
  return withTestbed({ workers: plan.workers, voices: plan.voices }, async (testbed) => {
    const { fleet, witness, receiver } = testbed;
    const campaigns = await makeCampaigns(testbed, plan);
    for (const { id } of campaigns) await tellCampaign(fleet.installation, id, 'start');
    const injected = await injectFaults(testbed, plan);
    const stillMs = await untilQuiet(testbed, campaigns);
    await untilHungUp(witness);
    const result = resultOf(await gatherEvidence(witness, fleet.sql, campaigns));
    const untold = await receiver.compareWith(
      fleet.sql,
      campaigns.map(({ id }) => id),
    );
    const isStuck = stillMs >= STUCK_MS;
    const calls = await witness.countCalls();
    return {
      counts: {
        faultCount: injected,
        leads: plan.leads,
        calls,
        ...result.counts,
        stuck: Number(isStuck),
        'webhooks lost': untold.length,
      },
      faults: [
        ...result.faults,
        ...untold.slice(0, 3),
        ...(isStuck ? [`nothing moved for ${Math.round(stillMs / 1000)} s`] : []),
        ...(injected < plan.faultCount
          ? [`only ${injected} of ${plan.faultCount} faults were injected`]
          : []),
      ],
      controls: result.controls,
    };
  });
}

async function makeCampaigns({ fleet, receiver }: Testbed, plan: Attack): Promise<CampaignFact[]> {
  const { installation } = fleet;
  const { leads, cap, random } = plan;
  const assistantId = await createReportingAssistant(installation, receiver);
  const book = new NumberBook();
  const half = Math.floor((leads * CLOSING_SHARE) / 2);
  // The first campaign rings long enough that some leads are still waiting when the window closes.
  const closing = [...book.take('away', half), ...book.take('busy', half)];
  const numbers = book.crowd(leads - closing.length, random, plan.answeringShare);
  const opening = numbers.splice(0, Math.floor(leads * OPENING_SHARE));
  const timezone = zoneAtNoon(systemClock.now());
  const smallCap = Math.max(2, Math.floor(cap / 8));
  const always = await createCampaign(installation, { assistantId, numbers, cap });
  const later = await createCampaign(installation, {
    assistantId,
    timezone,
    numbers: opening,
    cap: smallCap,
  });
  const until = await createCampaign(installation, {
    assistantId,
    timezone,
    numbers: closing,
    cap: smallCap,
  });
  // Calling windows have a resolution of one second.
  const changeAtMs = Math.ceil((systemClock.now() + CHANGE_AFTER_MS) / 1000) * 1000;
  return [
    always,
    await setWindow(installation, later, { timezone, opensAtMs: changeAtMs }),
    await setWindow(installation, until, { timezone, closesAtMs: changeAtMs }),
  ];
}

/** Injects the n-th fault when the n-th part of the leads was called. @returns the number of injected faults */
async function injectFaults({ fleet, witness }: Testbed, plan: Attack): Promise<number> {
  const { faultCount, random, options, victims = /./ } = plan;
  const targets = fleet.victims.filter((name) => victims.test(name));
  const lots = targets.flatMap((name) =>
    Array.from({ length: LOTS[name.replace(/-\d+$/, '')] ?? 1 }, () => name),
  );
  const limitMs = systemClock.monotonic() + STUCK_MS + faultCount * LONGEST_FREEZE_MS;
  let injected = 0;
  while (injected < faultCount && systemClock.monotonic() < limitMs) {
    const calls = await witness.countCalls();
    if (calls < (plan.leads * CALLED_AT_LEAST * injected) / faultCount) {
      await pause(systemClock, LOOK_MS);
      continue;
    }
    const victim = lots[Math.floor(random() * lots.length)] ?? 'worker';
    await pause(systemClock, random() * PAUSE_MS);
    if (!(await plan.inject(fleet, victim))) continue;
    injected++;
    options.say(`${injected} of ${faultCount}: ${victim}, after ${calls} calls`);
    await pause(systemClock, PAUSE_MS);
  }
  return injected;
}
