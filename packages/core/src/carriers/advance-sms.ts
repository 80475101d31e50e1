/**
 * The next step of a text message. A message is claimed before the carrier is asked, so that it is sent at most once, however
 * often the job runs and wherever a worker is killed.
 */
import {
  CarrierAccount,
  LockMode,
  SmsMessage,
  User,
  type CarrierAccountRow,
  type SmsMessageRow,
  type Transaction,
} from '@parley/db';
import { isDisarmed } from '../capacity/disarmed.ts';
import { now, type CoreContext } from '../context.ts';
import { enqueue } from '../jobs/catalogue.ts';
import { isOnDoNotCallList } from '../lookups/is-on-do-not-call-list.ts';
import { CARRIER_NAMES, credentialsOf, withCarrier } from './open-carrier.ts';
import { NOT_ERASED } from './send-sms.ts';
import { nextStep, pauseBeforeNextLook, type SmsStep } from './sms-state.rules.ts';
import { CarrierError, type Carrier, type SmsReport, type SmsRequest } from './wire/carrier.ts';

/** The list of a carrier may be some seconds old. */
const LOOK_AFTER_MS = 60_000;

type Changes = Partial<
  Pick<SmsMessageRow, 'status' | 'carrierRef' | 'segments' | 'cost' | 'currency' | 'error'>
>;

/** A message that this run has claimed. */
interface Claimed {
  message: SmsMessageRow;
  account: CarrierAccountRow;
  step: SmsStep;
  ageMs: number;
}

/** @throws CarrierError when the carrier does not say what became of the message, so that the queue repeats it */
export async function advanceSms(ctx: CoreContext, id: number): Promise<void> {
  const claimed = await claim(ctx, id);
  if (!claimed) return;
  const { account, step } = claimed;
  await withCarrier(ctx, credentialsOf(ctx, account), async (carrier) => {
    if (step === 'send') await send(ctx, carrier, claimed);
    else if (step === 'look-for') await lookFor(ctx, carrier, claimed);
    else await ask(ctx, carrier, claimed);
  });
}

/** @returns null when there is nothing to do */
async function claim(ctx: CoreContext, id: number): Promise<Claimed | null> {
  return ctx.db.transaction(async (tx) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    const message = await tx.em.findOne(SmsMessage, { id }, lock);
    if (!message) return null;
    const ageMs = ctx.clock.now() - message.createdAt.getTime();
    const step = nextStep(message.status, {
      ageMs,
      unchangedMs: ctx.clock.now() - message.updatedAt.getTime(),
    });
    if (step === 'wait') await enqueueNext(ctx, tx, id, LOOK_AFTER_MS);
    if (step === 'none' || step === 'wait') return null;
    const account = await tx.em.findOne(CarrierAccount, { id: message.carrierAccountId });
    const obstacle = step === 'send' ? await findObstacle(tx, message) : null;
    if (!account || obstacle !== null) {
      const error = obstacle ?? 'The carrier account has been removed.';
      Object.assign(message, { status: step === 'send' ? 'failed' : 'unknown', error, updatedAt: now(ctx) });
      return null;
    }
    if (step === 'send') Object.assign(message, { status: 'sending', updatedAt: now(ctx) });
    return { message, account, step, ageMs };
  });
}

/** Between the request and the job. */
async function findObstacle(tx: Transaction, { userId, toNumber }: SmsMessageRow): Promise<string | null> {
  if (await isDisarmed(tx)) return 'This restored installation sends no messages.';
  if ((await tx.em.count(User, { id: userId, disabledAt: { $ne: null } })) > 0)
    return 'The account was disabled.';
  const isForbidden = await isOnDoNotCallList(tx, userId, toNumber);
  return isForbidden ? 'This number is on the do-not-call list.' : null;
}

function requestOf({ fromNumber: from, toNumber: to, body }: SmsMessageRow): SmsRequest {
  return { from, to, body };
}

async function send(ctx: CoreContext, carrier: Carrier, { message, account }: Claimed): Promise<void> {
  const connection = account.connection ?? { trunkRef: '', messagingProfileRef: null };
  try {
    const report = await carrier.sendSms(requestOf(message), connection);
    await write(ctx, message.id, changesOf(report), { nextLookMs: pauseBeforeNextLook(0) });
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    await writeFailure(ctx, message.id, account, error);
  }
}

/** `rate-limited` is refused before anything is sent; after `uncertain` the message may have been sent. */
async function writeFailure(
  ctx: CoreContext,
  id: number,
  { kind: carrier }: CarrierAccountRow,
  { kind, message, retryAfterSeconds }: CarrierError,
): Promise<void> {
  if (kind === 'uncertain') {
    await write(ctx, id, {}, { nextLookMs: LOOK_AFTER_MS });
  } else if (kind === 'rate-limited') {
    await write(ctx, id, { status: 'queued' }, { nextLookMs: (retryAfterSeconds ?? 1) * 1_000 });
  } else {
    const error = `${CARRIER_NAMES[carrier]} refuses the message. ${message}`;
    await write(ctx, id, { status: 'failed', error }, { nextLookMs: null });
  }
}

/** An earlier run was killed, or the answer to it was lost. */
async function lookFor(ctx: CoreContext, carrier: Carrier, { message, account }: Claimed): Promise<void> {
  const found = await carrier.findSms(requestOf(message), message.createdAt);
  const name = CARRIER_NAMES[account.kind];
  if (found === 'unknown') {
    const error = `${name} did not confirm the message. It is not sent again, because it may have arrived.`;
    await write(ctx, message.id, { status: 'unknown', error }, { nextLookMs: null });
  } else if (found === null) {
    const error = `${name} did not confirm the message, and does not list it.`;
    await write(ctx, message.id, { status: 'failed', error }, { nextLookMs: null });
  } else {
    await write(ctx, message.id, changesOf(found), { nextLookMs: pauseBeforeNextLook(0) });
  }
}

async function ask(ctx: CoreContext, carrier: Carrier, { message, ageMs }: Claimed): Promise<void> {
  const { carrierRef } = message;
  if (carrierRef === null) return;
  const report = await carrier.readSms(carrierRef);
  await write(ctx, message.id, changesOf(report), { nextLookMs: pauseBeforeNextLook(ageMs) });
}

function changesOf({ ref, status, segments, cost, currency, error }: SmsReport): Changes {
  return { carrierRef: ref, status, segments, cost, currency, error };
}

/**
 * Writes nothing to a message whose receiver was erased meanwhile.
 *
 * @param nextLookMs - when the job runs again, unless the message is settled; null: never
 */
async function write(
  ctx: CoreContext,
  id: number,
  changes: Changes,
  { nextLookMs }: { nextLookMs: number | null },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const written = await tx.em.nativeUpdate(
      SmsMessage,
      { id, toNumber: NOT_ERASED },
      { ...changes, updatedAt: now(ctx) },
    );
    if (written === 0) return;
    const isSettled = changes.status !== undefined && !['queued', 'sent'].includes(changes.status);
    if (nextLookMs === null || isSettled) return;
    await enqueueNext(ctx, tx, id, nextLookMs);
  });
}

function enqueueNext(ctx: CoreContext, tx: Transaction, smsId: number, afterMs: number): Promise<void> {
  return enqueue(tx, 'advance_sms', { smsId }, { runAt: new Date(ctx.clock.now() + afterMs) });
}
