/**
 * Places a call: in one transaction inserts it with a copy of its assistant's settings and enqueues the job that dials
 * it, so that either both exist or neither.
 */
import { randomUUID } from 'node:crypto';
import { errorText, isoMicroseconds } from '@parley/contracts';
import {
  isUniqueViolation,
  sendTogether,
  statement,
  type PostCallField,
  type StoredStream,
  type Tx,
} from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { isOnDoNotCallList } from '../lookups/is-on-do-not-call-list.ts';
import { isScriptedModel } from '../lookups/is-scripted-model.ts';
import { findAttemptAllowedAt } from '../lookups/number-attempts.ts';
import { DISCLOSING } from '../lookups/stored-stream.ts';
import { enqueueDial } from '../jobs/enqueue-dial.ts';
import { readAccountNumbers } from '../users/account-number.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { mayCallNumber } from '../users/token-limits.rules.ts';
import {
  routeOptionsWithin,
  lockCallCapacity,
  planLimitLocks,
  type CapacityRequest,
} from '../capacity/call-capacity.ts';
import type { CallConfiguration } from '../calls/call-configuration.ts';
import { freezeCallable } from '../calls/freeze-callable.ts';
import { insertCall, ONE_CALL_PER_NUMBER } from '../calls/insert-call.ts';
import { explainRefusal, explainUsage } from '../capacity/explain-refusal.ts';
import { refusalOf } from '../capacity/load-destination-policy.ts';
import { loadRouteOptions, type StoredRouteOptions } from '../capacity/load-route-options.ts';
import { verdictOfUsage } from '../capacity/dial-usage.rules.ts';
import { readDialUsage } from '../capacity/dial-usage.ts';
import { isHarmless, routeCall, type TrunkHoldReason, type Route } from '../capacity/route-call.rules.ts';
import { fleetCapacity } from '../capacity/lease.ts';

/** A request for a call. */
export interface PlaceCallInput {
  /** As people write it; without `+` it is a number of the user's default country. */
  phoneNumber: string;
  assistantId: number;
  variables?: Record<string, unknown> | undefined;
  /** Added to the prompt of the assistant for this call. */
  instructions?: string | undefined;
  /** What the evaluation of this call answers, in place of the questions of the assistant. */
  postCallSchema?: PostCallField[] | undefined;
  /** The agent that talks in place of the assistant. */
  stream?: StoredStream | undefined;
  /** True: the call uses a built-in test trunk or fails, whatever trunk the assistant's number has. Default: false. */
  isTest?: boolean | undefined;
}

const findLive = statement<{ callId: number }>(
  'live_call_of_number',
  `select call_id from live_calls where user_id = $1 and client_phone_number = $2 and starts_with(client_phone_number, '+')`,
);

/**
 * @throws DomainError `not-found` for an assistant that does not exist or belongs to another user; `invalid` for a number that
 *   is impossible, forbidden, dialed too often, refused by the operator's settings or that no trunk takes now, for an account at its limit, and for an assistant that is inactive or only receives calls;
 *   `conflict` when the number is already in a call
 */
export async function placeCall(
  ctx: CoreContext,
  identity: Identity,
  input: PlaceCallInput,
): Promise<{ callId: number }> {
  try {
    return await ctx.db.transaction((tx) => placeInTransaction(ctx, tx, { ...input, identity }));
  } catch (error) {
    if (!isUniqueViolation(error, ONE_CALL_PER_NUMBER)) throw error;
    throw numberInCall(error);
  }
}

/** What a call would be. */
export interface CallPreview {
  /** E.164. */
  from: string;
  to: string;
  assistantName: string;
}

const selectPreview = statement<CallPreview>(
  'preview_of_call',
  `select assistant_phone_number as "from", client_phone_number as "to", assistant_name
   from calls where id = $1`,
);

class PreviewMade extends Error {
  readonly preview: CallPreview;

  constructor(preview: CallPreview) {
    super('The call is only previewed');
    this.preview = preview;
  }
}

