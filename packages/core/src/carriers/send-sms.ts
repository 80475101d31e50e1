/**
 * Accepts text messages: in one transaction stores a message and enqueues the job that sends it (`advance-sms.ts`). A message is
 * refused like a call: do-not-call list, countries and kinds of numbers, numbers of the token, and a limit per day.
 */
import { errorText, isoMicroseconds, type NewSms, type SmsRecord } from '@parley/contracts';
import {
  PhoneNumber,
  SmsMessage,
  statement,
  type PhoneNumberRow,
  type SmsMessageRow,
  type Tx,
} from '@parley/db';
import { isDisarmed } from '../capacity/disarmed.ts';
import { explainRefusal } from '../capacity/explain-refusal.ts';
import { loadDestinationPolicy, refusalOf } from '../capacity/load-destination-policy.ts';
import { now, type CoreContext } from '../context.ts';
import { enqueue } from '../jobs/catalogue.ts';
import { isOnDoNotCallList } from '../lookups/is-on-do-not-call-list.ts';
import { DomainError } from '../shared/domain-error.ts';
import { readAccountNumbers } from '../users/account-number.ts';
import type { Identity } from '../users/identity.ts';
import { mayCallNumber } from '../users/token-limits.rules.ts';

/** SQL, because messages of one user that are sent at once are counted one after the other. */
const lockUser = statement<unknown>(
  'lock_sms_of_user',
  `select pg_advisory_xact_lock(hashtextextended('sms:' || $1::text, 0))`,
);
/** SQL, because the identity of a request does not have this limit. */
const findCostLimit = statement<{ id: number }>(
  'find_token_with_cost_limit',
  `select id from api_tokens where id = $1 and max_cost_per_day is not null`,
);
/** SQL of the messages that the limit of a day counts, also those whose receiver was erased. */
export const IS_OF_TODAY = `created_at >= date_trunc('day', clock_timestamp() at time zone 'UTC') at time zone 'UTC'`;
/** SQL, because it compares with the clock of the database. Messages that the carrier refused count too. */
const readUsage = statement<{ sent: number; max: number | null }>(
  'read_sms_usage',
  `select (select count(*) from sms_messages where user_id = $1 and ${IS_OF_TODAY}) as sent,
     p.sms_per_day as max
   from dial_policy p`,
);

/** The receiver of a message that was not erased. */
export const NOT_ERASED = { $ne: '' };

const COSTS_ARE_LIMITED =
  'This API token has a limit of costs per day, and what a message costs is known only after it was sent. Use a token without that limit.';

/**
 * @throws DomainError `invalid` for a number that is not the user's or of no carrier account, and for a receiver that is
 *   impossible, forbidden or not allowed; `too-many` beyond the limit of a day; `conflict` for a restored copy; `forbidden` for
 *   a token with a limit of costs
 */
export async function sendSms(ctx: CoreContext, identity: Identity, input: NewSms): Promise<SmsRecord> {
  return ctx.db.transaction(async (tx) => {
    if (await isDisarmed(tx))
      throw new DomainError('conflict', 'This restored installation sends no messages.');
    await refuseWithCostLimit(tx, identity);
    const from = await requireSender(tx, identity, input.from);
    const to = await requireReceiver(tx, identity, input.to);
    await tx.query(lockUser, [identity.userId]);
    await refuseBeyondLimit(tx, identity);
    const at = now(ctx);
    const message = tx.em.create(SmsMessage, {
      userId: identity.userId,
      carrierAccountId: from.carrierAccountId,
      phoneNumberId: from.id,
      fromNumber: from.phoneNumber,
      toNumber: to,
      body: input.body,
      status: 'queued',
      carrierRef: null,
      segments: null,
      cost: null,
      currency: null,
      error: null,
      createdAt: at,
      updatedAt: at,
    });
    await tx.em.flush();
    await enqueue(tx, 'advance_sms', { smsId: message.id });
    return smsRecord(message);
  });
}

/** @throws DomainError `not-found`, also for a message of another user, and for one whose receiver was erased */
export async function findSms(ctx: CoreContext, { userId }: Identity, id: number): Promise<SmsRecord> {
  const message = await ctx.db.em.findOne(SmsMessage, { id, userId, toNumber: NOT_ERASED });
  if (!message) throw new DomainError('not-found', 'SMS not found');
  return smsRecord(message);
}

type Sender = Pick<PhoneNumberRow, 'id' | 'phoneNumber'> & { carrierAccountId: number };

async function requireSender(tx: Tx, { userId }: Identity, id: number): Promise<Sender> {
  const number = await tx.em.findOne(PhoneNumber, { id, userId });
  if (!number) throw fault('from', 'The selected from is invalid.');
  const { phoneNumber, carrierAccountId } = number;
  if (carrierAccountId === null)
    throw fault(
      'from',
      'This number belongs to no carrier account. Messages are sent from numbers that were bought or imported through one.',
    );
  if (!number.isSmsCapable) throw fault('from', 'The carrier says that this number cannot send messages.');
  return { id, phoneNumber, carrierAccountId };
}

async function requireReceiver(tx: Tx, identity: Identity, text: string): Promise<string> {
  const [to = null] = await readAccountNumbers(tx, identity.userId, [text]);
  if (to === null) throw fault('to', 'Invalid phone number');
  if (!mayCallNumber(identity.allowedNumbers, to))
    throw fault('to', 'This API token must not send to this number.');
  if (await isOnDoNotCallList(tx, identity.userId, to))
    throw fault('to', 'This number is on the do-not-call list.');
  const refusal = refusalOf(await loadDestinationPolicy(tx), to);
  if (refusal) throw fault('to', explainRefusal(refusal, to, 'Messages'));
  return to;
}

/** The carrier reports what a message has cost only afterwards, and in its own currency. */
async function refuseWithCostLimit(tx: Tx, { tokenId }: Identity): Promise<void> {
  if (tokenId === null || (await tx.query(findCostLimit, [tokenId])).length === 0) return;
  throw new DomainError('forbidden', COSTS_ARE_LIMITED);
}

async function refuseBeyondLimit(tx: Tx, { userId }: Identity): Promise<void> {
  const [usage] = await tx.query(readUsage, [userId]);
  if (!usage || usage.max === null || usage.sent < usage.max) return;
  throw fault('to', `Your account has reached its limit of messages per day (${usage.max}).`);
}

function fault(field: string, text: string): DomainError {
  return new DomainError('invalid', errorText.invalidData, { fields: { [field]: [text] } });
}

function smsRecord(row: SmsMessageRow): SmsRecord {
  return {
    id: row.id,
    phone_number_id: row.phoneNumberId,
    from: row.fromNumber,
    to: row.toNumber,
    body: row.body,
    user_id: row.userId,
    segments: row.segments,
    total_cost: row.cost,
    currency: row.currency,
    status: row.status,
    error: row.error,
    sms_sid: row.carrierRef,
    created_at: isoMicroseconds(row.createdAt),
    updated_at: isoMicroseconds(row.updatedAt),
  };
}
