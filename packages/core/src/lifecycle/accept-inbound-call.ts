/**
 * An inbound call: which number it calls, whether it may come from where it came, and what answers it. Enters the
 * call's life cycle at step 5.
 */
import { isUniqueViolation } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { countryOfNumber, readUserPart } from '../shared/phone-number.ts';
import type { VoiceFence } from '../capacity/lease.ts';
import { addCallEvent } from '../calls/call-events.ts';
import type { InboundRefusalReason } from '../calls/inbound-refusals.ts';
import { insertCall } from '../calls/insert-call.ts';
import { announceCallEvents } from '../outbox/announce-events.ts';
import { findCalledNumber, type CalledNumber } from './find-called-number.ts';
import { loadCallForVoice, type CallForVoice } from '../calls/load-call-for-voice.ts';
import { freezeRouted } from './freeze-routed.ts';
import { callerUser, type InboundNumbers } from './inbound-numbers.rules.ts';
import { routeCall, type RoutedCall } from './inbound-route.rules.ts';

/** What is known of an INVITE that came in. */
export interface InboundCallInput extends InboundNumbers {
  /** The user part that diverted the call first; empty or absent if the call was not diverted. */
  firstDiverting?: string;
  /** IP address the INVITE came from, without port. */
  sourceAddress: string;
  sipCallId: string;
  voiceProcess: VoiceFence;
}

/** `reject` is a SIP status. */
export type InboundCallResult = { call: CallForVoice } | { reject: number; reason: InboundRefusalReason };

const NOT_FOUND = 404;
const TEMPORARILY_UNAVAILABLE = 480;
const BUSY_HERE = 486;

/** Longer than any number or user part that is meant seriously. */
const MAX_SHOWN_LENGTH = 64;

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
  if (called.isUserDisabled) return { reject: TEMPORARILY_UNAVAILABLE, reason: 'account_disabled' };
  const arrived = describeArrival(ctx, input, called);
  if (!arrived.routed) return { reject: TEMPORARILY_UNAVAILABLE, reason: 'no_assistant' };
  if (arrived.routed.action.type === 'reject') return { reject: BUSY_HERE, reason: 'route' };
  const written = await writeCall(ctx, input, arrived);
  if (written === 'no_assistant') return { reject: TEMPORARILY_UNAVAILABLE, reason: written };
  if (written === 'repeated') return { reject: BUSY_HERE, reason: written };
  return { call: await loadCallForVoice(ctx, written) };
}

/** A call that has arrived at one of our numbers. */
interface Arrival {
  called: CalledNumber;
  at: Date;
  country: string;
  clientPhoneNumber: string;
  /** Null: the number has neither a route nor an assistant. */
  routed: RoutedCall | null;
}

function describeArrival(ctx: CoreContext, input: InboundCallInput, called: CalledNumber): Arrival {
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

/** @returns `no_assistant` when none of the action is active; `repeated` when the same INVITE came twice */
async function writeCall(
  ctx: CoreContext,
  input: InboundCallInput,
  { called, at, country, clientPhoneNumber, routed }: Arrival,
): Promise<number | 'no_assistant' | 'repeated'> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const configuration = routed && (await freezeRouted(tx, called.userId, routed.action));
      if (!configuration) return 'no_assistant';
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
        inputVariables: {},
        trunkId: called.trunkId,
        sipCallId: input.sipCallId,
        at,
        heldBy: input.voiceProcess,
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
      await announceCallEvents(tx, call, { reports: [{ event: 'call.started' }], occurredAt: at, at });
      return id;
    });
  } catch (error) {
    if (isUniqueViolation(error)) return 'repeated';
    throw error;
  }
}

function shownNumber(user: string, country: string): string {
  return readUserPart(user, country).slice(0, MAX_SHOWN_LENGTH);
}
