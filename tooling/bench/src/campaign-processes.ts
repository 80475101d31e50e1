/**
 * The processes of `bench:campaign`: real workers, and simulated voice processes without audio, so that only the dialer is
 * measured. This file starts them, starts and stops campaigns, and reads their calls and processor times.
 */
import { tmpdir } from 'node:os';
import { startCampaign, stopCampaign, type Identity } from '@parley/core';
import { freePorts } from '@parley/e2e';
import { pause, systemClock } from '@parley/runtime';
import type { CampaignTestbed } from './campaign-testbed.ts';
import { SECRETS } from './campaign-site.ts';
import type { DialedCall, VoiceAnswer, VoiceQuestion } from './campaign-voice.ts';
import { startMeasured, type MeasuredProcess } from './measured-process.ts';
import { postgresCpuMicros } from './postgres-cpu.ts';

/** The running processes. */
export interface CampaignProcesses {
  workers: MeasuredProcess[];
  voices: MeasuredProcess[];
  /** Every call of the simulated voice processes; live calls have no end. */
  readLog(): Promise<DialedCall[]>;
  stop(): Promise<void>;
}

/** The behaviour of a simulated voice process. */
export interface VoiceDouble {
  capacity: number;
  /** Duration of the calls, milliseconds. */
  talkMs: { first: number; last: number };
}

/** Starts real workers and simulated voice processes. */
export async function startProcesses(
  testbed: CampaignTestbed,
  plan: { workers: number; voices: number; voice: VoiceDouble },
): Promise<CampaignProcesses> {
  const times = <Made>(count: number, make: () => Promise<Made>): Promise<Made[]> =>
    Promise.all(Array.from({ length: count }, make));
  const [workers, voices] = await Promise.all([
    times(plan.workers, () => startWorker(testbed)),
    times(plan.voices, () => startVoiceDouble(testbed, plan.voice)),
  ]);
  return {
    workers,
    voices,
    readLog: logReader(voices),
    async stop() {
      await Promise.all([...workers, ...voices].map((process) => process.stop()));
      // Otherwise workers would wait for the leases of the processes of the previous part.
      await testbed.sql.query('delete from voice_processes');
    },
  };
}

function logReader(voices: readonly MeasuredProcess[]): CampaignProcesses['readLog'] {
  const question: VoiceQuestion = { ask: 'take-log' };
  let ended: DialedCall[] = [];
  return async () => {
    const answers = await Promise.all(voices.map((voice) => voice.exchange<VoiceAnswer>(question)));
    const seen = answers.flatMap(({ calls }) => calls);
    // A simulated process reports a live call again when it has ended.
    ended = [...ended, ...seen.filter(({ endedAtMs }) => endedAtMs !== null)];
    return [...ended, ...seen.filter(({ endedAtMs }) => endedAtMs === null)];
  };
}

/** Starts campaigns through the use case. */
export async function startAll(testbed: CampaignTestbed, campaignIds: readonly number[]): Promise<void> {
  for (const id of campaignIds) {
    const campaign = testbed.campaigns.get(id);
    if (!campaign) throw new Error(`Campaign ${id} was not seeded`);
    campaign.opensAtMs = Math.min(campaign.opensAtMs, systemClock.now());
    campaign.closesAtMs = Infinity;
    const result = await startCampaign(testbed.core, ownerOf(testbed), id);
    if (!result.isStarted) throw new Error(result.message);
  }
}

/** Stops campaigns; conversations may end normally. */
export async function stopAll(testbed: CampaignTestbed, campaignIds: readonly number[]): Promise<void> {
  for (const id of campaignIds) {
    await stopCampaign(testbed.core, ownerOf(testbed), { id, isHangingUp: false });
    const campaign = testbed.campaigns.get(id);
    if (campaign) campaign.closesAtMs = systemClock.now();
  }
}

function ownerOf({ userId }: CampaignTestbed): Identity {
  return { userId, role: 'operator', scopes: 'all', tokenId: null, timezone: 'UTC' };
}

const OPEN = `
  select (select count(*) from live_calls) + (select count(*) from deliveries where status = 'pending') as open`;

/** Resolves when no call is live and every webhook has arrived. */
export async function untilIdle({ sql }: CampaignTestbed): Promise<void> {
  for (;;) {
    const { rows } = await sql.query<{ open: number }>(OPEN);
    if (rows[0]?.open === 0) return;
    await pause(systemClock, 50);
  }
}

/** Processor time so far, microseconds. */
export async function cpuOf(
  { postgresPid }: CampaignTestbed,
  { workers, voices }: CampaignProcesses,
): Promise<{ worker: number; voice: number; postgres: number }> {
  const sum = async (processes: MeasuredProcess[]): Promise<number> => {
    const all = await Promise.all(processes.map((process) => process.figures()));
    return all.reduce((total, { cpuMicros }) => total + cpuMicros, 0);
  };
  return {
    worker: await sum(workers),
    voice: await sum(voices),
    postgres: await postgresCpuMicros(postgresPid),
  };
}

/** A real worker; resolves when it runs jobs. */
export async function startWorker(
  testbed: CampaignTestbed,
  environment: Record<string, string> = {},
): Promise<MeasuredProcess> {
  const [port = 0] = await freePorts(1);
  const worker = startMeasured('apps/worker/src/main.ts', {
    ...SECRETS,
    DATABASE_URL: testbed.databaseUrl,
    WORKER_PORT: String(port),
    WEBHOOK_ALLOW_PRIVATE: 'loopback',
    ...environment,
  });
  await untilAnswers(`http://127.0.0.1:${port}/readyz`);
  return worker;
}

/** A real api; resolves when it accepts requests. */
export async function startApi(testbed: CampaignTestbed): Promise<MeasuredProcess & { url: string }> {
  const [port = 0] = await freePorts(1);
  const api = startMeasured('apps/api/src/main.ts', {
    ...SECRETS,
    DATABASE_URL: testbed.databaseUrl,
    // The folder for recordings, of which there are none.
    DATA_DIR: tmpdir(),
    PORT: String(port),
  });
  const url = `http://127.0.0.1:${port}`;
  await untilAnswers(`${url}/readyz`);
  return { ...api, url };
}

/** A simulated voice process; resolves when it accepts calls. */
async function startVoiceDouble(
  testbed: CampaignTestbed,
  { capacity, talkMs }: VoiceDouble,
): Promise<MeasuredProcess> {
  const [port = 0] = await freePorts(1);
  const voice = startMeasured('tooling/bench/src/campaign-voice.ts', {
    ...SECRETS,
    DATABASE_URL: testbed.databaseUrl,
    VOICE_PORT: String(port),
    VOICE_CAPACITY: String(capacity),
    TALK_FROM_MS: String(talkMs.first),
    TALK_UNTIL_MS: String(talkMs.last),
  });
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    const { rows } = await testbed.sql.query('select 1 from voice_processes where url = $1', [url]);
    if (rows.length > 0) return voice;
    await pause(systemClock, 50);
  }
}

const READY_LIMIT_MS = 120_000;

async function untilAnswers(url: string): Promise<void> {
  const limitMs = systemClock.monotonic() + READY_LIMIT_MS;
  for (;;) {
    const isReady = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady) return;
    if (systemClock.monotonic() > limitMs) throw new Error(`${url} did not become ready`);
    await pause(systemClock, 50);
  }
}
