/** Lists, adds, changes and disables user accounts; for operators. */
import { isoMicroseconds, type NewUser, type UserChanges, type UserRecord } from '@parley/contracts';
import { LockMode, User, type Transaction, type UserRow } from '@parley/db';
import { wakeNextHeld } from '../capacity/campaign-hold.ts';
import { lockRunningCampaigns } from '../dialing/campaign-rows.ts';
import { retryWaitingLeads } from '../dialing/dial-queue.ts';
import { stopCampaigns } from '../dialing/stop-campaigns.ts';
import { findUserCalls, withdrawCalls } from '../lifecycle/withdraw-calls.ts';
import { disableLimitDeliveries } from '../outbox/delivery-state.ts';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { insertUser } from '../users/create-user.ts';
import { endAllSessions, lockUser } from '../users/end-sessions.ts';
import type { Identity } from '../users/identity.ts';
import { readCountry } from '../users/number-country.ts';
import { requireOperator } from '../users/require-operator.ts';

/** The first user first. @throws DomainError `forbidden` for members */
export async function listUserAccounts(ctx: CoreContext, identity: Identity): Promise<UserRecord[]> {
  requireOperator(identity);
  return (await ctx.db.em.find(User, {}, { orderBy: { id: 'asc' } })).map(userRecord);
}

/** @throws DomainError `forbidden` for members; `invalid` for an address that is invalid or taken, an invalid password or country */
export async function addUserAccount(
  ctx: CoreContext,
  identity: Identity,
  input: NewUser,
): Promise<UserRecord> {
  requireOperator(identity);
  const user = await insertUser(ctx, {
    name: input.name,
    email: input.email,
    password: input.password ?? undefined,
    role: input.role,
    timezone: input.timezone,
    defaultCountry: readCountry(input.default_country),
    maxCalls: input.max_calls ?? undefined,
    maxAttemptsPerNumberPerDay: input.max_attempts_per_number_per_day,
    maxAttemptsPerNumberPerWeek: input.max_attempts_per_number_per_week,
    maxCallsPerSecond: input.max_calls_per_second,
    maxCallsPerDay: input.max_calls_per_day,
    maxCostPerDay: input.max_cost_per_day,
    limitWebhookUrl: input.limit_webhook_url,
  });
  return userRecord(user);
}

/**
 * A new role applies from the user's next request on.
 *
 * @throws DomainError `forbidden` for members, `not-found`, `invalid` for an unknown country, `conflict` when no operator would
 *   be left and for a user who disables themselves
 */
export async function changeUserAccount(
  ctx: CoreContext,
  identity: Identity,
  input: UserChanges & { id: number },
): Promise<UserRecord> {
  requireOperator(identity);
  const country = readCountry(input.default_country);
  const record = await ctx.db.transaction(async (tx) => {
    if (input.role === 'member') await keepAnOperator(tx, input.id, 'become a member');
    if (input.is_disabled === true) await keepAnOperator(tx, input.id, 'be disabled');
    const user = await tx.em.findOne(User, { id: input.id });
    if (!user) throw new DomainError('not-found', 'User not found');
    user.name = input.name?.trim() ?? user.name;
    user.role = input.role ?? user.role;
    user.timezone = input.timezone ?? user.timezone;
    user.maxCalls = input.max_calls ?? user.maxCalls;
    if (country !== undefined) user.defaultCountry = country;
    await setAttemptLimits(ctx, tx, user, input);
    const areLimitsSent = setDialLimits(user, input);
    await setLimitWebhook(ctx, tx, user, input.limit_webhook_url);
    if (input.is_disabled !== undefined)
      await setDisabled(ctx, tx, user, { isDisabled: input.is_disabled, by: identity });
    if (input.max_calls !== undefined || areLimitsSent) await wakeNextHeld(tx, [`account:${user.id}`]);
    return userRecord(user);
  });
  if (input.is_disabled === true)
    await withdrawCalls(ctx, { callIds: await findUserCalls(ctx.db, input.id), reason: 'account_disabled' });
  return record;
}

