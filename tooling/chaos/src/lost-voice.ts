/**
 * R13: a voice process is killed while it holds calls. Another process ends their dialogs with BYE, the records are closed
 * with the true reason, and the calls of other processes continue.
 */
import { pause, systemClock } from '@parley/runtime';
import { createCampaign, createReportingAssistant, tellCampaign } from './campaigns.ts';
import type { Check, CheckOptions, CheckResult } from './check.ts';
import { NumberBook } from './numbers.ts';
import type { WireCall } from './oracle.rules.ts';
import { withTestbed, type Testbed } from './testbed.ts';

/** R13. */
export const lostVoice: Check = { id: 'R13', what: 'a voice process killed while it holds calls', run };

/** The calls last until the check has seen everything. */
const LONGEST_CALL_SECONDS = 110;
const ANSWER_LIMIT_MS = 90_000;
/** The goals: BYE within 20 s, closed records within 30 s. */
const BYE_LIMIT_MS = 20_000;
const RECORD_LIMIT_MS = 30_000;
const LOOK_MS = 100;

const HELD = `
  select c.id, c.client_phone_number as number, p.url from live_calls l
  join calls c on c.id = l.call_id join voice_processes p on p.id = l.voice_process_id
  where c.campaign_id = $1 and l.answered_at is not null`;
const ENDED = `
  select id, ended_reason as "endedReason" from calls
  where id = any($1) and ended_at is not null`;

interface HeldCall {
  id: number;
  number: string;
  /** The control address of its voice process. */
  url: string;
}

async function run(options: CheckOptions): Promise<CheckResult> {
  const calls = options.isFull ? 50 : 6;
  return withTestbed({ workers: 1, voices: 2 }, async (testbed) => {
    const { fleet, receiver } = testbed;
    const numbers = new NumberBook().take('silent', calls);
    const assistantId = await createReportingAssistant(fleet.installation, receiver, LONGEST_CALL_SECONDS);
    const campaign = await createCampaign(fleet.installation, { assistantId, numbers, cap: calls });
    await tellCampaign(fleet.installation, campaign.id, 'start');
    const held = await untilHeld(testbed, campaign.id, calls);
    const [[victim, url] = ['', '']] = fleet.voiceUrls;
    const lost = held.filter((call) => call.url === url);
    const killedAtMs = systemClock.now();
    await fleet.kill(victim);
    options.say(`${victim} was killed with ${lost.length} of ${held.length} calls`);
    const seen = await watchEnds(testbed, lost, killedAtMs);
    const others = held.filter((call) => call.url !== url);
    return judgeRun({ seen, lost, others, wire: await testbed.witness.calls() });
  });
}

async function untilHeld({ fleet }: Testbed, campaignId: number, count: number): Promise<HeldCall[]> {
  const limitMs = systemClock.monotonic() + ANSWER_LIMIT_MS;
  for (;;) {
    const held = await fleet.sql.query<HeldCall>(HELD, [campaignId]);
    if (held.length >= count) return held;
    if (systemClock.monotonic() > limitMs) throw new Error(`Only ${held.length} of ${count} calls are live`);
    await pause(systemClock, LOOK_MS);
  }
}

interface Ends {
  /** From the kill to the last BYE; null if one did not arrive in time. */
  byeMs: number | null;
  /** From the kill to the last closed record. */
  recordMs: number | null;
  reasons: string[];
}

async function watchEnds(
  { fleet, witness }: Testbed,
  lost: readonly HeldCall[],
  killedAtMs: number,
): Promise<Ends> {
  const ids = lost.map(({ id }) => id);
  const numbers = new Set(lost.map(({ number }) => number));
  let [byeMs, recordMs]: [number | null, number | null] = [null, null];
  let reasons: string[] = [];
  while (systemClock.now() - killedAtMs < RECORD_LIMIT_MS && (byeMs === null || recordMs === null)) {
    await pause(systemClock, LOOK_MS);
    const wire = (await witness.calls()).filter(({ number }) => numbers.has(number));
    if (wire.every(({ endedAtMs }) => endedAtMs !== null))
      byeMs ??= Math.max(...wire.map(({ endedAtMs }) => endedAtMs ?? 0)) - killedAtMs;
    const ended = await fleet.sql.query<{ endedReason: string | null }>(ENDED, [ids]);
    reasons = ended.map(({ endedReason }) => endedReason ?? 'none');
    if (ended.length === ids.length) recordMs ??= systemClock.now() - killedAtMs;
  }
  return { byeMs, recordMs, reasons };
}

interface Run {
  seen: Ends;
  lost: readonly HeldCall[];
  others: readonly HeldCall[];
  wire: readonly WireCall[];
}

function judgeRun({ seen, lost, others, wire }: Run): CheckResult {
  const isEnded = (number: string): boolean =>
    wire.some((call) => call.number === number && call.endedAtMs !== null);
  const cut = others.filter(({ number }) => isEnded(number));
  const untrue = seen.reasons.filter((reason) => reason !== 'process_lost');
  const faults = faultsOf(seen);
  return {
    counts: {
      calls: lost.length,
      'until the last BYE, s': (seen.byeMs ?? Infinity) / 1000,
      'until the last record, s': (seen.recordMs ?? Infinity) / 1000,
      'untrue reasons': untrue.length,
      'calls of others': others.length,
      'of these cut': cut.length,
    },
    faults: [
      ...faults,
      ...untrue.slice(0, 3).map((reason) => `a lost call was recorded as ${reason}`),
      ...cut.slice(0, 3).map(({ number }) => `${number} of another process was cut`),
      ...(lost.length === 0 ? ['the killed process held no call'] : []),
    ],
    controls: {
      'no BYE': faultsOf({ ...seen, byeMs: null }).length > faults.length || seen.byeMs === null,
      'a late record': faultsOf({ ...seen, recordMs: RECORD_LIMIT_MS + 1 }).length > 0,
    },
  };
}

function faultsOf({ byeMs, recordMs }: Ends): string[] {
  return [
    ...(byeMs === null || byeMs > BYE_LIMIT_MS ? ['not every phone got BYE within 20 s'] : []),
    ...(recordMs === null || recordMs > RECORD_LIMIT_MS ? ['not every record was closed within 30 s'] : []),
  ];
}
