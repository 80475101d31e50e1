/**
 * A voice process without a network, for tests: a real database, a fake endpoint, fake speech and a clock that the test
 * moves.
 */
import { randomUUID } from 'node:crypto';
import type { AssistantRecord } from '@parley/contracts';
import { placeCall, planDial, type CoreContext, type Identity, type PlaceCallInput } from '@parley/core';
import { statement, type Db } from '@parley/db';
import { BackgroundWork, ManualClock } from '@parley/runtime';
import {
  createFakeDetector,
  createFakeModel,
  createFakeRecogniser,
  createFakeSynthesiser,
  type FakeAnswer,
} from '@parley/speech/fakes';
import { FakeEndpoint } from '@parley/telephony/fakes';
import {
  countPerFile,
  captureLog,
  createTestAssistant,
  createTestContext,
  createTestUser,
  type LogLine,
} from '@parley/testkit';
import type { CallEngines, Engines } from '../src/engines.ts';
import type { Evaluations } from '../src/evaluation/evaluations.ts';
import { VoiceLease } from '../src/lease.ts';
import { LiveCalls } from '../src/live-calls.ts';
import { TrunkAddresses } from '../src/trunk-addresses.ts';
import { createAgentSockets } from '../src/stream/agent-sockets.ts';
import { CallUsage } from '../src/usage/call-usage.ts';
import type { VoiceContext } from '../src/voice-context.ts';

/** Options of a test. */
export interface VoiceOptions {
  capacity?: number;
  /** Fields of the assistant, as the API names them. */
  assistant?: Record<string, unknown>;
  /** The folder of recordings; without it, nothing can be recorded. */
  recordingsDir?: string;
  /** Plays an ambient sound during every call. */
  withAmbience?: boolean;
  /** The answers of the model, in order. */
  answers?: readonly FakeAnswer[];
  /** What the recogniser understands, in order; without it, there is no recogniser. */
  utterances?: readonly string[];
}

/** A registered voice process and an assistant whose calls it can hold. */
export interface ArrangedVoice {
  voice: VoiceContext;
  core: CoreContext;
  clock: ManualClock;
  endpoint: FakeEndpoint;
  identity: Identity;
  assistant: AssistantRecord;
  engines: FakeEngines;
  log: readonly LogLine[];
}

/** Counts what was opened and released. */
class FakeEngines implements Partial<Engines> {
  opened = 0;
  released = 0;
  /** Thrown instead of opening engines. */
  fault: Error | null = null;
  /** Thrown when a conversation requests its engines. */
  conversationFault: Error | null = null;
  /** Thrown by the voice activity detector from now on. */
  detectorFault: Error | null = null;
  /** Samples of the ambient sound of every assistant. */
  ambience: Int16Array | null = null;
  /** Samples of the music for callers who wait. */
  readonly music = new Int16Array(8_000).fill(2);
  readonly ambientSounds = {
    loop: async () => this.ambience,
    holdMusic: async () => this.music,
  } as unknown as Engines['ambientSounds'];
  readonly #clock: ManualClock;
  readonly #answers: readonly FakeAnswer[];
  readonly #utterances: readonly string[] | undefined;

  constructor(clock: ManualClock, { answers = [], utterances }: VoiceOptions) {
    this.#clock = clock;
    this.#answers = answers;
    this.#utterances = utterances;
  }

  forPerson(_speaker: unknown, { usage, model }: Parameters<Engines['forPerson']>[1]): CallEngines {
    return { ...this.forCall(null, usage), model };
  }

