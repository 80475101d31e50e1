/**
 * Step 3 of a call's way: somebody asks for one. In one transaction the call is written with its assistant frozen into
 * it, and the job that dials it is enqueued. Either both exist or neither.
 */
import { randomUUID } from 'node:crypto';
import { errorText } from '@parley/contracts';
import { isUniqueViolation, statement, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { isOnDoNotCallList } from '../do-not-call/do-not-call-list.ts';
import { enqueueDial } from '../jobs/enqueue-dial.ts';
import { readAccountNumbers } from '../leads/account-number.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { linesWithRoom, lockCallRoom } from './call-room.ts';
import { freezeCallable } from './freeze-callable.ts';
import { insertCall, ONE_CALL_PER_NUMBER } from './insert-call.ts';
import { loadLines } from './load-lines.ts';
import { routeCall, type LineReason, type Route } from './route-call.rules.ts';
import { fleetCapacity } from '../voice-processes/lease.ts';

/** What somebody asks for. */
export interface PlaceCallInput {
  /** As people write it; without `+` it is a number of the user's default country. */
  phoneNumber: string;
  assistantId: number;
  variables?: Record<string, unknown> | undefined;
}

const findLive = statement<{ callId: number }>(
  'live_call_of_number',
  `select call_id from live_calls where user_id = $1 and client_phone_number = $2 and starts_with(client_phone_number, '+')`,
);

/**
 * @throws DomainError `not-found` for an assistant that is missing or somebody else's; `invalid` for a number that is
 *   impossible, forbidden or that no line takes now, for an account without a place, and for an inactive assistant; `conflict` when the number is in a call already
 */
export async function placeCall(
  ctx: CoreContext,
  identity: Identity,
  input: PlaceCallInput,
): Promise<{ callId: number }> {
  try {
    return await ctx.db.transaction((tx) =>
      placeInTransaction(ctx, tx, { ...input, userId: identity.userId }),
    );
  } catch (error) {
    if (!isUniqueViolation(error, ONE_CALL_PER_NUMBER)) throw error;
    throw numberInCall(error);
  }
}

async function placeInTransaction(
  ctx: CoreContext,
  tx: Tx,
  input: PlaceCallInput & { userId: number },
): Promise<{ callId: number }> {
  const { userId, assistantId } = input;
  const configuration = await freezeCallable(tx, { userId, assistantId });
  const clientPhoneNumber = await readPhoneNumber(tx, input);
  if (await isOnDoNotCallList(tx, userId, clientPhoneNumber)) {
    throw phoneNumberFault('This number is on the do-not-call list.');
  }
  const at = now(ctx);
  const { phoneNumberId: assistantNumberId } = configuration.assistant;
  const route = await findRoute(tx, { userId, to: clientPhoneNumber, assistantNumberId, at });
  const callId = await insertCall(tx, {
    userId,
    type: 'outbound',
    configuration,
    assistantPhoneNumber: route.callerNumber,
    clientPhoneNumber,
    inputVariables: input.variables ?? {},
    trunkId: route.trunkId,
    sipCallId: randomUUID(),
    at,
  });
  await enqueueDial(tx, callId);
  return { callId };
}

async function readPhoneNumber(tx: Tx, input: PlaceCallInput & { userId: number }): Promise<string> {
  const [number] = await readAccountNumbers(tx, input.userId, [input.phoneNumber]);
  if (!number) throw phoneNumberFault('Invalid phone number');
  return number;
}

/** Holds the shared limits from here on, so that no other call takes the place. */
async function findRoute(
  tx: Tx,
  about: { userId: number; to: string; assistantNumberId: number | null; at: Date },
): Promise<Route> {
  const { userId, to, assistantNumberId, at } = about;
  const [lines, capacity] = await Promise.all([loadLines(tx, userId), fleetCapacity(tx)]);
  const room = await lockCallRoom(tx, { userId, lines, wanted: 1, at, fleetCapacity: capacity });
  // One whose end is not committed yet would be waited for, while it waits for the limits that are held here.
  if ((await tx.query(findLive, [userId, to])).length > 0) throw numberInCall();
  if (room.account <= 0) throw phoneNumberFault('Your account has as many calls as it may have at once.');
  const routing = routeCall({ to, assistantNumberId, ...linesWithRoom(lines, room) });
  if ('route' in routing) return routing.route;
  throw phoneNumberFault(LINE_FAULTS[routing.hold.reason]);
}

const LINE_FAULTS: Record<LineReason, string> = {
  no_line:
    'No configured line can reach this number. The built-in test line reaches only fictional numbers such as +12025550123.',
  trunk_calls: 'The SIP trunk has as many calls as it may have at once.',
  trunk_rate: 'The SIP trunk may not begin more calls at this moment.',
  trunk_paused: 'The SIP trunk is paused, because most of its calls failed.',
};

function numberInCall(cause?: unknown): DomainError {
  return new DomainError('conflict', 'This number is already in a call.', { cause });
}

function phoneNumberFault(message: string): DomainError {
  return new DomainError('invalid', errorText.invalidData, { fields: { phone_number: [message] } });
}
