/** What tests of use cases stand on: a user with a line, an assistant and a voice process, in a database of the file's own. */
import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import type { AssistantRecord } from '@parley/contracts';
import { PhoneNumber, statement, Trunk, type Db } from '@parley/db';
import { ManualClock, silentLog } from '@parley/runtime';
import { countPerFile, createHostedModel, createTestAssistant } from '@parley/testkit';
import {
  authorizeDial,
  claimDeliveries,
  createCoreContext,
  createUser,
  placeCall,
  planDial,
  recordCallEvent,
  registerVoiceProcess,
  type CoreContext,
  type DueDelivery,
  type FinishCallInput,
  type Identity,
  type RecordingStorage,
  type VoiceFence,
} from '../src/index.ts';

/** Dialog of an answered call, as telephony would store it. */
export const DIALOG = { callId: 'dialog', localTag: 'a', remoteTag: 'b' };

export interface Arrangement {
  ctx: CoreContext;
  clock: ManualClock;
  /** An operator with the one test line. */
  identity: Identity;
  assistant: AssistantRecord;
  /** A registered voice process. */
  fence: VoiceFence;
}

/** Everything a call needs; whatever is in the database already belongs to others. */
export async function arrange(db: Db, assistantFields: Record<string, unknown> = {}): Promise<Arrangement> {
  const { ctx, clock } = makeContext(db);
  const identity = await makeUser(ctx);
  await makeTestLine(ctx, identity.userId);
  const assistant = await makeAssistant(ctx, identity, assistantFields);
  return { ctx, clock, identity, assistant, fence: await makeVoiceProcess(ctx) };
}

/** The same with an assistant whose calls can be evaluated; see {@link talkedEndOf}. */
export async function arrangeHosted(
  db: Db,
  assistantFields: Record<string, unknown> = {},
): Promise<Arrangement> {
  return arrange(db, { ...assistantFields, llm_model: await createHostedModel(makeContext(db).ctx) });
}

/** A context on a clock that stands still, with recordings that are nowhere. */
export function makeContext(
  db: Db,
  recordings: RecordingStorage = emptyStorage,
): { ctx: CoreContext; clock: ManualClock } {
  const clock = new ManualClock();
  const ctx = createCoreContext({
    db,
    clock,
    // One clock for both, unless a test sets them apart.
    databaseNow: async () => new Date(clock.now()),
    log: silentLog,
    recordings,
    secretKey: 'a secret key of at least 32 characters',
    publicUrl: 'https://parley.test/',
  });
  return { ctx, clock };
}

export async function makeUser(ctx: CoreContext): Promise<Identity> {
  const user = await createUser(ctx, { name: 'Ada', email: `${randomUUID()}@example.org`, role: 'operator' });
  return { userId: user.id, role: user.role, scopes: 'all', tokenId: null, timezone: 'UTC' };
}

/** The user's own line to fictional numbers. */
export async function makeTestLine(
  ctx: CoreContext,
  userId: number,
  fields: { host?: string; port?: number | null; otherHosts?: string[] } = {},
): Promise<number> {
  const trunk = await ctx.db.transaction(async ({ em }) =>
    em.create(Trunk, {
      userId,
      name: 'Test phones',
      host: fields.host ?? '127.0.0.1',
      port: fields.port === undefined ? 5070 : fields.port,
      otherHosts: fields.otherHosts ?? [],
      transport: 'udp',
      username: null,
      passwordSealed: null,
      reach: 'fictional',
      callerNumber: '+12025550100',
      maxCalls: null,
      isTest: true,
      createdAt: new Date(ctx.clock.now()),
    }),
  );
  return trunk.id;
}

/** A number of the user's own, on a line of its own. */
export async function makeNumber(
  { ctx, identity }: Pick<Arrangement, 'ctx' | 'identity'>,
  typeLabel: 'Normal' | 'Caller ID' = 'Normal',
): Promise<number> {
  const trunkId = await makeTestLine(ctx, identity.userId);
  const number = await ctx.db.transaction(async ({ em }) =>
    em.create(PhoneNumber, {
      userId: identity.userId,
      trunkId,
      phoneNumber: freshNumber(),
      countryCode: 'US',
      typeLabel,
      createdAt: new Date(ctx.clock.now()),
    }),
  );
  return number.id;
}

export async function makeAssistant(
  ctx: CoreContext,
  identity: Identity,
  fields: Record<string, unknown> = {},
): Promise<AssistantRecord> {
  return createTestAssistant(ctx, identity, { timezone: 'Europe/Berlin', ...fields });
}

/** Many calls fit; no other process has the address. */
export async function makeVoiceProcess(ctx: CoreContext, capacity = 1000): Promise<VoiceFence> {
  const url = `http://voice-${randomUUID()}.test`;
  const fence = await registerVoiceProcess(ctx, { url, sipAddress: '127.0.0.1:5060', capacity });
  // It renews its lease for as long as any test lasts.
  const renew = statement(
    '',
    `update voice_processes set lease_until = now() + interval '1 day' where id = $1`,
  );
  await ctx.db.query(renew, [fence.processId]);
  return fence;
}

/** A voice process that died: its row is gone, as after the sweep or a new start at its address. */
export async function killVoiceProcess(ctx: CoreContext, fence: VoiceFence): Promise<void> {
  await ctx.db.query(statement('', 'delete from voice_processes where id = $1'), [fence.processId]);
}

