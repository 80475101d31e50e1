/**
 * An inbound call: which number it calls, whether it may come from where it came, and which assistant answers. Enters the
 * call's life cycle at step 5.
 */
import { isUniqueViolation } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { countryOfNumber, readUserPart } from '../shared/phone-number.ts';
import type { VoiceFence } from '../capacity/lease.ts';
import { freezeConfiguration } from '../calls/call-configuration.ts';
import type { InboundRefusalReason } from '../calls/inbound-refusals.ts';
import { insertCall } from '../calls/insert-call.ts';
import { announceCallEvents } from '../outbox/announce-events.ts';
import { findCalledNumber, type CalledNumber } from './find-called-number.ts';
import { loadCallForVoice, type CallForVoice } from '../calls/load-call-for-voice.ts';
import { callerUser, type InboundNumbers } from './inbound-numbers.rules.ts';

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
  if (called.assistantId === null || called.assistantStatus !== 'active')
    return { reject: TEMPORARILY_UNAVAILABLE, reason: 'no_assistant' };
  const callId = await writeCall(ctx, input, { ...called, assistantId: called.assistantId });
  if (callId === null) return { reject: BUSY_HERE, reason: 'repeated' };
  return { call: await loadCallForVoice(ctx, callId) };
}

/** @returns null when the assistant cannot be loaded, or when the same INVITE came twice */
async function writeCall(
  ctx: CoreContext,
  input: InboundCallInput,
  called: CalledNumber & { assistantId: number },
): Promise<number | null> {
  const country = called.defaultCountry ?? countryOfNumber(called.phoneNumber);
  try {
    return await ctx.db.transaction(async (tx) => {
      const configuration = await freezeConfiguration(tx, called);
      if (!configuration) return null;
      const at = now(ctx);
      const about = {
        userId: called.userId,
        type: 'inbound',
        assistantPhoneNumber: called.phoneNumber,
        clientPhoneNumber: shownNumber(callerUser(called.inboundCallerSource, input), country),
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
        assistantId: called.assistantId,
        campaignId: null,
        leadId: null,
      };
      await announceCallEvents(tx, call, { reports: [{ event: 'call.started' }], occurredAt: at, at });
      return id;
    });
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

function shownNumber(user: string, country: string): string {
  return readUserPart(user, country).slice(0, MAX_SHOWN_LENGTH);
}
