/**
 * Goes on with the calls of a voice process that was lost: claims them, moves their media here with a re-INVITE, and continues
 * their conversations. A call that cannot go on ends as every call of a lost process: with BYE and `process_lost`.
 */
import {
  closeLostCall,
  loadCallForVoice,
  loadInterruptedCall,
  takeOverCalls,
  type CallForVoice,
  type InterruptedCall,
  type TakenCall,
} from '@parley/core';
import type { CallLeg, StoredDialog } from '@parley/telephony';
import type { StoredConversation } from './call-conversations.ts';
import type { HangUpRequest } from './call-end.rules.ts';
import { CallReporter } from './call-reporter.ts';
import { type CallSession } from './call-session.ts';
import { NOT_TALKING } from './call-session-options.ts';
import type { ResumedCallState } from './resumed-call.ts';
import type { LiveCall, SlotReservation } from './live-calls.ts';
import { openSession } from './open-session.ts';
import type { CallSupervision } from './supervision/call-supervision.ts';
import { trunkAddress } from './trunk-address.ts';
import type { VoiceContext } from './voice-context.ts';

/** How long the far end may take to accept our media, milliseconds. */
const RESUME_LIMIT_MS = 20_000;

/** A process that is lost. `endedAt`: when its supervisor saw it end; null: only its lease has run out. */
export interface LostProcess {
  processId: string;
  endedAt: Date | null;
}

/**
 * Takes as many of its calls as there are free slots.
 *
 * @returns the number of calls that belong to this process now
 */
export async function takeOverFrom(voice: VoiceContext, lost: LostProcess): Promise<number> {
  const slots = reserveAll(voice);
  try {
    const { processId: lostProcessId, endedAt } = lost;
    const about = { fence: voice.lease.fence(), lostProcessId, endedAt, limit: slots.length };
    const taken = await takeOverCalls(voice.core, about);
    resumeCalls(voice, taken);
    return taken.length;
  } finally {
    // In the registry, a call occupies its slot itself.
    for (const slot of slots) slot.release();
  }
}

/** All free slots, so that no call begins in one of them meanwhile. */
function reserveAll({ calls }: VoiceContext): SlotReservation[] {
  return Array.from({ length: calls.free }).flatMap(() => calls.reserve() ?? []);
}

/** Goes on with calls that belong to this process now. They are in `voice.calls` when this returns. */
export function resumeCalls(voice: VoiceContext, taken: readonly TakenCall[]): void {
  if (taken.length > 0)
    voice.core.log.warn({ calls: taken.length }, 'Calls of a lost voice process go on in this one');
  for (const one of taken) {
    const call = new ResumedCall(voice, one);
    voice.calls.add(call);
    voice.background.start('go on with a call of a lost process', async () => {
      await call.run().catch((error: unknown) => call.fail(error));
      voice.calls.remove(call);
    });
  }
}

class ResumedCall implements LiveCall {
  readonly callId: number;
  readonly #voice: VoiceContext;
  readonly #taken: TakenCall;
  readonly #fence;
  #leg: CallLeg | null = null;
  #session: CallSession | null = null;
  #requested: HangUpRequest | null = null;
  /** Yet another process goes on with the call. */
  #isAbandoned = false;

  constructor(voice: VoiceContext, taken: TakenCall) {
    this.#voice = voice;
    this.#taken = taken;
    this.#fence = voice.lease.fence();
    this.callId = taken.callId;
  }

  state(): string {
    return this.#session?.state() ?? 'opening';
  }

  hangUp(request: HangUpRequest): void {
    this.#requested ??= request;
    this.#session?.hangUp(request);
  }

  abandon(): void {
    this.#isAbandoned = true;
    if (this.#session) this.#session.abandon();
    else this.#leg?.abandon?.();
  }

  supervision(): CallSupervision | null {
    return this.#session?.supervision ?? null;
  }

  transfer(destination: string): string | null {
    return this.#session ? this.#session.transfer(destination) : NOT_TALKING;
  }

  async run(): Promise<void> {
    const { core } = this.#voice;
    const [call, interrupted] = await Promise.all([
      loadCallForVoice(core, this.callId),
      loadInterruptedCall(core, this.callId),
    ]);
    // Before everything else, because the far end hears nothing until then.
    const leg = this.#requested || this.#isAbandoned ? null : this.#openLeg(call, interrupted);
    this.#leg = leg;
    const about = { voice: this.#voice, call, resumed: this.#stateOf(interrupted) };
    const session = leg && (await openSession(about, () => leg));
    if (!session) return this.#giveUp();
    this.#session = session;
    if (this.#isAbandoned) session.abandon();
    session.start();
    if (this.#requested) session.hangUp(this.#requested);
    await session.finished;
  }

  /** A failure before the call had a session. */
  async fail(error: unknown): Promise<void> {
    this.#voice.core.log.error({ err: error, callId: this.callId }, 'A call of a lost process cannot go on');
    if (this.#leg && !this.#session)
      this.#voice.background.start('hang up a leg without a session', this.#leg.hangUp.bind(this.#leg));
    await this.#giveUp();
  }

  /** The lost process has stored conversation and answer; the claim has checked that both exist. */
  #stateOf({ progress, answeredAt }: InterruptedCall): ResumedCallState {
    return {
      progress,
      conversation: progress.conversation as StoredConversation,
      answeredAtMs: answeredAt.getTime(),
      interruptedAtMs: this.#taken.interruptedAt.getTime(),
    };
  }

  #openLeg(call: CallForVoice, { dialog }: InterruptedCall): CallLeg {
    const { type, trunk, assistantPhoneNumber: assistant, clientPhoneNumber: client } = call;
    if (!trunk) throw new Error('The trunk of a call was removed');
    const isOutbound = type === 'outbound';
    return this.#voice.endpoint.resume({
      dialog: dialog as StoredDialog,
      direction: isOutbound ? 'outbound' : 'inbound',
      from: isOutbound ? assistant : client,
      to: isOutbound ? client : assistant,
      trunk: trunkAddress(trunk),
      limitMs: RESUME_LIMIT_MS,
    });
  }

  /** BYE and the record, however long the database takes; not if another process has the call. */
  async #giveUp(): Promise<void> {
    const { core } = this.#voice;
    const log = core.log.child({ callId: this.callId });
    const reporter = new CallReporter({ clock: core.clock, log, onRefused: () => undefined });
    reporter.report({ name: 'process_lost', store: () => closeLostCall(core, this.callId, this.#fence) });
    await reporter.settled();
  }
}
