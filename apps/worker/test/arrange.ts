/** Arranges tests of tasks: a worker context with fake voice processes and webhook receivers. */
import {
  authorizeDial,
  createEmbedder,
  finishCall,
  placeCall,
  planDial,
  recordCallEvent,
  registerVoiceProcess,
  type FinishCallInput,
  type VoiceFence,
} from '@parley/core';
import { statement, type Db, type StoredTurn } from '@parley/db';
import { systemClock, type Clock } from '@parley/runtime';
import { createGuardedClient } from '@parley/runtime/guarded-http';
import { countPerFile, createTestAssistant, createTestContext, createTestUser } from '@parley/testkit';
import { createNoiseFilter } from '@parley/speech/noise';
import { MAX_PAGE_BYTES } from '../src/documents/read-website.ts';
import { createVoiceClient } from '../src/voice-client.ts';
import type { WorkerContext } from '../src/worker-context.ts';
import { startFakeVoice, type FakeVoice } from './fake-voice.ts';

/** A worker, a user who can call, and one voice process with free capacity. */
export async function arrange(
  db: Db,
  {
    assistant: fields,
    ...options
  }: { clock?: Clock; recordingsDir?: string; assistant?: Record<string, unknown> } = {},
) {
  const core = createTestContext(db, options);
  const reachable = { forMs: 60_000 };
  const worker: WorkerContext = {
    core,
    voice: createVoiceClient('a secret'),
    webhooks: createGuardedClient({ clock: systemClock, allowPrivate: 'loopback' }),
    pages: createGuardedClient({
      clock: systemClock,
      allowPrivate: 'loopback',
      bodyLimitBytes: MAX_PAGE_BYTES,
    }),
    embedder: createEmbedder({ clock: core.clock, log: core.log }),
    embeddingsPerDay: 0,
    retention: {
      recordings: 0,
      transcripts: 0,
      callNumbers: 0,
      auditEntries: 0,
      apiRequests: 14,
      consents: 0,
      deliveries: 30,
      sipTraces: 7,
    },
    reachability: { start: async () => {}, stop: async () => {}, forMs: () => reachable.forMs },
    noise: createNoiseFilter({ clock: systemClock }),
  };
  const { identity } = await createTestUser(core);
  const assistant = await createTestAssistant(core, identity, fields);
  const voice = await startFakeVoice();
  const fence = await addVoiceProcess(worker, voice);
  const close = async (): Promise<void> => {
    await Promise.all([worker.voice.close(), worker.webhooks.close(), worker.pages.close()]);
    await worker.embedder.close();
    await Promise.all([worker.noise.stop(), voice.close()]);
  };
  return { worker, core, reachable, identity, assistant, voice, fence, close };
}

/** Registers a fake voice process as the only one with free capacity. */
export async function addVoiceProcess(worker: WorkerContext, voice: FakeVoice): Promise<VoiceFence> {
  await worker.core.db.query(statement('', 'update voice_processes set is_draining = true'));
  const registration = { url: voice.url, sipAddress: '127.0.0.1:5060', capacity: 10 };
  return registerVoiceProcess(worker.core, registration);
}

/** Waiting jobs of one kind for one call or delivery. */
export async function waitingJobs(
  db: Db,
  name: string,
  payload: Record<string, unknown>,
): Promise<{ runAt: Date }[]> {
  const find = statement<{ runAt: Date }>(
    '',
    `select j.run_at from graphile_worker._private_jobs j
     join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = $1 and j.payload::jsonb = $2::jsonb and j.locked_at is null`,
  );
  return db.query(find, [name, JSON.stringify(payload)]);
}

/** Removes every waiting job, as if a worker had taken them all. */
export async function takeJobs(db: Db): Promise<void> {
  await db.query(statement('', 'delete from graphile_worker._private_jobs'));
}

/** The dialog of an answered call, as telephony stores it. */
export const DIALOG = {
  callId: 'dialog',
  localTag: 'a',
  remoteTag: 'b',
  localUri: 'sip:a@127.0.0.1',
  remoteUri: 'sip:b@127.0.0.1',
  remoteTarget: 'sip:b@127.0.0.1:9',
  routeSet: [],
  localSequence: 1,
  transport: 'udp',
  destination: { host: '127.0.0.1', port: 9 },
};

type Arrangement = Awaited<ReturnType<typeof arrange>>;

const nextNumber = countPerFile();

/** A call that was placed and not dialed yet. */
export async function placeTestCall({ core, identity, assistant }: Arrangement): Promise<number> {
  const phoneNumber = `+12025550${110 + ((nextNumber() - 1) % 89)}`;
  const { callId } = await placeCall(core, identity, { phoneNumber, assistantId: assistant.id });
  return callId;
}

/** A live conversation on the voice process of this arrangement. */
export async function answerTestCall(about: Arrangement): Promise<number> {
  const { core, fence } = about;
  const callId = await placeTestCall(about);
  await planDial(core, callId);
  const { isAllowed } = await authorizeDial(core, { callId, fence });
  if (!isAllowed) throw new Error('The dial was refused');
  await recordCallEvent(core, {
    callId,
    event: 'answered',
    at: new Date(core.clock.now()),
    dialog: DIALOG,
    fence,
  });
  return callId;
}

/** A call whose conversation has ended and that is not completed yet. `turns`: none unless given. */
export async function finishTestCall(
  about: Arrangement,
  turns: StoredTurn[] = [],
  recording: FinishCallInput['recording'] = null,
): Promise<number> {
  const callId = await answerTestCall(about);
  await finishCall(about.core, {
    callId,
    event: 'customer-hung-up',
    at: new Date(about.core.clock.now()),
    transcript: 'AI: Hello.',
    turns,
    toolCalls: [],
    variables: {},
    recording,
    answeredBy: 'human',
    endedReason: 'customer_hung_up',
    fence: about.fence,
  });
  return callId;
}
