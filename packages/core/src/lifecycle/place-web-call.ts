/** A call from the browser: written at once, held by whichever voice process the browser reaches with its ticket. */
import { randomUUID } from 'node:crypto';
import type { AssistantRow, Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { hashSecret, randomSecret } from '../shared/random-secret.ts';
import type { Identity } from '../users/identity.ts';
import { freezeCallable } from '../calls/freeze-callable.ts';
import { insertCall } from '../calls/insert-call.ts';

/** How long a ticket waits to be used, milliseconds. After that the sweep ends the call. */
const TICKET_MS = 60_000;

/** The assistant of the user, and the values of variables for this call. */
export interface WebCallInput {
  assistantId: number;
  variables?: Record<string, unknown> | undefined;
}

/** The call, and a ticket that is good once and for 60 s. */
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
 * @param input - `draft`: the checked settings that the call has instead of the stored ones
 * @returns the call, and the time of its row
 */
export async function insertWebCall(
  ctx: CoreContext,
  tx: Tx,
  { userId }: Identity,
  input: WebCallInput & { draft?: AssistantRow },
): Promise<{ placed: PlacedWebCall; createdAt: Date }> {
  const ticket = randomSecret();
  const { assistantId, draft } = input;
  const at = now(ctx);
  const callId = await insertCall(tx, {
    userId,
    type: 'web',
    configuration: await freezeCallable(tx, { userId, assistantId, draft }),
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