/**
 * Checks a call like {@link placeCall}, and places none: its transaction is rolled back.
 *
 * @throws DomainError as {@link placeCall}
 */
export async function previewCall(
  ctx: CoreContext,
  identity: Identity,
  input: PlaceCallInput,
): Promise<CallPreview> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const { callId } = await placeInTransaction(ctx, tx, { ...input, identity });
      const [preview] = await tx.query(selectPreview, [callId]);
      if (!preview) throw new Error('The previewed call is missing');
      throw new PreviewMade(preview);
    });
  } catch (error) {
    if (error instanceof PreviewMade) return error.preview;
    if (!isUniqueViolation(error, ONE_CALL_PER_NUMBER)) throw error;
    throw numberInCall(error);
  }
}

async function placeInTransaction(
  ctx: CoreContext,
  tx: Tx,
  input: PlaceCallInput & { identity: Identity },
): Promise<{ callId: number }> {
  const { assistantId, identity } = input;
  const { userId, tokenId, allowedNumbers } = identity;
  // Last, because a number without a country code needs another statement first.
  const [configuration, routeOptions, capacityOfFleet, callee] = await sendTogether(tx, [
    (tx) => freezeCallable(tx, { userId, assistantId }),
    (tx) => loadOptions(tx, { ...input, userId }),
    fleetCapacity,
    (tx) => readCallee(tx, { ...input, userId }),
  ]);
  const clientPhoneNumber = callee.number;
  if (configuration.assistant.type !== 'outbound' && !input.isTest) throw inboundAssistant();
  if (input.stream && configuration.assistant.disclosureMessage) throw disclosingAssistant();
  if (clientPhoneNumber === null) throw phoneNumberFault('Invalid phone number');
  if (!mayCallNumber(allowedNumbers, clientPhoneNumber))
    throw phoneNumberFault('This API token must not call this number.');
  if (callee.isForbidden) throw phoneNumberFault('This number is on the do-not-call list.');
  const at = now(ctx);
  const { attemptAllowedAt } = callee;
  if (attemptAllowedAt && attemptAllowedAt > at) throw attemptsUsedUp(attemptAllowedAt);
  const { phoneNumberId: assistantNumberId } = configuration.assistant;
  const request = { userId, routeOptions, wanted: 1, at, fleetCapacity: capacityOfFleet };
  const route = await findRoute(tx, request, { to: clientPhoneNumber, assistantNumberId });
  await refuseBeyondLimits(tx, { userId, tokenId, route, routeOptions });
  const callId = await insertCall(tx, {
    userId,
    tokenId,
    type: 'outbound',
    configuration: streamedTo(await asInstructed(tx, configuration, input), input.stream),
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

async function loadOptions(
  tx: Tx,
  { userId, isTest = false }: PlaceCallInput & { userId: number },
): Promise<StoredRouteOptions> {
  const options = await loadRouteOptions(tx, userId);
  return isTest ? { ...options, trunks: options.trunks.filter((trunk) => trunk.isTest) } : options;
}

/** For a clear answer; what counts is the permission to dial. Test phones are exempt. */
async function refuseBeyondLimits(
  tx: Tx,
  call: { userId: number; tokenId: number | null; route: Route; routeOptions: StoredRouteOptions },
): Promise<void> {
  const trunk = call.routeOptions.trunks.find(({ id }) => id === call.route.trunkId);
  if (trunk && isHarmless(trunk)) return;
  const verdict = verdictOfUsage(await readDialUsage(tx, call));
  if (verdict) throw phoneNumberFault(explainUsage(verdict));
}

function streamedTo(configuration: CallConfiguration, stream?: StoredStream): CallConfiguration {
  return stream ? { ...configuration, answering: { type: 'stream', ...stream } } : configuration;
}

/** @throws DomainError `invalid` for instructions to the built-in model, which follows a script */
async function asInstructed(
  tx: Tx,
  configuration: CallConfiguration,
  { instructions, postCallSchema }: PlaceCallInput,
): Promise<CallConfiguration> {
  if (instructions !== undefined && (await isScriptedModel(tx, configuration.model.id)))
    throw new DomainError('invalid', errorText.invalidData, { fields: { instructions: [SCRIPTED] } });
  const { assistant } = configuration;
  return {
    ...configuration,
    assistant: {
      ...assistant,
      ...(instructions !== undefined && { systemPrompt: `${assistant.systemPrompt}\n\n${instructions}` }),
      ...(postCallSchema && { postCallSchema, isPostCallEvaluated: true }),
    },
  };
}

const SCRIPTED = 'The built-in model of this assistant follows its script and takes no instructions.';

function disclosingAssistant(): DomainError {
  const fields = { assistant_id: [DISCLOSING] };
  return new DomainError('invalid', errorText.invalidData, { fields });
}

function inboundAssistant(): DomainError {
  const fields = { assistant_id: ['The assistant only receives calls.'] };
  return new DomainError('invalid', errorText.invalidData, { fields });
}

interface Callee {
  /** E.164; null where it cannot be a number. */
  number: string | null;
  /** Is on the do-not-call list of the user. */
  isForbidden: boolean;
  /** Null: the limits of attempts per number do not forbid a call. */
  attemptAllowedAt: Date | null;
}

async function readCallee(
  tx: Tx,
  { userId, phoneNumber }: PlaceCallInput & { userId: number },
): Promise<Callee> {
  const [number = null] = await readAccountNumbers(tx, userId, [phoneNumber]);
  if (number === null) return { number, isForbidden: false, attemptAllowedAt: null };
  const [isForbidden, attemptAllowedAt] = await sendTogether(tx, [
    (tx) => isOnDoNotCallList(tx, userId, number),
    (tx) => findAttemptAllowedAt(tx, userId, number),
  ]);
  return { number, isForbidden, attemptAllowedAt };
}

/** Locks the shared limits until the transaction ends, so that no other call takes the slot. */
async function findRoute(
  tx: Tx,
  request: CapacityRequest & { routeOptions: StoredRouteOptions },
  { to, assistantNumberId }: { to: string; assistantNumberId: number | null },
): Promise<Route> {
  const { userId, routeOptions } = request;
  const locks = await planLimitLocks(tx, request);
  // Inserting the call instead would wait for a call whose end is not committed and which waits for our locks.
  const [capacity, live] = await sendTogether(tx, [
    (tx) => lockCallCapacity(tx, locks),
    (tx) => tx.query(findLive, [userId, to]),
  ]);
  if (live.length > 0) throw numberInCall();
  if (capacity.account <= 0) throw phoneNumberFault('Your account has reached its concurrent call limit.');
  const refusal = refusalOf(routeOptions.destinations, to);
  const routing = routeCall({
    to,
    refusal,
    assistantNumberId,
    ...routeOptionsWithin(routeOptions, capacity),
  });
  if ('route' in routing) return routing.route;
  if ('refusal' in routing) throw phoneNumberFault(explainRefusal(routing.refusal, to));
  throw phoneNumberFault(TRUNK_FAULTS[routing.hold.reason]);
}

const TRUNK_FAULTS: Record<TrunkHoldReason, string> = {
  no_line:
    'No configured trunk can reach this number. The built-in test trunk reaches only fictional numbers such as +12025550123.',
  trunk_calls: 'The SIP trunk has reached its concurrent call limit.',
  trunk_rate: 'The SIP trunk has reached its limit of calls per second.',
  daily_limit: 'The SIP trunk has reached its limit of calls or costs per day.',
  trunk_paused: 'The SIP trunk is paused, because most of its calls failed.',
};

function numberInCall(cause?: unknown): DomainError {
  return new DomainError('conflict', 'This number is already in a call.', { cause, code: 'number_in_call' });
}

function attemptsUsedUp(allowedAt: Date): DomainError {
  const from = isoMicroseconds(allowedAt);
  return phoneNumberFault(
    `This number was dialed as often as your account allows within a day or a week. It may be dialed again from ${from}.`,
  );
}

function phoneNumberFault(message: string): DomainError {
  return new DomainError('invalid', errorText.invalidData, { fields: { phone_number: [message] } });
}
