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
import { DomainError } from '../shared/domain-error.ts';
import { normalisePhoneNumber } from '../shared/phone-number.ts';
import type { Identity } from '../users/identity.ts';
import { freezeCallable } from './freeze-callable.ts';
import { insertCall, ONE_CALL_PER_NUMBER } from './insert-call.ts';
import { loadLines } from './load-lines.ts';
import { routeCall, type Route } from './route-call.rules.ts';

/** What somebody asks for. */
export interface PlaceCallInput {
  /** As people write it; without `+` it is a number of the user's default country. */
  phoneNumber: string;
  assistantId: number;
  variables?: Record<string, unknown> | undefined;
}

const selectDefaultCountry = statement<{ defaultCountry: string | null }>(
  'default_country',
  `select default_country from users where id = $1`,
);

/**
 * @throws DomainError `not-found` for an assistant that is missing or somebody else's; `invalid` for a number that is
 *   impossible, forbidden or that no line reaches, and for an inactive assistant; `conflict` when the number is in a call already
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
    throw new DomainError('conflict', 'This number is already in a call.', { cause: error });
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
  const route = await findRoute(tx, {
    userId,
    to: clientPhoneNumber,
    assistantNumberId: configuration.assistant.phoneNumberId,
  });
  const callId = await insertCall(tx, {
    userId,
    type: 'outbound',
    configuration,
    assistantPhoneNumber: route.callerNumber,
    clientPhoneNumber,
    inputVariables: input.variables ?? {},
    trunkId: route.trunkId,
    sipCallId: randomUUID(),
    at: now(ctx),
  });
  await enqueueDial(tx, callId);
  return { callId };
}

async function readPhoneNumber(tx: Tx, input: PlaceCallInput & { userId: number }): Promise<string> {
  const [user] = await tx.query(selectDefaultCountry, [input.userId]);
  const number = normalisePhoneNumber(input.phoneNumber, user?.defaultCountry ?? null);
  if (number === null) throw phoneNumberFault('Invalid phone number');
  return number;
}

async function findRoute(
  tx: Tx,
  about: { userId: number; to: string; assistantNumberId: number | null },
): Promise<Route> {
  const lines = await loadLines(tx, about.userId);
  const route = routeCall({ to: about.to, assistantNumberId: about.assistantNumberId, ...lines });
  if (route) return route;
  throw phoneNumberFault(
    'No configured line can reach this number. The built-in test line reaches only fictional numbers such as +12025550123.',
  );
}

function phoneNumberFault(message: string): DomainError {
  return new DomainError('invalid', errorText.invalidData, { fields: { phone_number: [message] } });
}
