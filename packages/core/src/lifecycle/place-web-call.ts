/** A call from the browser: written at once, held by whichever voice process the browser reaches with its ticket. */
import { randomUUID } from 'node:crypto';
import { now, type CoreContext } from '../context.ts';
import { hashSecret, randomSecret } from '../shared/random-secret.ts';
import type { Identity } from '../users/identity.ts';
import { freezeCallable } from '../calls/freeze-callable.ts';
import { insertCall } from '../calls/insert-call.ts';

/** How long a ticket waits to be used, milliseconds. After that the sweep ends the call. */
const TICKET_MS = 60_000;

/**
 * @returns the ticket, good once and for 60 s
 * @throws DomainError `not-found` for an assistant that does not exist or belongs to another user, `invalid` for an inactive one
 */
export async function placeWebCall(
  ctx: CoreContext,
  identity: Identity,
  input: { assistantId: number; variables?: Record<string, unknown> | undefined },
): Promise<{ callId: number; ticket: string }> {
  const ticket = randomSecret();
  const { userId } = identity;
  return ctx.db.transaction(async (tx) => {
    const at = now(ctx);
    const callId = await insertCall(tx, {
      userId,
      type: 'web',
      configuration: await freezeCallable(tx, { userId, assistantId: input.assistantId }),
      assistantPhoneNumber: '',
      clientPhoneNumber: '',
      inputVariables: input.variables ?? {},
      trunkId: null,
      sipCallId: randomUUID(),
      at,
      ticket: { hash: hashSecret(ticket), expiresAt: new Date(at.getTime() + TICKET_MS) },
    });
    return { callId, ticket };
  });
}
