/**
 * Holds a caller who waits in the queue of a number: answers the leg, plays music, speaks the position, and asks core whose
 * turn it is. The wait ends when the caller is connected, hangs up, has waited as long as the queue allows, or when we hang
 * up. The database decides the order (core, lifecycle/inbound-queue.ts), so that it is the same for all processes.
 */
import type { StoredQueue } from '@parley/db';
import { DomainError, giveUpWaiting, takeTurn, type CallForVoice, type VoiceFence } from '@parley/core';
import { pause, type Log } from '@parley/runtime';
import type { CallLeg, LegEnd, LegEvent } from '@parley/telephony';
import { CallFacts, recordFailedCall } from '../call-facts.ts';
import type { HangUpRequest } from '../call-end.rules.ts';
import { LEG_END_LIMIT_MS } from '../call-session-options.ts';
import type { SlotReservation, QueueSlot } from '../live-calls.ts';
import { reportSipTrace } from '../sip-trace-report.ts';
import { legSettings } from '../trunk-address.ts';
import type { VoiceContext } from '../voice-context.ts';
import { QueuedLeg } from './queued-leg.ts';
import { QueueSound } from './queue-sound.ts';

/** A caller who has to wait. */
export interface WaitingCaller {
  call: CallForVoice;
  leg: CallLeg;
  queue: StoredQueue;
  fence: VoiceFence;
  queueSlot: QueueSlot;
}

/** A caller whose wait has ended with a connection, in a slot. */
export interface ConnectedCaller {
  call: CallForVoice;
  leg: CallLeg;
  slot: SlotReservation;
}

const DECLINE = 603;
/** How often core is asked, milliseconds: callers near the front of the queue, and all others. */
const LOOK_NEAR_MS = 500;
const LOOK_FAR_MS = 2_000;
/** Positions that count as near. */
const NEAR = 3;
/** Between an announcement and the music, milliseconds. */
const AFTER_ANNOUNCEMENT_MS = 300;
const LOST: HangUpRequest = { by: 'system', reason: 'process_lost' };
const FAILED: HangUpRequest = { by: 'system', reason: 'internal_error' };
/** The wait is over, and the overflow of the queue refuses the call. */
const TIMED_OUT: HangUpRequest = { by: 'limit', reason: 'queue_timeout' };

/**
 * Resolves with the caller when the call is to be held, and with null when it has ended and its end is stored.
 *
 * @throws SpeechError when the voice of its assistant is unavailable; the call is then recorded as failed
 */
export async function waitInQueue(
  voice: VoiceContext,
  caller: WaitingCaller,
): Promise<ConnectedCaller | null> {
  try {
    return await new QueueWait(voice, caller).run();
  } finally {
    caller.queueSlot.release();
  }
}

class QueueWait {
  readonly #voice: VoiceContext;
  readonly #caller: WaitingCaller;
  readonly #log: Log;
  readonly #facts: CallFacts;
  readonly #queued: QueuedLeg;
  /** Aborted when the caller no longer waits, whatever the reason. */
  readonly #over = new AbortController();
  #requested: HangUpRequest | null = null;
  #end: LegEnd | null = null;
  /** From 1; 0 until core has been asked. */
  #position = 0;
  /** Resolved when the position is known, or the wait is over. */
  readonly #isPlaced = Promise.withResolvers<void>();

  constructor(voice: VoiceContext, caller: WaitingCaller) {
    const { core } = voice;
    const { call, fence, leg } = caller;
    this.#voice = voice;
    this.#caller = caller;
    this.#log = core.log.child({ callId: call.callId });
    const onLost = (): void => this.#hangUp(LOST);
    this.#facts = new CallFacts({ core, callId: call.callId, fence, onLost });
    // Before anything uses the media: the codecs of the trunk decide about the sample rate.
    leg.allowCodecs?.(legSettings(call.trunk).codecs);
    this.#queued = new QueuedLeg(leg, (event) => this.#onLegEvent(event));
  }

