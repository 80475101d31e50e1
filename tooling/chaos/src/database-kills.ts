/**
 * R9: Postgres is killed repeatedly while clients write and a campaign talks. No write that was answered with success is
 * lost, each other answer is 503, and no call ends or falls silent.
 */
import { readPhonesLog, type Installation } from '@parley/e2e';
import { seededRandom } from '@parley/phones';
import { pause, systemClock } from '@parley/runtime';
import { createCampaign, createReportingAssistant, tellCampaign } from './campaigns.ts';
import type { Check, CheckOptions, CheckResult } from './check.ts';
import { cutCalls } from './cut-calls.rules.ts';
import { NumberBook } from './numbers.ts';
import { STUCK_MS, untilHungUp, untilQuiet } from './quiet.ts';
import { gapsIn } from './sound.rules.ts';
import { withTestbed, type Testbed } from './testbed.ts';
import { gatherEvidence, resultOf } from './verdict.ts';

/** R9. */
export const databaseKills: Check = {
  id: 'R9',
  what: 'Postgres killed repeatedly while clients write and calls talk',
  run,
};

const WRITERS = 4;
const UNAVAILABLE = 503;
/** Between two kills, so that each hits a running server, milliseconds. */
const PAUSE_MS = 1_500;
/** A server that does not come back fails the check instead of holding it up, milliseconds. */
const RETURN_LIMIT_MS = 60_000;

async function run(options: CheckOptions): Promise<CheckResult> {
  const size = options.isFull
    ? { kills: 50, leads: 600, talking: 300, cap: 8 }
    : { kills: 4, leads: 40, talking: 20, cap: 4 };
  return withTestbed({ workers: 1, voices: 1 }, async (testbed) => {
    const { fleet, witness, receiver } = testbed;
    const random = seededRandom('database-kills', options.seed);
    const book = new NumberBook();
    const numbers = book.crowd(size.leads, random, size.talking / size.leads);
    const assistantId = await createReportingAssistant(fleet.installation, receiver);
    const campaign = await createCampaign(fleet.installation, { assistantId, numbers, cap: size.cap });
    const written = await createCampaign(fleet.installation, { assistantId, numbers: [], cap: 1 });
    await tellCampaign(fleet.installation, campaign.id, 'start');
    const writers = startWriters(fleet.installation, written.id);
    const returnsMs: number[] = [];
    try {
      for (let count = 0; count < size.kills; count++) {
        await pause(systemClock, PAUSE_MS * (0.5 + random()));
        await killPostgres(testbed);
        returnsMs.push(await untilWritten(writers));
        options.say(`${count + 1} of ${size.kills} kills, back after ${returnsMs.at(-1)} ms`);
      }
    } finally {
      await writers.stop();
    }
    const stillMs = await untilQuiet(testbed, [campaign]);
    await untilHungUp(witness);
    return judgeRun(testbed, { campaign, writtenId: written.id, writers, returnsMs, stillMs });
  });
}

/**
 * A backend outlives the server for a moment and may still acknowledge a write, so that the next server may not run yet.
 *
 * @throws Error when it does not run after {@link RETURN_LIMIT_MS}
 */
async function killPostgres({ fleet }: Testbed): Promise<void> {
  const deadlineMs = systemClock.monotonic() + RETURN_LIMIT_MS;
  while (!(await fleet.kill('postgres'))) {
    if (systemClock.monotonic() > deadlineMs) throw new Error('Postgres does not run');
    await pause(systemClock, 100);
  }
}

interface Run {
  campaign: Awaited<ReturnType<typeof createCampaign>>;
  writtenId: number;
  writers: Writers;
  returnsMs: readonly number[];
  stillMs: number;
}

