/**
 * R13: a voice process is killed while it holds calls in both directions. Another process of its fleet, or the one that is
 * started in its place, goes on with them. What each far end heard is measured in its received packets.
 */
import { readFile } from 'node:fs/promises';
import { readPhonesLog, startStranger } from '@parley/e2e';
import type { Person, Phone } from '@parley/phones';
import { pause, systemClock } from '@parley/runtime';
import { createCampaign, createReportingAssistant, tellCampaign } from './campaigns.ts';
import type { Check, CheckOptions, CheckResult } from './check.ts';
import type { FleetOptions } from './fleet.ts';
import { NumberBook } from './numbers.ts';
import { childrenOf } from './process-tree.ts';
import { faultsOf } from './receiver.ts';
import { judgeSurvival, type FollowedCall } from './survival.rules.ts';
import { withTestbed, type Testbed } from './testbed.ts';

/** One of two processes of a fleet is killed; the other one goes on. */
export const lostVoice: Check = {
  id: 'R13',
  what: 'a voice process of a fleet killed while it holds calls',
  run: (options) =>
    run(options, {
      testbed: { workers: 1, voices: 1, environment: { VOICE_PROCESSES: '2' } },
      findVictim: async (voice) => (await childrenOf(voice))[0] ?? 0,
    }),
};

/** The only process of a machine is killed, and started again by its supervisor. */
export const restartedVoice: Check = {
  id: 'R13-restart',
  what: 'a single voice process killed while it holds calls, and started again',
  run: (options) => run(options, { testbed: { workers: 1, voices: 2 }, findVictim: async (voice) => voice }),
};

interface Setting {
  testbed: FleetOptions;
  /** @param voice - the process id of the installation's voice app */
  findVictim: (voice: number) => Promise<number>;
}

/** The number of the inbound demo assistant of a fresh installation. */
const INBOUND_NUMBER = '+12025550101';
/** The calls last until the check has seen everything. */
const LONGEST_CALL_SECONDS = 120;
const ANSWER_LIMIT_MS = 90_000;
/** A call that goes on for this time after the kill has survived, milliseconds. */
const SURVIVAL_MS = 30_000;
const END_LIMIT_MS = 200_000;
const LOOK_MS = 200;

const HELD = `
  select c.id, p.url from live_calls l
  join calls c on c.id = l.call_id join voice_processes p on p.id = l.voice_process_id
  join call_progress g on g.call_id = l.call_id
  where l.answered_at is not null`;
const FOLLOWED = `
  select c.id, c.type, c.client_phone_number as number, c.ended_reason as "endedReason",
    extract(epoch from c.ended_at)::float8 * 1000 as "endedAtMs",
    (select (e.detail->>'silent_ms')::float8 from call_events e
     where e.call_id = c.id and e.type = 'process_replaced' limit 1) as "acceptedAfterMs"
  from calls c where c.id = any($1)`;
const OPEN = `select count(*)::int as open from live_calls`;
const UNREPORTED = `select count(*)::int as waiting from deliveries where status = 'pending'`;

async function run(
  options: CheckOptions,
  { testbed: fleetOptions, findVictim }: Setting,
): Promise<CheckResult> {
  const calls = options.isFull ? 50 : 6;
  const phone = await startStranger();
  try {
    return await withTestbed(fleetOptions, async (testbed) => {
      const { fleet, receiver } = testbed;
      const people = await beginCalls(testbed, phone, calls);
      const held = await untilHeld(testbed, calls);
      const pid = await findVictim((await fleet.installation.processes())['voice'] ?? 0);
      const url = await controlUrlOf(pid);
      const lostIds = held.filter((call) => call.url === url).map(({ id }) => id);
      const killedAtMs = systemClock.now();
      process.kill(pid, 'SIGKILL');
      options.say(`${url} was killed with ${lostIds.length} of ${held.length} calls`);
      await pause(systemClock, SURVIVAL_MS);
      const open = await openCalls(testbed);
      for (const person of people.values()) await person.leg.hangUp();
      await untilOver(testbed);
      const followed = await follow(
        testbed,
        held.map(({ id }) => id),
        people,
      );
      const about = { followed, lostIds: new Set(lostIds), killedAtMs, survivalMs: SURVIVAL_MS };
      const survival = judgeSurvival(about);
      const hooks = faultsOf(
        receiver.received,
        held.map(({ id }) => id),
      );
      return {
        counts: {
          ...survival.counts,
          'webhooks lost or doubled': hooks.length,
          'calls open after 30 s': open,
        },
        faults: [...survival.faults, ...hooks.slice(0, 3)],
        controls: survival.controls,
      };
    });
  } finally {
    await phone.stop();
  }
}

