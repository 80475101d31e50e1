/** A call from the browser: written at once, held by whichever voice process the browser reaches with its ticket. */
import { randomUUID } from 'node:crypto';
import type { AssistantRow, Tx } from '@parley/db';
import { lockCallCapacity, planLimitLocks } from '../capacity/call-capacity.ts';
import { fleetCapacity } from '../capacity/lease.ts';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
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

/**
 * @throws DomainError `not-found` for an assistant that does not exist or belongs to another user, `invalid` for an inactive one,
 *   `too-many` for an account at its limit of calls at the same time
 */
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
 * @throws DomainError as {@link placeWebCall}
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
  const configuration = await freezeCallable(tx, { userId, assistantId, draft });
  await requireFreeSlot(tx, userId, at);
  const callId = await insertCall(tx, {
    userId,
    type: 'web',
    configuration: shortened(configuration, maxSeconds),
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

/** Locks the limits, which the call counts for, until the transaction ends. */
async function requireFreeSlot(tx: Tx, userId: number, at: Date): Promise<void> {
  const capacityOfFleet = await fleetCapacity(tx);
  const request = { userId, routeOptions: { trunks: [] }, wanted: 1, at, fleetCapacity: capacityOfFleet };
  const { account } = await lockCallCapacity(tx, await planLimitLocks(tx, request));
  if (account <= 0) throw new DomainError('too-many', 'Your account has reached its concurrent call limit.');
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
