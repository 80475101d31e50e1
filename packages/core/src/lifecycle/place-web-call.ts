/** A call from the browser: written at once, held by whichever voice process the browser reaches with its ticket. */
import { randomUUID } from 'node:crypto';
import type { AssistantRow, Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { hashSecret, randomSecret } from '../shared/random-secret.ts';
import type { Identity } from '../users/identity.ts';
import type { CallConfiguration, FrozenSpeaker } from '../calls/call-configuration.ts';
import { freezeCallable } from '../calls/freeze-callable.ts';
import { insertCall } from '../calls/insert-call.ts';

/** How long a ticket waits to be used, milliseconds. After that the sweep ends the call. */
const TICKET_MS = 60_000;

/** The assistant of the user, and the values of variables for this call. */
export interface WebCallInput {
  assistantId: number;
  variables?: Record<string, unknown> | undefined;
}

/** The call, and a ticket that is valid once and for 60 s. */
export interface PlacedWebCall {
  callId: number;
  ticket: string;
}

/** @throws DomainError `not-found` for an assistant that does not exist or belongs to another user, `invalid` for an inactive one */
export async function placeWebCall(
  ctx: CoreContext,
  identity: Identity,
  input: WebCallInput,
): Promise<PlacedWebCall> {
  return ctx.db.transaction(async (tx) => (await insertWebCall(ctx, tx, identity, input)).placed);
}

/**
 * The same within a transaction.
 *
 * @param input - `draft`: the checked settings that the call has instead of the stored ones; `maxSeconds`: the longest
 *   duration, where it is shorter than that of the assistant
 * @returns the call, and the time of its row
 */
export async function insertWebCall(
  ctx: CoreContext,
  tx: Tx,
  { userId }: Pick<Identity, 'userId'>,
  input: WebCallInput & { draft?: AssistantRow; maxSeconds?: number },
): Promise<{ placed: PlacedWebCall; createdAt: Date }> {
  const ticket = randomSecret();
  const { assistantId, draft, maxSeconds = Infinity } = input;
  const at = now(ctx);
  const callId = await insertCall(tx, {
    userId,
    type: 'web',
    configuration: shortened(await freezeCallable(tx, { userId, assistantId, draft }), maxSeconds),
    assistantPhoneNumber: '',
    clientPhoneNumber: '',
    inputVariables: input.variables ?? {},
    trunkId: null,
    sipCallId: randomUUID(),
    at,
    ticket: { hash: hashSecret(ticket), expiresAt: new Date(at.getTime() + TICKET_MS) },
  });
  return { placed: { callId, ticket }, createdAt: at };
}

/** Also for the assistants that may take the call over. */
function shortened(configuration: CallConfiguration, maxSeconds: number): CallConfiguration {
  const shorten = <Speaker extends FrozenSpeaker>(speaker: Speaker): Speaker => {
    const maxDurationSeconds = Math.min(speaker.assistant.maxDurationSeconds, maxSeconds);
    return { ...speaker, assistant: { ...speaker.assistant, maxDurationSeconds } };
  };
  const { others } = configuration;
  return { ...shorten(configuration), ...(others && { others: others.map(shorten) }) };
}
