/**
 * The whole dialer at work: claim, hand-over, permission, answer, end, evaluation stub, webhook, lead settled. Real
 * workers, real Postgres; the voice processes are doubles without sound, so that the dialer is what is measured.
 */
import { judge, readFacts, type Evidence, type WireCall } from '@parley/chaos';
import { startCampaign, stopCampaign, type Identity } from '@parley/core';
import { pause, systemClock } from '@parley/runtime';
import { startVoiceDouble, startWorker, type CampaignGround, type VoiceDouble } from './campaign-ground.ts';
import { seedCampaigns } from './campaign-seed.ts';
import type { DialedCall, VoiceAnswer, VoiceQuestion } from './campaign-voice.ts';
import type { MeasuredProcess } from './measured-process.ts';
import { postgresCpuMicros } from './postgres-cpu.ts';

/** The four sins, counted. All zero, or no rate counts. */
export type Correctness = Record<'lost' | 'twice' | 'overCap' | 'outsideWindow', number>;

/** What it took to dial a campaign to its end. */
export interface DialingFigures {
  workers: number;
  voices: number;
  leads: number;
  leadsPerSecond: number;
  /** Processor time per lead, milliseconds. */
  cpuMs: { worker: number; voice: number; postgres: number; all: number };
  correctness: Correctness;
}

/** Processes that dial. */
export interface Crew {
  workers: MeasuredProcess[];
  voices: MeasuredProcess[];
  dismiss(): Promise<void>;
}

/** Hires real workers and voice doubles. */
export async function hireCrew(
  ground: CampaignGround,
  plan: { workers: number; voices: number; voice: VoiceDouble; environment?: Record<string, string> },
): Promise<Crew> {
  const workers: MeasuredProcess[] = [];
  const voices: MeasuredProcess[] = [];
  for (let count = 0; count < plan.voices; count++) voices.push(await startVoiceDouble(ground, plan.voice));
  for (let count = 0; count < plan.workers; count++) {
    workers.push(await startWorker(ground, plan.environment));
  }
  return {
    workers,
    voices,
    async dismiss() {
      await Promise.all([...workers, ...voices].map((process) => process.stop()));
      // Their leases would make others wait for them.
      await ground.sql.query('delete from voice_processes');
    },
  };
}

/** Calls seen by the doubles since the last time this was asked. */
export async function takeLog({ voices }: Crew): Promise<DialedCall[]> {
  const question: VoiceQuestion = { ask: 'take-log' };
  const answers = await Promise.all(voices.map((voice) => voice.exchange<VoiceAnswer>(question)));
  return answers.flatMap(({ calls }) => calls);
}

/** Starts campaigns as their owner does. */
export async function startAll(ground: CampaignGround, campaignIds: readonly number[]): Promise<void> {
  for (const id of campaignIds) {
    const result = await startCampaign(ground.core, ownerOf(ground), id);
    if (!result.isStarted) throw new Error(result.message);
  }
}

/** Stops campaigns; calls that talk may end. */
export async function stopAll(ground: CampaignGround, campaignIds: readonly number[]): Promise<void> {
  for (const id of campaignIds) await stopCampaign(ground.core, ownerOf(ground), { id, isHangingUp: false });
}

function ownerOf({ userId }: CampaignGround): Identity {
  return { userId, role: 'operator', scopes: 'all', tokenId: null, timezone: 'UTC' };
}

const OPEN = `
  select (select count(*) from campaigns where id = any($1) and status = 'in-progress')
    + (select count(*) from deliveries where status = 'pending') as open`;
const END_LIMIT_MS = 600_000;

/** Resolves when the campaigns are complete and every webhook has arrived. */
async function untilComplete(ground: CampaignGround, campaignIds: readonly number[]): Promise<void> {
  const limitMs = systemClock.monotonic() + END_LIMIT_MS;
  for (;;) {
    const { rows } = await ground.sql.query<{ open: number }>(OPEN, [campaignIds]);
    if (rows[0]?.open === 0) return;
    if (systemClock.monotonic() > limitMs) throw new Error('The campaigns do not come to an end');
    await pause(systemClock, 50);
  }
}

/** Dials one campaign to its end, after a small one that warms everything up. */
export async function measureDialing(
  ground: CampaignGround,
  plan: { workers: number; voices: number; leads: number; cap: number },
): Promise<DialingFigures> {
  const voice = { capacity: plan.cap * 2, talkMs: { first: 0, last: 20 } };
  const crew = await hireCrew(ground, { ...plan, voice });
  try {
    const warm = await seedCampaigns(ground, 1, { waiting: 100, cap: plan.cap });
    await startAll(ground, warm);
    await untilComplete(ground, warm);
    await takeLog(crew);
    const ids = await seedCampaigns(ground, 1, { waiting: plan.leads, cap: plan.cap });
    const before = await cpuOf(ground, crew);
    const startedMs = systemClock.monotonic();
    await startAll(ground, ids);
    await untilComplete(ground, ids);
    const seconds = (systemClock.monotonic() - startedMs) / 1000;
    const after = await cpuOf(ground, crew);
    const [worker, voiceMs, postgres] = (['worker', 'voice', 'postgres'] as const).map(
      (name) => (after[name] - before[name]) / plan.leads / 1000,
    ) as [number, number, number];
    return {
      workers: plan.workers,
      voices: plan.voices,
      leads: plan.leads,
      leadsPerSecond: plan.leads / seconds,
      cpuMs: { worker, voice: voiceMs, postgres, all: worker + voiceMs + postgres },
      correctness: await checkCalls(ground, { ids, cap: plan.cap, log: await takeLog(crew) }),
    };
  } finally {
    await crew.dismiss();
  }
}

/** Processor time so far, microseconds. */
export async function cpuOf(
  { postgresPid }: CampaignGround,
  { workers, voices }: Crew,
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

/** What the carrier saw against what the database says: the judge of the chaos test. */
async function checkCalls(
  ground: CampaignGround,
  { ids, cap, log }: { ids: readonly number[]; cap: number; log: readonly DialedCall[] },
): Promise<Correctness> {
  const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await ground.sql.query(text, [...values])).rows as Row[];
  const { calls, leads, completeIds } = await readFacts({ query }, ids);
  const wire = log.map(({ number, invitedAtMs, endedAtMs }, index): WireCall => ({
    sipCallId: String(index),
    number,
    invitedAtMs,
    endedAtMs,
  }));
  const always = { rounds: 1, opensAtMs: -Infinity, closesAtMs: Infinity };
  const campaigns = ids.map((id) => ({ id, cap, ...always, isComplete: completeIds.includes(id) }));
  const evidence: Evidence = { wire, calls, leads, campaigns };
  const { lost, twice, overCap, outsideWindow } = judge(evidence);
  return {
    lost: lost.length,
    twice: twice.length,
    overCap: overCap.length,
    outsideWindow: outsideWindow.length,
  };
}
