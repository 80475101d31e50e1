/**
 * Step 3 of a call's way: somebody asks for one. In one transaction the call is written with its assistant frozen into
 * it, and the job that dials it is enqueued. Either both exist or neither.
 */
import { randomUUID } from 'node:crypto';
import { errorText } from '@parley/contracts';
import { isUniqueViolation, sendTogether, statement, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { isOnDoNotCallList } from '../do-not-call/do-not-call-list.ts';
import { enqueueDial } from '../jobs/enqueue-dial.ts';
import { readAccountNumbers } from '../users/account-number.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { linesWithRoom, lockCallRoom, planGates, type RoomRequest } from '../capacity/call-room.ts';
import { freezeCallable } from '../calls/freeze-callable.ts';
import { insertCall, ONE_CALL_PER_NUMBER } from '../calls/insert-call.ts';
import { loadLines } from '../capacity/load-lines.ts';
import { routeCall, type LineReason, type Route } from '../capacity/route-call.rules.ts';
import { fleetCapacity } from '../capacity/lease.ts';

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
  // A number without a country code needs a statement of its own first, so its step comes last.
  const [configuration, lines, capacity, { number: clientPhoneNumber, isForbidden }] = await sendTogether(
    tx,
    [
      (tx) => freezeCallable(tx, { userId, assistantId }),
      (tx) => loadLines(tx, userId),
      fleetCapacity,
      (tx) => readPhoneNumber(tx, input),
    ],
  );
  if (clientPhoneNumber === null) throw phoneNumberFault('Invalid phone number');
  if (isForbidden) throw phoneNumberFault('This number is on the do-not-call list.');
  const at = now(ctx);
  const { phoneNumberId: assistantNumberId } = configuration.assistant;
  const request = { userId, lines, wanted: 1, at, fleetCapacity: capacity };
  const route = await findRoute(tx, request, { to: clientPhoneNumber, assistantNumberId });
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

/** @returns the number as E.164, null where it cannot be one, and whether the user's list forbids it */
async function readPhoneNumber(
  tx: Tx,
  { userId, phoneNumber }: PlaceCallInput & { userId: number },
): Promise<{ number: string | null; isForbidden: boolean }> {
  const [number = null] = await readAccountNumbers(tx, userId, [phoneNumber]);
  return { number, isForbidden: number !== null && (await isOnDoNotCallList(tx, userId, number)) };
}

/** Holds the shared limits from here on, so that no other call takes the place. */
async function findRoute(
  tx: Tx,
  request: RoomRequest,
  { to, assistantNumberId }: { to: string; assistantNumberId: number | null },
): Promise<Route> {
  const { userId, lines } = request;
  const gates = await planGates(tx, request);
  // A live call whose end is not committed yet would be waited for, while it waits for the limits that are held here.
  const [room, live] = await sendTogether(tx, [
    (tx) => lockCallRoom(tx, gates),
    (tx) => tx.query(findLive, [userId, to]),
  ]);
  if (live.length > 0) throw numberInCall();
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
