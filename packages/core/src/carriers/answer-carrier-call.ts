/**
 * Twilio asks what to do with a call to a number whose calls it streams to us, and connects the stream. Every request is
 * signed with the auth token of its account; a request that is not gets the answer for an account that does not exist.
 *
 * @see https://www.twilio.com/docs/voice/twiml#request-parameters
 */
import { CarrierAccount, type CarrierAccountRow } from '@parley/db';
import { countInboundRefusal } from '../calls/inbound-refusals.ts';
import type { CoreContext } from '../context.ts';
import { expectStream, type CarrierCallInput } from '../lifecycle/streamed-call.ts';
import type { StreamPlan } from './stream-twiml.ts';
import { isSignedByTwilio } from './twilio-signature.ts';

/** Base64 of a SHA-1. */
const SIGNATURE = /^[A-Za-z0-9+/]{27}=$/;
/** The id of a call at Twilio. */
export const CALL_SID = /^CA[0-9a-f]{32}$/;
/** What callers have as their number who withhold it: RESTRICTED, BLOCKED, UNKNOWN, ANONYMOUS and UNAVAILABLE as keys. */
const WITHHELD = ['+7378742833', '+2562533', '+8656696', '+266696687', '+86282452253'];
/** 482: the same call was asked about again, and its stream is open. */
const BUSY_STATUSES = [482, 486, 503];

/** A request of a carrier. */
export interface CarrierRequest {
  accountId: number;
  /** The header `X-Twilio-Signature`. */
  signature: string;
}

/** What is to happen with a call. */
export type CarrierCallAnswer = { stream: StreamPlan } | { reject: 'busy' | 'rejected' };

/** Where the carrier asks about the calls of an account. */
export function carrierCallsUrl(origin: string, accountId: number): string {
  return `${origin}/carriers/${accountId}/calls`;
}

/** Where it streams one of them. */
export function carrierStreamUrl(origin: string, accountId: number, callId: number): string {
  return `${carrierCallsUrl(origin, accountId)}/${callId}/stream`.replace(/^http/, 'ws');
}

/** @param input.parameters - of the form @returns null when the request is not signed by the carrier of the account */
export async function answerCarrierCall(
  ctx: CoreContext,
  input: CarrierRequest & { parameters: readonly (readonly [string, string])[] },
): Promise<CarrierCallAnswer | null> {
  const { accountId, parameters } = input;
  const found = await findStreaming(ctx, input);
  const url = found && carrierCallsUrl(found.origin, accountId);
  if (!found || !url || !isSignedByTwilio(found.token, input.signature, { url, parameters })) return null;
  const given = new Map(parameters);
  const valueOf = (name: string): string => given.get(name) ?? '';
  const carrierCallId = valueOf('CallSid');
  const isOurs = valueOf('AccountSid') === found.account.accountSid && CALL_SID.test(carrierCallId);
  if (!isOurs || valueOf('Direction') !== 'inbound') return { reject: 'rejected' };
  const [to, from] = [valueOf('To'), valueOf('From')];
  return acceptCarrierCall(ctx, found.origin, {
    carrierAccountId: accountId,
    to,
    from: WITHHELD.includes(from) ? '' : from,
    callerName: valueOf('CallerName'),
    forwardedFrom: valueOf('ForwardedFrom'),
    carrierCallId,
  });
}

/** What is to happen with a call of which a carrier has asked, and has proved to be that of the account. */
export async function acceptCarrierCall(
  ctx: CoreContext,
  origin: string,
  asked: CarrierCallInput,
): Promise<CarrierCallAnswer> {
  const arrived = await expectStream(ctx, asked);
  if (!('reject' in arrived)) {
    const { callId, ticket } = arrived;
    return { stream: { url: carrierStreamUrl(origin, asked.carrierAccountId, callId), ticket } };
  }
  const { reject: sipStatus, reason } = arrived;
  ctx.log.info({ sipStatus, reason, pii: { to: asked.to } }, 'An inbound call was refused');
  await countInboundRefusal(ctx, reason);
  return { reject: BUSY_STATUSES.includes(sipStatus) ? 'busy' : 'rejected' };
}

/** Whether the handshake of the stream of a call is signed by the carrier of the account. */
export async function isCarrierStream(
  ctx: CoreContext,
  { callId, ...request }: CarrierRequest & { callId: number },
): Promise<boolean> {
  const found = await findStreaming(ctx, request);
  if (!found) return false;
  const url = carrierStreamUrl(found.origin, request.accountId, callId);
  return isSignedByTwilio(found.token, request.signature, { url });
}

/** An account whose calls are streamed, or were until it was connected again. */
export interface Streaming {
  account: CarrierAccountRow;
  origin: string;
  token: string;
}

/** @returns null when the signature has no valid form, and for an account whose calls were never streamed */
export async function findStreaming(
  ctx: CoreContext,
  { accountId, signature }: CarrierRequest,
): Promise<Streaming | null> {
  if (!SIGNATURE.test(signature)) return null;
  const account = await ctx.db.em.findOne(CarrierAccount, { id: accountId, kind: 'twilio' });
  const origin = account?.connection?.streamOrigin ?? null;
  return account && origin !== null
    ? { account, origin, token: ctx.secretBox.open(account.secretSealed) }
    : null;
}
