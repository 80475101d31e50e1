/**
 * R5: a campaign with a long queue is stopped repeatedly. After the response to a stop no INVITE is sent, and no
 * conversation is cut off.
 */
import { seededRandom } from '@parley/phones';
import { pause, systemClock } from '@parley/runtime';
import { createCampaign, createReportingAssistant, tellCampaign } from './campaigns.ts';
import type { Check, CheckOptions, CheckResult } from './check.ts';
import { withTestbed, type Testbed } from './testbed.ts';
import { NumberBook } from './numbers.ts';
import type { StoredCall, WireCall } from './oracle.rules.ts';
import { gatherEvidence, resultOf } from './verdict.ts';

/** The time from a stop until the next start, wall clock in milliseconds. */
interface Silence {
  /** When the stop was requested. */
  askedMs: number;
  /** When the response arrived. */
  fromMs: number;
  untilMs: number;
}

/** Tolerance for INVITEs after the response, milliseconds. */
const GRACE_MS = 250;
/** Duration of a stop before the campaign is started again, milliseconds. */
const LISTEN_MS = 400;
/** Maximum duration of a run between two stops, milliseconds. */
const LONGEST_RUN_MS = 500;
const START_LIMIT_MS = 20_000;

/** R5. */
export const stops: Check = { id: 'R5', what: 'a campaign with a long queue is stopped', run };

async function run(options: CheckOptions): Promise<CheckResult> {
  const size = options.isFull ? { leads: 10_000, stops: 200 } : { leads: 1_200, stops: 8 };
  return withTestbed({ workers: 2, voices: 2 }, async (testbed) => {
    const { fleet, witness, receiver } = testbed;
    const random = seededRandom('stops', options.seed);
    const book = new NumberBook();
    // Nearly all calls are declined immediately, so that the dialer works at full rate when the stop comes.
    const talking = book.take('impatient', 12);
    const numbers = [...talking, ...book.crowd(size.leads - talking.length, random)];
    const assistantId = await createReportingAssistant(fleet.installation, receiver);
    const campaign = await createCampaign(fleet.installation, { assistantId, numbers, cap: 20 });
    const silences: Silence[] = [];
    for (let count = 1; count <= size.stops; count++) {
      silences.push(await startAndStop(testbed, campaign.id, random));
      options.say(`${count} of ${size.stops} stops`);
    }
    await untilNobodyTalks(testbed, campaign.id);
    const evidence = await gatherEvidence(witness, fleet.sql, [campaign]);
    const result = resultOf(evidence, ['lost', 'twice', 'overCap', 'late']);
    const late = lateInvites(evidence.wire, silences);
    const cut = evidence.calls.filter((call) => isCutOff(call, silences)).length;
    return {
      counts: {
        stops: silences.length,
        calls: evidence.wire.length,
        'after the stop': late.length,
        'cut off': cut,
        ...result.counts,
      },
      faults: [
        ...late.slice(0, 5).map(({ number, lateMs }) => `${number} was called ${lateMs} ms after a stop`),
        ...(cut > 0 ? [`${cut} conversations were cut off by a stop`] : []),
        ...result.faults,
      ],
      controls: {
        ...result.controls,
        'after the stop': lateInvites(spoil(evidence.wire, silences), silences).length > late.length,
      },
    };
  });
}

/** Stops the campaign while calls are being made. */
async function startAndStop(
  { fleet, witness }: Testbed,
  campaignId: number,
  random: () => number,
): Promise<Silence> {
  const before = await witness.countCalls();
  await tellCampaign(fleet.installation, campaignId, 'start');
  const limitMs = systemClock.monotonic() + START_LIMIT_MS;
  while ((await witness.countCalls()) === before) {
    if (systemClock.monotonic() > limitMs)
      throw new Error('A campaign that was started again places no calls');
    await pause(systemClock, 5);
  }
  await pause(systemClock, random() * LONGEST_RUN_MS);
  const askedMs = systemClock.now();
  const fromMs = await tellCampaign(fleet.installation, campaignId, 'stop');
  await pause(systemClock, LISTEN_MS);
  return { askedMs, fromMs, untilMs: systemClock.now() };
}

const TALKING = `select count(*)::int as live from live_calls where campaign_id = $1`;
const TALK_LIMIT_MS = 60_000;

async function untilNobodyTalks({ fleet }: Testbed, campaignId: number): Promise<void> {
  const limitMs = systemClock.monotonic() + TALK_LIMIT_MS;
  for (;;) {
    const [row] = await fleet.sql.query<{ live: number }>(TALKING, [campaignId]);
    if (row?.live === 0) return;
    if (systemClock.monotonic() > limitMs) throw new Error('Calls of a stopped campaign do not end');
    await pause(systemClock, 100);
  }
}

/** Conversations at the time of a stop. A call that is answered while the stop is in progress may be ended. */
function isCutOff({ answeredAtMs, endedReason }: StoredCall, silences: readonly Silence[]): boolean {
  if (answeredAtMs === null || endedReason !== 'campaign_stopped') return false;
  return silences.every(
    ({ askedMs, fromMs }) => answeredAtMs < askedMs - GRACE_MS || answeredAtMs > fromMs + GRACE_MS,
  );
}

/** INVITEs after the response to the stop. */
function lateInvites(
  wire: readonly WireCall[],
  silences: readonly Silence[],
): { number: string; lateMs: number }[] {
  return wire.flatMap(({ number, invitedAtMs: at }) =>
    silences
      .filter(({ fromMs, untilMs }) => at > fromMs + GRACE_MS && at < untilMs)
      .map(({ fromMs }) => ({ number, lateMs: at - fromMs })),
  );
}

/** Negative control: one INVITE in the middle of the first stop. */
function spoil(wire: readonly WireCall[], [first]: readonly Silence[]): WireCall[] {
  const [call] = wire;
  if (!call || !first) return [...wire];
  return [...wire, { ...call, sipCallId: 'too-late', invitedAtMs: first.fromMs + GRACE_MS + 1 }];
}