  forCall(_setup: unknown, usage = new CallUsage()): CallEngines {
    if (this.fault) throw this.fault;
    this.opened += 1;
    const clock = this.#clock;
    const model = createFakeModel({ clock, answers: this.#answers });
    const detector = createFakeDetector();
    const { conversationFault } = this;
    const utterances = this.#utterances;
    return {
      get recogniser() {
        if (conversationFault) throw conversationFault;
        return utterances ? createFakeRecogniser({ clock, utterances }) : null;
      },
      vad: {
        ...detector,
        open: (onWindow) => {
          if (this.detectorFault) throw this.detectorFault;
          return detector.open(onWindow);
        },
      },
      model: usage.model(model, { name: 'Fake model', providerId: null }),
      synthesiser: createFakeSynthesiser({ clock, msPerCharacter: 10 }),
      usage,
      release: () => {
        this.released += 1;
      },
    };
  }
}

/** Everything a call needs. */
export async function arrangeVoice(db: Db, options: VoiceOptions = {}): Promise<ArrangedVoice> {
  const clock = new ManualClock();
  const { log, lines } = captureLog();
  const { recordingsDir } = options;
  // A copy, so that a test can make its own database fail.
  const core = createTestContext({ ...db }, { clock, log, ...(recordingsDir ? { recordingsDir } : {}) });
  const { identity } = await createTestUser(core);
  const assistant = await createTestAssistant(core, identity, {
    initial_message_delay: 0,
    ...options.assistant,
  });
  const engines = new FakeEngines(clock, options);
  if (options.withAmbience) engines.ambience = new Int16Array(8_000).fill(1);
  const endpoint = new FakeEndpoint();
  const calls = new LiveCalls(options.capacity ?? 10);
  const voice: VoiceContext = {
    core,
    background: new BackgroundWork(log),
    lease: await startLease(core, calls),
    calls,
    engines: engines as unknown as Engines,
    evaluations: {} as Evaluations,
    replies: {} as VoiceContext['replies'],
    endpoint,
    webRtc: null,
    trunkAddresses: new TrunkAddresses(core, async () => []),
    owners: { send: async () => ({ error: 'No server is asked in this test' }) },
    http: {} as VoiceContext['http'],
    agents: createAgentSockets('loopback'),
    embedder: {} as VoiceContext['embedder'],
    ringLimitMs: 45_000,
  };
  return { voice, core, clock, endpoint, identity, assistant, engines, log: lines };
}

const holdLease = statement(
  '',
  `update voice_processes set lease_until = now() + interval '1 day' where id = $1`,
);

/** A lease that outlasts the test even if the test advances its clock. */
async function startLease(core: CoreContext, calls: LiveCalls): Promise<VoiceLease> {
  const lease = new VoiceLease({
    core: { ...core, clock: new ManualClock() },
    url: `http://voice-${randomUUID()}.test`,
    sipAddress: '127.0.0.1:5060',
    capacity: calls.capacity,
    recognition: () => ({ detector: 'silero', recognisedLanguages: {} }),
    load: () => ({ activeCalls: calls.size, isDraining: calls.isDraining, admittedCalls: calls.capacity }),
    onFenced: async () => calls.hangUpAll({ by: 'system', reason: 'process_lost' }),
    onRegistered: () => undefined,
  });
  await lease.start();
  await core.db.query(holdLease, [lease.fence().processId]);
  return lease;
}

const assignCall = statement('', 'update live_calls set voice_process_id = $2 where call_id = $1');

const nextNumber = countPerFile();

/** A fictional number that no test has called yet. */
export function freshNumber(): string {
  const numbers = nextNumber();
  return `+1${200 + Math.floor(numbers / 100)}55501${String(numbers % 100).padStart(2, '0')}`;
}

/** An outbound call that was handed over to this process; its INVITE has not left. */
export async function placeOutboundCall(
  { core, identity, assistant, voice }: ArrangedVoice,
  { phoneNumber = freshNumber(), ...changes }: Partial<PlaceCallInput> = {},
): Promise<number> {
  const { callId } = await placeCall(core, identity, {
    phoneNumber,
    assistantId: assistant.id,
    variables: {},
    ...changes,
  });
  await planDial(core, callId);
  await core.db.query(assignCall, [callId, voice.lease.fence().processId]);
  return callId;
}

/** The stored record of a call. */
export interface StoredEnd {
  status: string;
  endedReason: string | null;
  isLive: boolean;
}

const selectEnd = statement<StoredEnd>(
  '',
  `select c.status, c.ended_reason, exists (select 1 from live_calls l where l.call_id = c.id) as is_live
   from calls c where c.id = $1`,
);

/** The call's state in the database. */
export async function storedEnd(core: CoreContext, callId: number): Promise<StoredEnd | undefined> {
  return (await core.db.query(selectEnd, [callId]))[0];
}

const selectTimeline = statement<{ type: string; detail: Record<string, unknown> }>(
  '',
  'select type, detail from call_events where call_id = $1 order by id',
);

/** The call's timeline. */
export async function timeline(
  core: CoreContext,
  callId: number,
): Promise<{ type: string; detail: Record<string, unknown> }[]> {
  return core.db.query(selectTimeline, [callId]);
}