/** Half of the calls in each direction. @returns the callers, by their number */
async function beginCalls(
  { fleet, receiver }: Testbed,
  phone: Phone,
  calls: number,
): Promise<Map<string, Person>> {
  const { installation } = fleet;
  const outbound = calls / 2;
  const numbers = new NumberBook().take('silent', outbound);
  const assistantId = await createReportingAssistant(installation, receiver, LONGEST_CALL_SECONDS);
  const campaign = await createCampaign(installation, { assistantId, numbers, cap: outbound });
  await prepareInbound(installation, receiver.url);
  await tellCampaign(installation, campaign.id, 'start');
  const people = new Map<string, Person>();
  for (let at = 0; at < calls - outbound; at += 1) {
    const from = `+1202555${String(1000 + at)}`;
    const call = { to: INBOUND_NUMBER, from, host: '127.0.0.1', port: installation.sipPort };
    people.set(from, phone.call({ ...call, script: [{ do: 'wait', ms: END_LIMIT_MS }] }));
    await pause(systemClock, LOOK_MS);
  }
  return people;
}

type Installation = Testbed['fleet']['installation'];

async function prepareInbound(installation: Installation, webhookUrl: string): Promise<void> {
  const assistants = (await installation.request('GET', '/api/user/assistants')) as {
    id: number;
    type: string;
  }[];
  const id = assistants.find(({ type }) => type === 'inbound')?.id ?? 0;
  await installation.request('PUT', `/api/user/assistant/${id}`, {
    is_webhook_active: true,
    webhook_url: webhookUrl,
    send_webhook_only_on_completed: false,
    max_silence_duration: LONGEST_CALL_SECONDS,
    max_call_duration: LONGEST_CALL_SECONDS,
  });
}

async function untilHeld({ fleet }: Testbed, count: number): Promise<{ id: number; url: string }[]> {
  const limitMs = systemClock.monotonic() + ANSWER_LIMIT_MS;
  for (;;) {
    const held = await fleet.sql.query<{ id: number; url: string }>(HELD);
    if (held.length >= count) return held;
    if (systemClock.monotonic() > limitMs) throw new Error(`Only ${held.length} of ${count} calls are live`);
    await pause(systemClock, LOOK_MS);
  }
}

/** The address of the internal contract of a voice process, from Linux's /proc. */
async function controlUrlOf(pid: number): Promise<string> {
  const variables = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0');
  const listen = variables.find((one) => one.startsWith('VOICE_LISTEN='))?.slice('VOICE_LISTEN='.length);
  return `http://${listen}`;
}

async function openCalls({ fleet }: Testbed): Promise<number> {
  const [row] = await fleet.sql.query<{ open: number }>(OPEN);
  return row?.open ?? 0;
}

/** Waits for the end of all calls and of their reports. */
async function untilOver(testbed: Testbed): Promise<void> {
  const limitMs = systemClock.monotonic() + END_LIMIT_MS;
  while (systemClock.monotonic() < limitMs) {
    const [row] = await testbed.fleet.sql.query<{ waiting: number }>(UNREPORTED);
    if ((await openCalls(testbed)) === 0 && row?.waiting === 0) return;
    await pause(systemClock, 1_000);
  }
}

/** The record of each call, and the longest time in which its far end received nothing. */
async function follow(
  { fleet }: Testbed,
  ids: readonly number[],
  people: ReadonlyMap<string, Person>,
): Promise<FollowedCall[]> {
  const gaps = await gapsOfPhones(fleet.installation.phonesLog);
  const rows = await fleet.sql.query<Omit<FollowedCall, 'gapMs'> & { number: string; type: string }>(
    FOLLOWED,
    [ids],
  );
  return rows.map(({ number, type, ...call }) => ({
    ...call,
    gapMs: (type === 'inbound' ? people.get(number)?.longestGapMs : gaps.get(number)) ?? null,
  }));
}

/** The longest gap of each call, by its called number, which no other call has. */
async function gapsOfPhones(path: string): Promise<Map<string, number>> {
  const numbers = new Map<string, string>();
  const gaps = new Map<string, number>();
  for (const line of await readPhonesLog(path)) {
    const { callId = '' } = line;
    if (line.method === 'INVITE' && line.direction === 'in' && !numbers.has(callId))
      numbers.set(callId, String(line['toUser']));
    if (line['event'] === 'sound') gaps.set(numbers.get(callId) ?? '', Number(line['longestGapMs']));
  }
  return gaps;
}
