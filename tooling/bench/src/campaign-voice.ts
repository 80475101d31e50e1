/**
 * A simulated voice process without audio, for `bench:campaign`. It holds a lease, implements the private contract, and
 * calls core at each step of a call as the real process does. Instead of SIP, a phone rings, answers and hangs up after
 * given times. It also acts as the carrier and records what was dialed and when.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  authorizeDial,
  createCoreContext,
  diskStorage,
  DomainError,
  finishCall,
  LEASE_RENEWAL_MS,
  loadCallForVoice,
  recordCallEvent,
  registerVoiceProcess,
  renewLease,
  type VoiceFence,
} from '@parley/core';
import { openDatabase } from '@parley/db';
import { pause, silentLog, systemClock } from '@parley/runtime';
import { exitWith } from './exit-with.ts';

/** One call in the record of the carrier. Wall clock, milliseconds. */
export interface DialedCall {
  number: string;
  /** Time of the hand-over. */
  takenAtMs: number;
  /** Time of the permission, at which the INVITE would be sent. */
  invitedAtMs: number;
  /** Time of the hang-up; null for a live call. */
  endedAtMs: number | null;
}

/** The requests of the benchmark to this process, and the responses. */
export type VoiceQuestion = { ask: 'take-log' };
/** See {@link VoiceQuestion}. */
export interface VoiceAnswer {
  calls: DialedCall[];
}

const RETRY_MS = 250;
const HANG_UP = {
  event: 'customer-hung-up' as const,
  transcript: 'AI: Hello, this is a call.\nCustomer: I see.',
  turns: [],
  toolCalls: [],
  variables: {},
  recording: null,
  answeredBy: 'human' as const,
  endedReason: 'customer_hung_up' as const,
};

const environment = process.env;
const port = Number(environment['VOICE_PORT']);
const capacity = Number(environment['VOICE_CAPACITY']);
const talk = { first: Number(environment['TALK_FROM_MS']), last: Number(environment['TALK_UNTIL_MS']) };

const core = createCoreContext({
  db: openDatabase({ url: environment['DATABASE_URL'] ?? '', log: silentLog, poolSize: 10 }),
  clock: systemClock,
  log: silentLog,
  secretKey: environment['SECRET_KEY'] ?? '',
  recordings: diskStorage('/nonexistent'),
});
const live = new Set<number>();
let calls: DialedCall[] = [];
let fence: VoiceFence = { processId: '' };

async function carry(callId: number): Promise<void> {
  const takenAtMs = systemClock.now();
  const call = await loadCallForVoice(core, callId).catch((error: unknown) => {
    // A stop ends calls that were handed over but not dialed yet.
    if (error instanceof DomainError && error.kind === 'not-found') return null;
    throw error;
  });
  if (!call) return;
  const verdict = await authorizeDial(core, { callId, fence });
  if (!verdict.isAllowed) return;
  const dialed: DialedCall = {
    number: call.clientPhoneNumber,
    takenAtMs,
    invitedAtMs: systemClock.now(),
    endedAtMs: null,
  };
  calls.push(dialed);
  const about = (): { callId: number; at: Date; fence: VoiceFence } => ({ callId, at: new Date(), fence });
  const [ringing, answered] = [about(), about()];
  await untilStored(() => recordCallEvent(core, { ...ringing, event: 'ringing' }));
  await untilStored(() => recordCallEvent(core, { ...answered, event: 'answered' }));
  await pause(systemClock, talk.first + Math.random() * (talk.last - talk.first));
  dialed.endedAtMs = systemClock.now();
  const end = { ...about(), ...HANG_UP };
  await untilStored(() => finishCall(core, end));
}

/** Repeats a report until it is stored, as the real process does. */
async function untilStored(store: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await store();
      return;
    } catch (error) {
      process.stderr.write(`Not stored yet: ${String(error)}\n`);
      await pause(systemClock, RETRY_MS);
    }
  }
}

/** 202 taken, 409 fenced, 503 full: contracts, internal.ts. */
async function takeCall(callId: number, request: IncomingMessage): Promise<number> {
  const { process_id } = JSON.parse(await text(request)) as { process_id: string };
  if (process_id !== fence.processId) return 409;
  if (live.has(callId)) return 202;
  if (live.size >= capacity) return 503;
  live.add(callId);
  carry(callId)
    .catch((error: unknown) => process.stderr.write(`Call ${callId}: ${String(error)}\n`))
    .finally(() => live.delete(callId));
  return 202;
}

const server = createServer((request, response) => {
  serve(request, response).catch(exitWith);
});

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const callId = Number(/^\/internal\/calls\/(\d+)$/.exec(request.url ?? '')?.[1] ?? 0);
  const status = request.method === 'PUT' && callId > 0 ? await takeCall(callId, request) : 202;
  response.writeHead(status, { 'content-type': 'application/json' }).end('{"state":"taken"}');
}

async function keepLease(): Promise<void> {
  for (;;) {
    await pause(core.clock, LEASE_RENEWAL_MS);
    const load = { activeCalls: live.size, isDraining: false };
    await renewLease(core, { ...fence, ...load }).catch(() => false);
  }
}

process.on('message', (question: VoiceQuestion | string) => {
  if (typeof question === 'string') return;
  // Live calls are in a later response, when they have ended.
  const answer: VoiceAnswer = { calls };
  calls = calls.filter((call) => call.endedAtMs === null);
  process.send?.(answer);
});
for (const end of ['SIGTERM', 'disconnect']) process.on(end, () => process.exit(0));

server.listen(port, '127.0.0.1');
const url = `http://127.0.0.1:${port}`;
fence = await registerVoiceProcess(core, { url, sipAddress: '127.0.0.1:5060', capacity });
await keepLease();