  async run(): Promise<ConnectedCaller | null> {
    const { call, leg, queueSlot } = this.#caller;
    queueSlot.hold({
      callId: call.callId,
      state: () => 'queued',
      hangUp: (request) => this.#hangUp(request),
    });
    const sound = await this.#openSound();
    let connected: ConnectedCaller | null = null;
    try {
      if (!this.#over.signal.aborted) await leg.answer(legSettings(call.trunk));
      this.#voice.background.start('announce positions in a queue', () => this.#announce(sound));
      connected = await this.#untilConnected();
    } catch (error) {
      this.#log.error({ err: error }, 'A call in a queue failed and ends now');
      this.#hangUp(FAILED);
    } finally {
      this.#over.abort();
      this.#isPlaced.resolve();
      sound.stop();
    }
    await this.#facts.settled();
    if (!connected) await this.#storeEnd();
    return connected;
  }

  async #openSound(): Promise<QueueSound> {
    const { call, leg, queue, fence } = this.#caller;
    const { media } = leg;
    try {
      const signal = this.#over.signal;
      return new QueueSound({ voice: this.#voice, call, media, text: queue.text, log: this.#log, signal });
    } catch (error) {
      await recordFailedCall({ core: this.#voice.core, callId: call.callId, fence }, 'internal_error');
      throw error;
    }
  }

  #onLegEvent(event: LegEvent): void {
    if (event.type === 'answered') return this.#facts.note('queue_answered', {}, event.dialog ?? undefined);
    if (event.type === 'replaced') return this.#facts.note('far_end_replaced', {}, event.dialog);
    if (event.type === 'dialog-changed') return this.#facts.note('dialog_changed', {}, event.dialog);
    // There is no conversation yet that could go on with another party.
    if (event.type === 'referral') return event.referral.refuse(DECLINE);
    if (event.type !== 'ended') return;
    this.#end = event.end;
    this.#over.abort();
  }

  /** The first request decides the reason on the record. */
  #hangUp(request: HangUpRequest): void {
    this.#requested ??= request;
    this.#over.abort();
  }

  /** @returns null when the wait is over without a connection */
  async #untilConnected(): Promise<ConnectedCaller | null> {
    const { clock } = this.#voice.core;
    const deadlineMs = clock.monotonic() + this.#caller.queue.maxWaitSeconds * 1000;
    while (!this.#over.signal.aborted) {
      const { slot, lookAgainMs } = await this.#look();
      if (slot) return this.#connected(this.#caller.call, slot);
      const leftMs = deadlineMs - clock.monotonic();
      const answered = leftMs <= 0 ? await this.#giveUp() : null;
      if (answered) return answered;
      await pause(clock, leftMs > 0 ? Math.min(lookAgainMs, leftMs) : LOOK_FAR_MS, this.#over.signal);
    }
    return null;
  }

  /** Asks whose turn it is. While the database is unavailable, the caller goes on waiting. */
  async #look(): Promise<{ slot: SlotReservation | null; lookAgainMs: number }> {
    const { call, fence, queueSlot } = this.#caller;
    const taken: { slot: SlotReservation | null } = { slot: null };
    const takeSlot = (): boolean => (taken.slot = queueSlot.reserve()) !== null;
    try {
      const turn = await takeTurn(this.#voice.core, { callId: call.callId, fence, takeSlot });
      if (turn.isConnected) return { slot: taken.slot, lookAgainMs: 0 };
      taken.slot?.release();
      queueSlot.stall(turn.isStalled);
      this.#position = turn.position;
      this.#isPlaced.resolve();
      return { slot: null, lookAgainMs: turn.position <= NEAR ? LOOK_NEAR_MS : LOOK_FAR_MS };
    } catch (error) {
      taken.slot?.release();
      this.#takeFailure(error);
      return { slot: null, lookAgainMs: LOOK_FAR_MS };
    }
  }

  /** Core refuses: the call does not wait any more. Otherwise the database is unavailable, and is asked again. */
  #takeFailure(error: unknown): void {
    if (error instanceof DomainError) this.#hangUp(LOST);
    else this.#log.warn({ err: error }, 'The turn of a call in a queue could not be read');
  }

  #connected(call: CallForVoice, slot: SlotReservation): ConnectedCaller {
    slot.callId = call.callId;
    return { call, leg: this.#queued.leg, slot };
  }

  /** What the overflow of the queue says needs a slot too: it is a conversation. */
  async #giveUp(): Promise<ConnectedCaller | null> {
    const { call, fence, queueSlot, queue } = this.#caller;
    const slot = queue.overflow.type === 'reject' ? null : queueSlot.reserve();
    const overflow = slot ? queue.overflow : ({ type: 'reject' } as const);
    try {
      const answered = await giveUpWaiting(this.#voice.core, { callId: call.callId, fence, overflow });
      if (answered && slot) return this.#connected(answered, slot);
      this.#hangUp(TIMED_OUT);
    } catch (error) {
      this.#takeFailure(error);
    }
    slot?.release();
    return null;
  }

  /** Music, interrupted by the position, from the moment at which it is known. Never rejects. */
  async #announce(sound: QueueSound): Promise<void> {
    const { clock } = this.#voice.core;
    const everyMs = this.#caller.queue.announceEverySeconds * 1000;
    const { signal } = this.#over;
    await sound.playMusic();
    await this.#isPlaced.promise;
    while (!signal.aborted) {
      const spokenMs = await sound.announce(this.#position);
      await pause(clock, spokenMs + AFTER_ANNOUNCEMENT_MS, signal);
      await sound.playMusic();
      await pause(clock, everyMs, signal);
    }
  }

  /** Hangs up if the caller has not, and stores why the wait has ended. */
  async #storeEnd(): Promise<void> {
    const { core } = this.#voice;
    const { call, leg } = this.#caller;
    if (!this.#end) {
      const limit = new AbortController();
      await Promise.race([leg.hangUp(), pause(core.clock, LEG_END_LIMIT_MS, limit.signal)]);
      limit.abort();
    }
    const requested = this.#requested;
    const line = this.#end?.detail ?? null;
    const isTimeout = requested?.reason === TIMED_OUT.reason;
    if (requested && !isTimeout) this.#facts.event('failed', { detail: { reason: requested.reason, line } });
    else
      this.#facts.event('no-answer', {
        detail: { reason: isTimeout ? 'queue_timeout' : this.#reason(), line },
      });
    await this.#facts.settled();
    reportSipTrace(this.#voice, { call, leg, media: leg.media.stats() });
  }

  #reason(): 'left_queue' | 'line_lost' | 'caller_cancelled' {
    const cause = this.#end?.cause;
    if (cause === 'line-lost') return 'line_lost';
    return this.#position === 0 ? 'caller_cancelled' : 'left_queue';
  }
}