async function judgeRun({ fleet, witness }: Testbed, ran: Run): Promise<CheckResult> {
  const { campaign, writtenId, writers, returnsMs, stillMs } = ran;
  const evidence = await gatherEvidence(witness, fleet.sql, [campaign]);
  const result = resultOf(evidence, ['lost', 'twice', 'overCap', 'late', 'notHungUp', 'misrecorded']);
  const stored = await fleet.sql.query<{ number: string }>(
    'select phone_number as number from leads where campaign_id = $1',
    [writtenId],
  );
  const lost = missing(writers.acknowledged, stored);
  // A call that could not be dialed without Postgres is dialed later; only calls that were answered can be cut.
  const cut = cutCalls(evidence.calls.filter(({ answeredAtMs }) => answeredAtMs !== null));
  const lines = await readPhonesLog(fleet.installation.phonesLog);
  const gaps = gapsIn(lines, evidence.wire);
  const isStuck = stillMs >= STUCK_MS;
  return {
    counts: {
      kills: returnsMs.length,
      writes: writers.acknowledged.length,
      'writes refused with 503': writers.refused(),
      'writes lost': lost.length,
      'other answers': writers.strange.length,
      'longest without a write, s': writers.longestPauseMs() / 1000,
      calls: evidence.calls.length,
      cut: cut.length,
      'calls with gaps': gaps.length,
      stuck: Number(isStuck),
      ...result.counts,
    },
    faults: [
      ...lost.slice(0, 3).map((number) => `the write of ${number} was acknowledged and is lost`),
      ...writers.strange.slice(0, 3),
      ...cut.slice(0, 3).map(({ number, endedReason }) => `${number} was cut: ${endedReason}`),
      ...gaps.slice(0, 3),
      ...(isStuck ? [`nothing moved for ${Math.round(stillMs / 1000)} s`] : []),
      ...result.faults,
    ],
    controls: {
      ...result.controls,
      'a lost write': missing([...writers.acknowledged, '+12025550199x'], stored).length > lost.length,
    },
  };
}

function missing(acknowledged: readonly string[], stored: readonly { number: string }[]): string[] {
  const known = new Set(stored.map(({ number }) => number));
  return acknowledged.filter((number) => !known.has(number));
}

interface Writers {
  /** The numbers of the leads whose creation was answered with success. */
  acknowledged: string[];
  /** Answers that are neither success nor 503. */
  strange: string[];
  refused(): number;
  /** The longest time between two acknowledged writes of all clients, milliseconds. */
  longestPauseMs(): number;
  stop(): Promise<void>;
}

/** Clients that create one lead after the other and do not repeat a request. */
function startWriters(installation: Installation, campaignId: number): Writers {
  const acknowledged: string[] = [];
  const strange: string[] = [];
  const stopped = new AbortController();
  let [next, refused, longestPauseMs] = [0, 0, 0];
  let lastMs = systemClock.monotonic();
  const acknowledge = (number: string): void => {
    acknowledged.push(number);
    const nowMs = systemClock.monotonic();
    longestPauseMs = Math.max(longestPauseMs, Math.round(nowMs - lastMs));
    lastMs = nowMs;
  };
  const write = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const number = `+1${2_000_000_000 + 7919 * next++}`;
      const status = await createLead(installation, campaignId, number);
      if (status === UNAVAILABLE) refused++;
      else if (status >= 200 && status < 300) acknowledge(number);
      else strange.push(`the creation of ${number} was answered with ${status}`);
    }
  };
  const all = Promise.all(Array.from({ length: WRITERS }, write));
  return {
    acknowledged,
    strange,
    refused: () => refused,
    longestPauseMs: () => longestPauseMs,
    async stop() {
      stopped.abort();
      await all;
    },
  };
}

/** @returns the status; 0 without a response */
async function createLead(
  { baseUrl, token }: Installation,
  campaignId: number,
  phoneNumber: string,
): Promise<number> {
  try {
    const response = await fetch(`${baseUrl}/api/user/lead`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ campaign_id: campaignId, phone_number: phoneNumber }),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

/** @returns the time until the next acknowledged write, milliseconds */
async function untilWritten({ acknowledged }: Writers): Promise<number> {
  const startMs = systemClock.monotonic();
  // Each client may still receive one response that was on its way when the server was killed.
  const expected = acknowledged.length + WRITERS;
  while (acknowledged.length <= expected && systemClock.monotonic() - startMs < RETURN_LIMIT_MS)
    await pause(systemClock, 10);
  return Math.round(systemClock.monotonic() - startMs);
}
