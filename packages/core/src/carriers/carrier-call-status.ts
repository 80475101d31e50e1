/**
 * What carriers report about outbound calls that they stream to us. Each report names our call, by its address, and the carrier's, so
 * that the one is found also when the answer to the request that placed it was lost. Reports come late, twice, out of order, or
 * never; the voice process of the call decides what they mean.
 *
 * @see https://www.twilio.com/docs/voice/api/call-resource#statuscallback
 * @see https://developers.telnyx.com/api-reference/callbacks/texml-call-completed
 */
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { endCarrierCallSoon, type CarrierCallRef } from '../jobs/end-carrier-call-soon.ts';
import { CALL_SID, carrierCallsUrl, findStreaming, type CarrierRequest } from './answer-carrier-call.ts';
import { readTelnyxForm, type TelnyxRequest } from './answer-telnyx-call.ts';
import { isSignedByTwilio } from './twilio-signature.ts';
import { isFinalState, readCallState, type CarrierCallState } from './wire/carrier-calls.ts';
import { readTelnyxState } from './wire/telnyx-calls.ts';

/** A report about a call. */
export interface CarrierCallReport {
  carrierCallId: string;
  state: CarrierCallState;
  /** The final response of SIP behind the state, where the carrier tells it. */
  sipStatus: number | null;
}

/** `voiceUrl`: the process that is to get the report; null: no process waits for it. */
export interface TakenReport {
  report: CarrierCallReport | null;
  voiceUrl: string | null;
}

const NOT_OURS: TakenReport = { report: null, voiceUrl: null };
const SIP_STATUS = /^[1-6]\d\d$/;

/** The first id of a call stays. No row: the attempt is over, was not made, or belongs to another account. */
const bindId = statement<{ carrierCallId: string | null; voiceUrl: string | null }>(
  'bind_carrier_call',
  `update live_calls l set carrier_call_id = coalesce(l.carrier_call_id, $2)
   where l.call_id = $1 and l.type = 'outbound' and l.invite_sent_at is not null
     and l.trunk_id = (select trunk_id from carrier_accounts where id = $3)
     and not exists (
       select from live_calls o where o.carrier_call_id = $2 and o.call_id <> $1 and o.trunk_id = l.trunk_id)
   returning l.carrier_call_id,
     (select p.url from voice_processes p where p.id = l.voice_process_id) as voice_url`,
);

/** Whether the carrier's call is that of another attempt over the account. */
const isOfAnother = statement<{ isHeld: boolean }>(
  'is_carrier_call_of_another',
  `select exists (
     select from live_calls where carrier_call_id = $2 and call_id <> $1
       and trunk_id = (select trunk_id from carrier_accounts where id = $3)) as is_held`,
);

/** Where a carrier reports the states of an outbound call. */
export function carrierStatusUrl(origin: string, accountId: number, callId: number): string {
  return `${carrierCallsUrl(origin, accountId)}/${callId}/status`;
}

/** A report of Twilio. @param input.parameters - of the form @returns null when it is not signed by the carrier of the account */
export async function takeCarrierReport(
  ctx: CoreContext,
  input: CarrierRequest & { callId: number; parameters: readonly (readonly [string, string])[] },
): Promise<TakenReport | null> {
  const { accountId, callId, parameters } = input;
  const found = await findStreaming(ctx, input);
  const url = found && carrierStatusUrl(found.origin, accountId, callId);
  if (!found || !url || !isSignedByTwilio(found.token, input.signature, { url, parameters })) return null;
  const given = new Map(parameters);
  const valueOf = (name: string): string => given.get(name) ?? '';
  const carrierCallId = valueOf('CallSid');
  const isOurs = valueOf('AccountSid') === found.account.accountSid && CALL_SID.test(carrierCallId);
  return takeReport(
    ctx,
    { carrierAccountId: accountId, callId, carrierCallId: isOurs ? carrierCallId : null },
    { state: readCallState(valueOf('CallStatus')), sipStatus: valueOf('SipResponseCode') },
  );
}

/** A report of Telnyx. @returns null when it is not signed by the carrier of the account */
export async function takeTelnyxReport(
  ctx: CoreContext,
  input: TelnyxRequest & { callId: number },
): Promise<TakenReport | null> {
  const form = await readTelnyxForm(ctx, input);
  if (!form) return null;
  const { accountId: carrierAccountId, callId } = input;
  const { carrierCallId, valueOf } = form;
  return takeReport(
    ctx,
    { carrierAccountId, callId, carrierCallId },
    {
      state: readTelnyxState(valueOf('CallStatus'), valueOf('HangupCause')),
      sipStatus: valueOf('SipHangupCause'),
    },
  );
}

/** @param call.carrierCallId - null: it is no call of the account */
async function takeReport(
  ctx: CoreContext,
  {
    carrierAccountId,
    callId,
    carrierCallId,
  }: Omit<CarrierCallRef, 'carrierCallId'> & { callId: number; carrierCallId: string | null },
  { state, sipStatus }: { state: CarrierCallState | null; sipStatus: string },
): Promise<TakenReport> {
  if (carrierCallId === null || state === null) return NOT_OURS;
  const call = { carrierAccountId, carrierCallId, callId, isOver: isFinalState(state) };
  const voiceUrl = await bindCarrierCall(ctx, call);
  const report = { carrierCallId, state, sipStatus: SIP_STATUS.test(sipStatus) ? Number(sipStatus) : null };
  return { report, voiceUrl };
}

/**
 * Stores the id of the call that was placed for an attempt. A call at the carrier that no attempt waits for is ended there.
 *
 * @returns the address of the voice process that waits for the call, or null
 */
export async function bindCarrierCall(
  ctx: CoreContext,
  { callId, isOver, ...call }: CarrierCallRef & { callId: number; isOver: boolean },
): Promise<string | null> {
  const [bound] = await ctx.db.query(bindId, [callId, call.carrierCallId, call.carrierAccountId]);
  if (bound?.carrierCallId === call.carrierCallId) return bound.voiceUrl;
  if (isOver) return null;
  // Telnyx signs the report without its address. A report that is repeated at the address of another call must end neither call.
  const [other] = await ctx.db.query(isOfAnother, [callId, call.carrierCallId, call.carrierAccountId]);
  if (other?.isHeld) return null;
  ctx.log.warn({ callId, ...call }, 'A call of a carrier that no process waits for is ended');
  await endCarrierCallSoon(ctx.db, call);
  return null;
}
