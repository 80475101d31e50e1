/**
 * How often a number was dialed by all calls of a user, and when it may be dialed again (docs/decisions/number-attempts.md).
 * SQL, because it is part of every dial.
 */
import { statement, type Tx } from '@parley/db';

/**
 * When the limits of the user allow the next attempt; null: they do not forbid it. With at most n attempts within a period,
 * that is when the n-th of the latest attempts is as old as the period.
 *
 * @param userId - a column or a parameter
 * @param phoneNumber - likewise
 */
export const attemptAllowedAt = (userId: string, phoneNumber: string): string =>
  `(select max(latest.at + l.period) from users u
    cross join lateral (values
      (u.max_attempts_per_number_per_day, interval '24 hours'),
      (u.max_attempts_per_number_per_week, interval '168 hours')) as l (attempts, period)
    cross join lateral (
      select a.at from number_attempts a where a.user_id = u.id and a.phone_number = ${phoneNumber}
      order by a.at desc offset l.attempts - 1 limit 1) as latest
    where u.id = ${userId} and l.attempts is not null)`;

const find = statement<{ allowedAt: Date | null }>(
  'attempt_allowed_at',
  `select ${attemptAllowedAt('$1', '$2')} as allowed_at`,
);
const LONGEST_PERIOD_MS = 168 * 3_600_000;
const BATCH = 1_000;
/** Trunks to test phones do not count. */
const insert = statement(
  'add_number_attempt',
  `insert into number_attempts (user_id, phone_number, at)
   select $1, $2, $4 where exists (select 1 from trunks where id = $3 and reach = 'any')
   on conflict do nothing`,
);
const remove = statement<{ at: Date }>(
  'remove_old_number_attempts',
  `delete from number_attempts where (user_id, phone_number, at) in
     (select user_id, phone_number, at from number_attempts
      where at < $1 order by at limit ${BATCH} for update skip locked)
   returning at`,
);

/** @returns possibly in the past; null: the limits of the user do not forbid an attempt */
export async function findAttemptAllowedAt(
  tx: Tx,
  userId: number,
  phoneNumber: string,
): Promise<Date | null> {
  const [found] = await tx.query(find, [userId, phoneNumber]);
  return found?.allowedAt ?? null;
}

/** Counts an attempt, in the transaction that permits it. A user has one outbound call to a number at a time. */
export async function addNumberAttempt(
  tx: Tx,
  {
    userId,
    clientPhoneNumber,
    trunkId,
  }: { userId: number; clientPhoneNumber: string; trunkId: number | null },
  at: Date,
): Promise<void> {
  if (trunkId !== null) await tx.query(insert, [userId, clientPhoneNumber, trunkId, at]);
}

/** Attempts that no limit asks for any more. Run by the sweep; the rest is removed by the next one. */
export async function removeOldNumberAttempts(tx: Tx, at: Date): Promise<void> {
  await tx.query(remove, [new Date(at.getTime() - LONGEST_PERIOD_MS)]);
}
