/**
 * Sends the webhook for an incoming call before the call is answered, and reads variables for it from the response. There is
 * one attempt, because a second would come too late. It is logged like every delivery once its outcome is known. When this
 * process dies meanwhile, the call ends with it and there is nothing to log. SQL, because it writes to a live call.
 */
import { randomUUID } from 'node:crypto';
import type { CallIncomingPayload } from '@parley/contracts';
import { json, statement } from '@parley/db';
import type { GuardedClient, GuardedOutcome } from '@parley/runtime/guarded-http';
import type { CallForVoice } from '../calls/load-call-for-voice.ts';
import { lockForWriter } from '../lifecycle/record-call-event.ts';
import { isDisarmed } from '../capacity/disarmed.ts';
import { now, type CoreContext } from '../context.ts';
import type { VoiceFence } from '../capacity/lease.ts';
import { readIncomingAnswer } from './incoming-answer.rules.ts';
import { insertDelivery } from '../outbox/delivery-state.ts';
import { recordIn } from './record-delivery-attempts.ts';
import { validSecrets, webhookHeaders } from './sign-webhook.ts';
import { loadWebhookSecrets } from './webhook-secret.ts';

/** A ringing call, and the client for the webhook of its owner. */
export interface InboundWebhookInput {
  call: CallForVoice;
  fence: VoiceFence;
  /** A client whose time limit is the longest time that a caller has to wait. */
  client: Pick<GuardedClient, 'send'>;
  /** Aborts the attempt when the caller hangs up. */
  signal: AbortSignal;
}

const EVENT = 'call.incoming';
/** A claimer of its own: these claims begin and end in one transaction. */
const CLAIMER = EVENT;

const addInputVariables = statement(
  'add_input_variables',
  `update calls set input_variables = $3, changed_at = clock_timestamp() where id = $1 and created_at = $2`,
);

/**
 * @returns the call, with the variables of the answer, if any
 * @throws FencedError when another process owns the call by now
 */
export async function askInboundWebhook(ctx: CoreContext, input: InboundWebhookInput): Promise<CallForVoice> {
  const { call } = input;
  const url = call.assistant.inboundWebhookUrl;
  if (url === null || (await isDisarmed(ctx.db))) return call;
  const at = now(ctx);
  const startedMs = ctx.clock.monotonic();
  const id = randomUUID();
  const payload = payloadOf(call);
  const body = JSON.stringify(payload);
  const secrets = validSecrets(ctx.secretBox, await loadWebhookSecrets(ctx.db, call.userId), at);
  const headers = webhookHeaders({ id, body, at }, secrets);
  const { client, signal } = input;
  const isPublicOnly = !call.isOperators;
  const outcome = await client.send({ url, headers, body, signal, isPublicOnly });
  const durationMs = Math.round(ctx.clock.monotonic() - startedMs);
  const variables = readIncomingAnswer('status' in outcome ? outcome : null);
  await record(ctx, input, {
    id,
    url,
    payload,
    headers,
    body,
    isPublicOnly,
    at,
    durationMs,
    outcome,
    variables,
  });
  const others = call.others.map((other) => ({ ...other, variables: { ...other.variables, ...variables } }));
  return { ...call, others, variables: { ...call.variables, ...variables } };
}

function payloadOf(call: CallForVoice): CallIncomingPayload {
  return {
    event: EVENT,
    call_id: call.callId,
    customer_phone: call.clientPhoneNumber,
    assistant_phone: call.assistantPhoneNumber,
  };
}

interface AskedOwner {
  id: string;
  url: string;
  payload: CallIncomingPayload;
  headers: Record<string, string>;
  body: string;
  isPublicOnly: boolean;
  at: Date;
  durationMs: number;
  outcome: GuardedOutcome;
  variables: Record<string, unknown>;
}

async function record(
  ctx: CoreContext,
  { call, fence }: InboundWebhookInput,
  { payload, variables, at, durationMs, outcome, ...request }: AskedOwner,
): Promise<void> {
  const about = {
    assistantId: call.assistant.id,
    endpointId: null,
    event: EVENT,
    target: 'inbound' as const,
  };
  const attempt = {
    delivery: { ...about, ...request, userId: call.userId, attemptCount: 0, scheduleStart: 0 },
    at,
    durationMs,
    outcome,
  };
  await ctx.db.transaction(async (tx) => {
    const { call: stored } = await lockForWriter(tx, { callId: call.callId, fence });
    const { id, url } = request;
    await insertDelivery(tx, {
      ...about,
      call: stored,
      userId: call.userId,
      id,
      url,
      payload: { ...payload },
      at,
      claimedBy: CLAIMER,
    });
    await recordIn(ctx, tx, { claimer: CLAIMER, attempts: [attempt] });
    if (Object.keys(variables).length === 0) return;
    const given = json({ ...stored.inputVariables, ...variables });
    await tx.query(addInputVariables, [stored.id, stored.createdAt, given]);
  });
}
