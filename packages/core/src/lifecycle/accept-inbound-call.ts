/**
 * An inbound call: which number it calls, whether it may come from where it came, and what answers it. Enters the
 * call's life cycle at step 5.
 */
import { isUniqueViolation, type StoredCallerIdentity, type StoredQueue, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { countryOfNumber, readUserPart } from '../shared/phone-number.ts';
import type { VoiceFence } from '../capacity/lease.ts';
import { addCallEvent } from '../calls/call-events.ts';
import type { InboundRefusalReason } from '../calls/inbound-refusals.ts';
import { insertCall, type SharedCall } from '../calls/insert-call.ts';
import { announceCallEvents } from '../outbox/announce-events.ts';
import { findCalledNumber, type CalledNumber } from './find-called-number.ts';
import { loadCallForVoice, type CallForVoice } from '../calls/load-call-for-voice.ts';
import { freezeRouted } from './freeze-routed.ts';
import { callerUser, type InboundNumbers } from './inbound-numbers.rules.ts';
import { mayWait, type FreeCapacity } from './inbound-queue.rules.ts';
import { decideInQueue, joinQueue } from './inbound-queue.ts';
import { routeCall, type RoutedCall } from './inbound-route.rules.ts';

/** What is known of an INVITE that came in. */
export interface InboundCallInput extends InboundNumbers {
  /** The user part that diverted the call first; empty or absent if the call was not diverted. */
  firstDiverting?: string;
  /** The display name of the caller; empty or absent without one. */
  callerName?: string;
  /** What networks say about the caller's number. */
  identity?: StoredCallerIdentity | null;
  /** IP address the INVITE came from, without port. */
  sourceAddress: string;
  sipCallId: string;
  /** The From tag and the CSeq number of the INVITE; absent where no INVITE was sent to us. */
  invite?: { fromTag: string; sequence: number };
  voiceProcess: VoiceFence;
  /** What the voice process has for the call. Default: a slot and a queue slot. */
  capacity?: FreeCapacity;
}

/** What is known of a call whose number is known. `ticket`: with which a carrier will stream it to the voice process. */
export type ArrivedCall = Omit<InboundCallInput, 'sourceAddress'> & Pick<SharedCall, 'ticket'>;

const ALL_FREE: FreeCapacity = { hasSlot: true, hasQueueSlot: true };

/** `reject` is a SIP status. */
export interface InboundRefusal {
  reject: number;
  reason: InboundRefusalReason;
}

/** `queue`: the caller waits first. */
export type InboundCallResult = { call: CallForVoice; queue: StoredQueue | null } | InboundRefusal;

const NOT_FOUND = 404;
const TEMPORARILY_UNAVAILABLE = 480;
/** For an INVITE that came over two paths (RFC 3261 section 8.2.2.2); another voice process has taken it. */
const LOOP_DETECTED = 482;
const BUSY_HERE = 486;
const SERVICE_UNAVAILABLE = 503;

/** Longer than any number or user part that is meant seriously. */
const MAX_SHOWN_LENGTH = 64;
/** Control and formatting characters, and halves of characters. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;

/**
 * Writes the call and returns what voice needs to handle it, or the SIP status to refuse it with. A caller from an address
 * that is not the number's own trunk gets the answer for a missing number, so that strangers cannot find out which numbers
 * exist.
 */
export async function acceptInboundCall(
  ctx: CoreContext,
  input: InboundCallInput,
): Promise<InboundCallResult> {
  const called = await findCalledNumber(ctx, input);
  if (typeof called === 'string') return { reject: NOT_FOUND, reason: called };
  const accepted = await acceptCallTo(ctx, input, called);
  if ('reject' in accepted) return accepted;
  return { call: await loadCallForVoice(ctx, accepted.id), queue: accepted.queue };
}

/** The same for a number that the call may reach. Writes the call. */
export async function acceptCallTo(
  ctx: CoreContext,
  input: ArrivedCall,
  called: CalledNumber,
): Promise<WrittenCall | InboundRefusal> {
  if (called.isUserDisabled) return { reject: TEMPORARILY_UNAVAILABLE, reason: 'account_disabled' };
  const arrived = describeArrival(ctx, input, called);
  if (!arrived.routed) return { reject: TEMPORARILY_UNAVAILABLE, reason: 'no_assistant' };
  if (arrived.routed.action.type === 'reject') return { reject: BUSY_HERE, reason: 'route' };
  const written = await writeCall(ctx, input, arrived);
  return typeof written === 'string' ? { reject: STATUS_OF[written], reason: written } : written;
}

const STATUS_OF = {
  no_assistant: TEMPORARILY_UNAVAILABLE,
  repeated: LOOP_DETECTED,
  queue_full: BUSY_HERE,
  full: SERVICE_UNAVAILABLE,
} as const;

/** A call that has arrived at one of our numbers. */
interface Arrival {
  called: CalledNumber;
  at: Date;
  country: string;
  clientPhoneNumber: string;
  /** Null: the number has neither a route nor an assistant. */
  routed: RoutedCall | null;
}

function describeArrival(ctx: CoreContext, input: ArrivedCall, called: CalledNumber): Arrival {
  const at = now(ctx);
  const country = called.defaultCountry ?? countryOfNumber(called.phoneNumber);
  const clientPhoneNumber = shownNumber(callerUser(called.inboundCallerSource, input), country);
  const callerCountry = clientPhoneNumber.startsWith('+') ? countryOfNumber(clientPhoneNumber) : null;
  const { inboundRoute, assistantId } = called;
  const answered = assistantId !== null && {
    rule: null,
    action: { type: 'assistant', assistantId } as const,
  };
  const routed = inboundRoute ? routeCall(inboundRoute, callerCountry, at) : answered || null;
  return { called, at, country, clientPhoneNumber, routed };
}

/** A written call, and the queue in which it waits; null: it is to be answered now. */
export interface WrittenCall {
  id: number;
  queue: StoredQueue | null;
}

/** @returns `no_assistant` when none of the action is active; `repeated` when the same INVITE came twice */
async function writeCall(
  ctx: CoreContext,
  input: ArrivedCall,
  { called, at, country, clientPhoneNumber, routed: chosen }: Arrival,
): Promise<WrittenCall | keyof typeof STATUS_OF> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const placed = chosen && (await placeInQueue(tx, { input, called, routed: chosen }));
      if (placed === 'full' || placed === 'queue_full') return placed;
      const configuration = placed && (await freezeRouted(tx, called.userId, placed.routed.action));
      if (!configuration) return 'no_assistant';
      const { routed, queue, isCounted } = placed;
      const about = {
        userId: called.userId,
        type: 'inbound',
        assistantPhoneNumber: called.phoneNumber,
        clientPhoneNumber,
      } as const;
      const id = await insertCall(tx, {
        ...about,
        configuration,
        divertedFrom: shownNumber(input.firstDiverting ?? '', country) || null,
        callerName: shown(input.callerName ?? '') || null,
        callerIdentity: input.identity ?? null,
        inputVariables: {},
        trunkId: called.trunkId,
        sipCallId: input.sipCallId,
        ...(input.invite && { sipInvite: inviteKey(input.invite) }),
        at,
        heldBy: input.voiceProcess,
        ...(input.ticket && { ticket: input.ticket }),
      });
      const call = {
        ...about,
        id,
        createdAt: at,
        assistantId: configuration.assistant.id,
        campaignId: null,
        leadId: null,
      };
      if (called.inboundRoute) {
        const detail = { rule: routed.rule, action: routed.action.type };
        await addCallEvent(tx, call, { at, type: 'routed', detail });
      }
      const { numberId } = called;
      if (isCounted) await joinQueue(tx, { call, numberId, waitsSince: queue ? at : null });
      await announceCallEvents(tx, call, { reports: [{ event: 'call.started' }], occurredAt: at, at });
      return { id, queue };
    });
  } catch (error) {
    if (isUniqueViolation(error)) return 'repeated';
    throw error;
  }
}