/** Leads that wait for a lower limit become due; the dial rule decides again whether they may be dialed. */
async function setAttemptLimits(
  ctx: CoreContext,
  tx: Transaction,
  user: UserRow,
  { max_attempts_per_number_per_day: perDay, max_attempts_per_number_per_week: perWeek }: UserChanges,
): Promise<void> {
  if (perDay === undefined && perWeek === undefined) return;
  await lockRunningCampaigns(tx, user.id);
  if (perDay !== undefined) user.maxAttemptsPerNumberPerDay = perDay;
  if (perWeek !== undefined) user.maxAttemptsPerNumberPerWeek = perWeek;
  await retryWaitingLeads(tx, { reason: 'attempt_limit', userId: user.id, at: now(ctx) });
}

/** @returns whether any was sent */
function setDialLimits(
  user: UserRow,
  { max_calls_per_second: perSecond, max_calls_per_day: perDay, max_cost_per_day: costPerDay }: UserChanges,
): boolean {
  if (perSecond !== undefined) user.maxCallsPerSecond = perSecond;
  if (perDay !== undefined) user.maxCallsPerDay = perDay;
  if (costPerDay !== undefined) user.maxCostPerDay = costPerDay;
  return [perSecond, perDay, costPerDay].some((limit) => limit !== undefined);
}

/** Null switches the webhook off. */
async function setLimitWebhook(
  ctx: CoreContext,
  tx: Transaction,
  user: UserRow,
  url: string | null | undefined,
): Promise<void> {
  if (url === undefined) return;
  user.limitWebhookUrl = url;
  if (url === null) await disableLimitDeliveries(ctx, tx, user.id);
}

/** Locks in the order of ids, so that two changes of roles at the same time wait for each other and do not deadlock. */
async function keepAnOperator({ em }: Transaction, userId: number, change: string): Promise<void> {
  const lock = { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  const operators = await em.find(User, { role: 'operator', disabledAt: null }, lock);
  if (operators.some(({ id }) => id !== userId)) return;
  throw new DomainError('conflict', `The last operator cannot ${change}.`);
}

/**
 * A disabled user has no sessions, and campaigns that are stopped. Unanswered calls end, conversations go on. API tokens,
 * numbers and data stay, so that the user can be enabled again; campaigns stay stopped.
 */
async function setDisabled(
  ctx: CoreContext,
  tx: Transaction,
  user: UserRow,
  { isDisabled, by }: { isDisabled: boolean; by: Identity },
): Promise<void> {
  if (user.id === by.userId) throw new DomainError('conflict', 'You cannot disable yourself.');
  await lockUser(tx, user.id);
  if (user.removalRequestedAt !== null)
    throw new DomainError('conflict', 'This user is being removed and cannot be enabled again.');
  if ((user.disabledAt !== null) === isDisabled) return;
  user.disabledAt = isDisabled ? now(ctx) : null;
  if (!isDisabled) return;
  await endAllSessions(tx, user.id);
  await stopCampaigns(ctx, tx, { userId: user.id });
}

function userRecord(row: UserRow): UserRecord {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    timezone: row.timezone,
    default_country: row.defaultCountry,
    max_calls: row.maxCalls,
    max_attempts_per_number_per_day: row.maxAttemptsPerNumberPerDay,
    max_attempts_per_number_per_week: row.maxAttemptsPerNumberPerWeek,
    max_calls_per_second: row.maxCallsPerSecond,
    max_calls_per_day: row.maxCallsPerDay,
    max_cost_per_day: row.maxCostPerDay,
    limit_webhook_url: row.limitWebhookUrl,
    disabled_at: row.disabledAt && isoMicroseconds(row.disabledAt),
    removal_requested_at: row.removalRequestedAt && isoMicroseconds(row.removalRequestedAt),
    has_second_factor: row.totpEnabledAt !== null,
    created_at: isoMicroseconds(row.createdAt),
  };
}
