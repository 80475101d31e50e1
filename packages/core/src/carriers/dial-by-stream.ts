/**
 * Outbound calls that a carrier dials and streams to us. One request is sent for each attempt, right after its permission, and never
 * repeated: the carrier rings the phone when it receives it. If its answer is lost, the attempt goes on, because the carrier's reports
 * and its stream name it (docs/decisions/carrier-media-streams.md).
 */
import { CarrierAccount } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { endCarrierCallSoon } from '../jobs/end-carrier-call-soon.ts';
import { randomSecret } from '../shared/random-secret.ts';
import { carrierStreamUrl } from './answer-carrier-call.ts';
import { bindCarrierCall, carrierStatusUrl } from './carrier-call-status.ts';
import { endCarrierCall } from './end-carrier-call.ts';
import { withCarrierCalls } from './open-carrier.ts';
import { writeStreamTwiml } from './stream-twiml.ts';
import type { AcceptedCall, CarrierCallState } from './wire/carrier-calls.ts';
import { CarrierError } from './wire/carrier.ts';

/**
 * What became of the request. `refused`: no phone rings; `unreachable`: the request was not carried out, and is no attempt;
 * `unknown`: the phone may ring.
 */
export type PlacedCarrierCall =
  | { result: 'accepted'; callSid: string; queueMs: number }
  | { result: 'refused' | 'unreachable' | 'unknown'; detail: string };

/** One attempt. Nothing in it rejects. */
export interface StreamedDial {
  /** The stream shows it. It begins with the id of the call and a dot. */
  ticket: string;
  /** Whether the stream names the call as the reports do. Telnyx does not document that it does. */
  isNamedByStream: boolean;
  /** At most once, and right after the permission. */
  place(): Promise<PlacedCarrierCall>;
  /** Stores the carrier's id of the call. */
  bind(carrierCallId: string): Promise<void>;
  /** @returns null when the carrier does not say */
  look(carrierCallId: string): Promise<CarrierCallState | null>;
  /** Ends the call at the carrier, at once or, if it does not answer, by a job. */
  end(carrierCallId: string): Promise<void>;
}

/** What is dialed. */
export interface StreamedDialInput {
  callId: number;
  carrierAccountId: number;
  from: string;
  to: string;
  ringLimitMs: number;
}

/** Before the permission, which would not outlast it. @returns null when the account does not stream outbound calls any more */
export async function openStreamedDial(
  ctx: CoreContext,
  { callId, carrierAccountId, from, to, ringLimitMs }: StreamedDialInput,
): Promise<StreamedDial | null> {
  const account = await ctx.db.em.findOne(CarrierAccount, { id: carrierAccountId });
  const { streamOrigin: origin, outboundWay } = account?.connection ?? {};
  if (!account || origin === undefined || outboundWay !== 'media_stream') return null;
  const ticket = `${callId}.${randomSecret()}`;
  const request = {
    from,
    to,
    markup: writeStreamTwiml(
      { url: carrierStreamUrl(origin, carrierAccountId, callId), ticket },
      account.kind,
    ),
    statusUrl: carrierStatusUrl(origin, carrierAccountId, callId),
    ringLimitSeconds: Math.ceil(ringLimitMs / 1_000),
  };
  const complain = (error: unknown, text: string): null => {
    ctx.log.warn({ err: error, callId }, text);
    return null;
  };
  return {
    ticket,
    isNamedByStream: account.kind === 'twilio',
    place: async () => {
      try {
        return nameOf(await withCarrierCalls(ctx, account, (calls) => calls.place(request)));
      } catch (error) {
        complain(error, 'A carrier has not confirmed an outbound call');
        return resultOf(error);
      }
    },
    bind: async (carrierCallId) => {
      const call = { callId, carrierAccountId, carrierCallId, isOver: false };
      await bindCarrierCall(ctx, call).catch((error: unknown) =>
        complain(error, 'The id of a call at its carrier could not be stored'),
      );
    },
    look: (carrierCallId) =>
      withCarrierCalls(ctx, account, (calls) => calls.read(carrierCallId)).catch((error: unknown) =>
        complain(error, 'A carrier did not say what became of a call'),
      ),
    end: async (carrierCallId) => {
      const call = { carrierAccountId, carrierCallId };
      await endCarrierCall(ctx, call)
        .catch(() => endCarrierCallSoon(ctx.db, call))
        .catch((error: unknown) => complain(error, 'A call could not be ended at its carrier'));
    },
  };
}

/** A call without a name rings; reports name it. */
function nameOf({ callSid, queueMs }: AcceptedCall): PlacedCarrierCall {
  return callSid === null
    ? { result: 'unknown', detail: 'Its answer does not name the call' }
    : { result: 'accepted', callSid, queueMs };
}

function resultOf(error: unknown): Exclude<PlacedCarrierCall, { result: 'accepted' }> {
  if (!(error instanceof CarrierError)) return { result: 'unknown', detail: 'The request failed' };
  const { kind, message: detail, isUnsent } = error;
  if (kind === 'rate-limited' || isUnsent) return { result: 'unreachable', detail };
  return { result: kind === 'uncertain' ? 'unknown' : 'refused', detail };
}