/** With the Call-ID it identifies the INVITE (RFC 3261 section 8.2.2.2). */
function inviteKey({ fromTag, sequence }: { fromTag: string; sequence: number }): string {
  return `${fromTag} ${sequence}`;
}

/** What is done with a call once its number's queue has been asked. */
interface PlacedCall {
  routed: RoutedCall;
  /** Null: the caller does not wait. */
  queue: StoredQueue | null;
  /** It is one of the conversations that the queue limits, now or later. */
  isCounted: boolean;
}

async function placeInQueue(
  tx: Tx,
  { input, called, routed }: { input: ArrivedCall; called: CalledNumber; routed: RoutedCall },
): Promise<PlacedCall | 'full' | 'queue_full'> {
  const { capacity = ALL_FREE } = input;
  const { hasSlot } = capacity;
  const queue = called.inboundRoute?.queue ?? null;
  if (!queue || !mayWait(routed.action)) return hasSlot ? { routed, queue: null, isCounted: false } : 'full';
  const arrival = await decideInQueue(tx, { numberId: called.numberId, queue, capacity });
  if (arrival !== 'overflow') return { routed, queue: arrival === 'enter' ? queue : null, isCounted: true };
  if (queue.overflow.type === 'reject') return 'queue_full';
  const answered = { routed: { rule: routed.rule, action: queue.overflow }, queue: null, isCounted: false };
  return hasSlot ? answered : 'full';
}

function shownNumber(user: string, country: string): string {
  return shown(readUserPart(user, country));
}

/** What a network or a carrier says of a caller, on one line. NUL and halves of characters could not be stored. */
function shown(text: string): string {
  return text.replaceAll(UNSHOWN, ' ').trim().slice(0, MAX_SHOWN_LENGTH).replaceAll(UNSHOWN, '').trim();
}
