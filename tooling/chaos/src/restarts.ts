/**
 * R14: voice processes are restarted one after the other while campaigns talk. A process that stops takes no new calls and
 * waits for its own, so that no call is cut and no webhook is lost.
 */
import { seededRandom } from '@parley/phones';
import { pause, systemClock } from '@parley/runtime';
import { createCampaign, createReportingAssistant, tellCampaign } from './campaigns.ts';
import type { Check, CheckOptions, CheckResult } from './check.ts';
import { cutCalls } from './cut-calls.rules.ts';
import { NumberBook, shuffled } from './numbers.ts';
import type { StoredCall } from './oracle.rules.ts';
import { STUCK_MS, untilHungUp, untilQuiet } from './quiet.ts';
import { withTestbed, type Testbed } from './testbed.ts';
import { gatherEvidence, resultOf } from './verdict.ts';

/** R14. */
export const restarts: Check = {
  id: 'R14',
  what: 'voice processes restarted one after the other under calls',
  run,
};

/** How long a restart waits for its calls. */
const CALLS_LIMIT_MS = 60_000;

async function run(options: CheckOptions): Promise<CheckResult> {
  const size = options.isFull
    ? { restarts: 20, silent: 700, talking: 600, cap: 50, live: 25 }
    : { restarts: 2, silent: 20, talking: 4, cap: 8, live: 4 };
  return withTestbed({ workers: 1, voices: 2 }, async (testbed) => {
    const { fleet, witness, receiver } = testbed;
    const book = new NumberBook();
    const random = seededRandom('restarts', options.seed);
    // Silent people cost little processor time, and their calls last until the assistant gives up.
    const numbers = shuffled(
      [...book.take('silent', size.silent), ...book.take('talks', size.talking)],
      random,
    );
    const assistantId = await createReportingAssistant(fleet.installation, receiver);
    const campaign = await createCampaign(fleet.installation, { assistantId, numbers, cap: size.cap });
    await tellCampaign(fleet.installation, campaign.id, 'start');
    const voices = fleet.victims.filter((name) => name.startsWith('voice'));
    const callsAtRestarts: number[] = [];
    for (let count = 0; count < size.restarts; count++) {
      callsAtRestarts.push(await untilCallsAreLive(testbed, size.live));
      await fleet.restart(voices[count % voices.length] ?? 'voice');
      options.say(`${count + 1} of ${size.restarts} restarts`);
    }
    const stillMs = await untilQuiet(testbed, [campaign]);
    await untilHungUp(witness);
    const idle = callsAtRestarts.filter((live) => live < size.live).length;
    const evidence = await gatherEvidence(witness, fleet.sql, [campaign]);
    const result = resultOf(evidence, ['lost', 'twice', 'overCap', 'late', 'notHungUp', 'misrecorded']);
    const cut = cutCalls(evidence.calls);
    const untold = await receiver.compareWith(fleet.sql, [campaign.id]);
    return {
      counts: {
        restarts: size.restarts,
        'calls at the restarts': callsAtRestarts.reduce((sum, live) => sum + live, 0),
        'restarts without enough calls': idle,
        cut: cut.length,
        'webhooks lost': untold.length,
        stuck: Number(stillMs >= STUCK_MS),
        ...result.counts,
      },
      faults: [
        ...cut.slice(0, 5).map(({ number, endedReason }) => `${number} was cut: ${endedReason}`),
        ...untold.slice(0, 3),
        ...(idle > 0 ? [`${idle} restarts had fewer than ${size.live} calls`] : []),
        ...(stillMs >= STUCK_MS ? [`nothing moved for ${Math.round(stillMs / 1000)} s`] : []),
        ...result.faults,
      ],
      controls: { ...result.controls, cut: cutCalls(evidence.calls.slice(0, 1).map(cutOff)).length > 0 },
    };
  });
}

/** Negative control: the call as it would be recorded if its process had not waited for it. */
function cutOff(call: StoredCall): StoredCall {
  return { ...call, endedReason: 'shutdown' };
}

const LIVE = `select count(*)::int as live from live_calls where answered_at is not null`;

/** @returns how many calls are answered at the moment: at least `wanted`, or what there is after {@link CALLS_LIMIT_MS} */
async function untilCallsAreLive({ fleet }: Testbed, wanted: number): Promise<number> {
  const limitMs = systemClock.monotonic() + CALLS_LIMIT_MS;
  for (;;) {
    const [row] = await fleet.sql.query<{ live: number }>(LIVE);
    const live = row?.live ?? 0;
    if (live >= wanted || systemClock.monotonic() > limitMs) return live;
    await pause(systemClock, 50);
  }
}
