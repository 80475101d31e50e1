/**
 * Telnyx asks what to do with a call to a number whose calls it streams to us, and connects the stream. The question is signed
 * with the key of the organisation; the handshake of the stream is not signed, so that the ticket is its only proof.
 *
 * @see https://developers.telnyx.com/docs/voice/programmable-voice/texml-instruction-fetching
 */
import { CarrierAccount, statement } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { acceptCarrierCall, type CarrierCallAnswer } from './answer-carrier-call.ts';
import { hasTelnyxForm, isSignedByTelnyx, type TelnyxProof } from './telnyx-signature.ts';
import { isTelnyxCallSid } from './wire/telnyx-calls.ts';

/** A caller who withholds the number has a word in its place, and one who calls over SIP an address. */
const PHONE_NUMBER = /^\+?\d{2,15}$/;

const findExpected = statement<{ isExpected: boolean }>(
  'is_stream_of_carrier_expected',
  `select exists (
     select from live_calls l join carrier_accounts a on a.trunk_id = l.trunk_id
     where l.call_id = $1
       and (l.type = 'inbound' and l.ticket_hash is not null and l.ticket_expires_at > $3
         or l.type = 'outbound' and l.invite_sent_at is not null and l.answered_at is null)
       and a.id = $2 and a.kind = 'telnyx' and a.connection ->> 'streamOrigin' is not null) as is_expected`,
);

/** A request of Telnyx. */
export interface TelnyxRequest extends TelnyxProof {
  accountId: number;
}

/** A signed form. */
export interface TelnyxForm {
  /** Where calls of the account are streamed. */
  origin: string;
  valueOf: (name: string) => string;
  /** Null: the form is about a call of another application, or about none. */
  carrierCallId: string | null;
}

/** @param input.body - a form @returns null when the request is not signed by the carrier of the account */
export async function readTelnyxForm(ctx: CoreContext, input: TelnyxRequest): Promise<TelnyxForm | null> {
  if (!hasTelnyxForm(input)) return null;
  const { accountId, body } = input;
  const account = await ctx.db.em.findOne(CarrierAccount, { id: accountId, kind: 'telnyx' });
  const { streamOrigin: origin, streamKey } = account?.connection ?? {};
  if (!account || origin === undefined || !streamKey) return null;
  if (!isSignedByTelnyx(streamKey.publicKey, input, now(ctx))) return null;
  const form = new URLSearchParams(body);
  const valueOf = (name: string): string => form.get(name) ?? '';
  const callSid = valueOf('CallSid');
  // The signature does not say to whom a request was sent: another application of the organisation gets such requests too.
  const isOurs = valueOf('ConnectionId') === streamKey.applicationRef && isTelnyxCallSid(callSid);
  return { origin, valueOf, carrierCallId: isOurs ? callSid : null };
}

/** @returns null when the request is not signed by the carrier of the account */
export async function answerTelnyxCall(
  ctx: CoreContext,
  input: TelnyxRequest,
): Promise<CarrierCallAnswer | null> {
  const form = await readTelnyxForm(ctx, input);
  if (!form) return null;
  const { origin, valueOf, carrierCallId } = form;
  if (carrierCallId === null) return { reject: 'rejected' };
  const from = valueOf('From');
  return acceptCarrierCall(ctx, origin, {
    carrierAccountId: input.accountId,
    to: valueOf('To'),
    from: PHONE_NUMBER.test(from) ? from : '',
    callerName: valueOf('CallerId'),
    forwardedFrom: '',
    carrierCallId,
  });
}

/** Whether a call of the account waits for its stream. Strangers can connect too; what they show first decides. */
export async function isTelnyxStream(
  ctx: CoreContext,
  { accountId, callId }: { accountId: number; callId: number },
): Promise<boolean> {
  const [found] = await ctx.db.query(findExpected, [callId, accountId, now(ctx)]);
  return found?.isExpected ?? false;
}