/** A voice process whose lease has run out. */
export async function silenceVoiceProcess(ctx: CoreContext, fence: VoiceFence): Promise<void> {
  const silence = statement(
    '',
    `update voice_processes set lease_until = now() - interval '1 second' where id = $1`,
  );
  await ctx.db.query(silence, [fence.processId]);
}

const nextNumber = countPerFile();

/** A fictional number that was not called yet. */
export function freshNumber(): string {
  const numbers = nextNumber();
  const area = 200 + Math.floor(numbers / 100);
  return `+1${area}55501${String(numbers % 100).padStart(2, '0')}`;
}

/** Placed, not dialed. */
export async function makeCall(about: Arrangement, phoneNumber = freshNumber()): Promise<number> {
  const { ctx, identity, assistant } = about;
  const { callId } = await placeCall(ctx, identity, {
    phoneNumber,
    assistantId: assistant.id,
    variables: { name: 'Bo' },
  });
  return callId;
}

/** Meant for the arrangement's process; the INVITE has not left. */
export async function makeIntendedCall(about: Arrangement): Promise<number> {
  const callId = await makeCall(about);
  await intendFor(about.ctx, callId, about.fence);
  return callId;
}

/** Other tests' processes may have more free slots, so the intent is written by hand after planning. */
export async function intendFor(ctx: CoreContext, callId: number, fence: VoiceFence): Promise<void> {
  await planDial(ctx, callId);
  const intend = statement('', 'update live_calls set voice_process_id = $2 where call_id = $1');
  await ctx.db.query(intend, [callId, fence.processId]);
}

/** The INVITE has left. */
export async function makeDialedCall(about: Arrangement): Promise<number> {
  const callId = await makeIntendedCall(about);
  const verdict = await authorizeDial(about.ctx, { callId, fence: about.fence });
  if (!verdict.isAllowed) throw new Error(`The dial was refused: ${verdict.reason}`);
  return callId;
}

/** Talking since the clock's now. */
export async function makeAnsweredCall(about: Arrangement): Promise<number> {
  const callId = await makeDialedCall(about);
  const at = new Date(about.clock.now());
  await recordCallEvent(about.ctx, { callId, event: 'answered', at, dialog: DIALOG, fence: about.fence });
  return callId;
}

/** What a voice process reports at the end of a conversation. */
export function endOf(about: Arrangement, callId: number): FinishCallInput {
  return {
    callId,
    event: 'customer-hung-up',
    at: new Date(about.clock.now()),
    transcript: 'AI: Hello.\nCustomer: Hi.',
    turns: [
      {
        sender: 'bot',
        startedAtMs: about.clock.now(),
        startMs: 0,
        endMs: 900,
        text: 'Hello.',
        isInterrupted: false,
        latencyMs: {},
      },
    ],
    toolCalls: [],
    variables: { mood: 'good' },
    recording: null,
    answeredBy: 'human',
    endedReason: 'customer_hung_up',
    used: [
      {
        stage: 'voice',
        name: 'A voice',
        providerId: null,
        unit: 'character',
        quantity: 6,
        isEstimated: false,
      },
    ],
    fence: about.fence,
  };
}

/** The end of a conversation in which the customer has said something. */
export function talkedEndOf(about: Arrangement, callId: number): FinishCallInput {
  const end = endOf(about, callId);
  const said = end.turns.map((turn) => ({ ...turn, sender: 'human' as const, text: 'Hi.' }));
  return { ...end, turns: [...end.turns, ...said] };
}

/** The jobs of one kind that wait in the queue for a call or a delivery. */
export async function waitingJobs(
  ctx: CoreContext,
  name: string,
  payload: Record<string, unknown>,
): Promise<number> {
  const count = statement<{ jobs: number }>(
    '',
    `select count(*) as jobs from graphile_worker._private_jobs j
     join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = $1 and j.payload::jsonb = $2::jsonb`,
  );
  const [row] = await ctx.db.query(count, [name, JSON.stringify(payload)]);
  return row?.jobs ?? 0;
}

const emptyWriter = { write: async () => undefined, close: async () => undefined };
const emptyStorage: RecordingStorage = {
  createWriter: async () => emptyWriter,
  continueWriter: async () => ({ writer: emptyWriter, sizeBytes: 0 }),
  createReplacement: async () => emptyWriter,
  replace: async () => undefined,
  open: () => new PassThrough(),
  size: async () => null,
  remove: async () => undefined,
};

const releaseOthers = statement(
  '',
  `update deliveries set stage = 'due', claimed_by = null, claimed_at = null
   where stage = 'sending' and claimed_by = $1 and id <> $2`,
);

/** Claims one delivery by the name `tester`; whatever else was due is due again. */
export async function claimDelivery(ctx: CoreContext, deliveryId: string): Promise<DueDelivery | null> {
  const wanted = { claimer: CLAIMER, count: 1000, perReceiver: 1000 };
  const claimed = await claimDeliveries(ctx, wanted);
  await ctx.db.query(releaseOthers, [CLAIMER, deliveryId]);
  return claimed.find(({ id }) => id === deliveryId) ?? null;
}

/** Whose claims {@link claimDelivery} makes. */
export const CLAIMER = 'tester';
