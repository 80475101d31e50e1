/**
 * Limits password guessing within a window: for each e-mail address from one network, for each e-mail address, for each
 * network, and overall; and guessing of codes of the second factor: for each user. A network is an IPv4 address or a /64 of
 * IPv6. The counters are in Postgres, so the limits hold for all processes together. An attempt is counted before the
 * password is hashed, so concurrent attempts cannot bypass a limit, and refused ones cost no hash. SQL, because concurrent
 * attempts increment the same counters.
 */
import { statement } from '@parley/db';
import { networkOf } from '@parley/runtime';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { hashSecret } from '../shared/random-secret.ts';
import { emailKey } from './create-user.ts';

const WINDOW_MS = 15 * 60_000;
/** Attempts in a window; those of correct passwords count for the network address and overall. */
const MAX_ATTEMPTS = { source: 8, account: 50, network: 100, overall: 1000, codes: 10 };

/** The e-mail address of a sign-in, and the network address that it comes from. */
export interface SignInSource {
  email: string;
  networkAddress: string;
}

/** In the order of the buckets, so that concurrent attempts cannot deadlock. */
const countAttempt = statement<{ bucket: string; failures: number }>(
  'count_sign_in_attempt',
  `insert into sign_in_attempts as a (bucket, window_started_at, failures)
   select decode(b, 'hex'), $2, 1 from unnest($1::text[]) b order by b
   on conflict (bucket) do update set
     failures = case when a.window_started_at < $3 then 1 else a.failures + 1 end,
     window_started_at = case when a.window_started_at < $3 then $2 else a.window_started_at end
   returning encode(bucket, 'hex') as bucket, failures`,
);
const forgetAttempts = statement('forget_sign_in_attempts', `delete from sign_in_attempts where bucket = $1`);
const forgetOldAttempts = statement(
  'forget_old_sign_in_attempts',
  `delete from sign_in_attempts where window_started_at < $1`,
);

/** @throws DomainError `too-many` when the attempts of a window are used up */
export async function countSignInAttempt(ctx: CoreContext, source: SignInSource): Promise<void> {
  await countWithin(ctx, limitsOf(source));
}

/** After a correct password its earlier attempts no longer count. Also deletes old windows. */
export async function forgetSignInAttempts(ctx: CoreContext, source: SignInSource): Promise<void> {
  await ctx.db.query(forgetAttempts, [hashSecret(sourceKey(source))]);
  await ctx.db.query(forgetOldAttempts, [new Date(ctx.clock.now() - WINDOW_MS)]);
}

/**
 * Counts a code of the second factor, from wherever it comes, before it is compared.
 *
 * @throws DomainError `too-many` when the attempts of the window are used up
 */
export async function countCodeAttempt(ctx: CoreContext, userId: number): Promise<void> {
  await countWithin(ctx, new Map([[bucketOf(codesKey(userId)), MAX_ATTEMPTS.codes]]));
}

/** After a correct code. */
export async function forgetCodeAttempts(ctx: CoreContext, userId: number): Promise<void> {
  await ctx.db.query(forgetAttempts, [hashSecret(codesKey(userId))]);
}

/** @param limits - of each counter, by its bucket in hexadecimal form */
async function countWithin(ctx: CoreContext, limits: ReadonlyMap<string, number>): Promise<void> {
  const at = now(ctx);
  const windowStart = new Date(at.getTime() - WINDOW_MS);
  const rows = await ctx.db.query(countAttempt, [[...limits.keys()], at, windowStart]);
  if (rows.some(({ bucket, failures }) => failures > (limits.get(bucket) ?? 0)))
    throw new DomainError('too-many', 'Too Many Attempts.');
}

const sourceKey = ({ email, networkAddress }: SignInSource): string =>
  `${emailKey(email)}\n${networkOf(networkAddress)}`;

const codesKey = (userId: number): string => `codes\n${userId}`;

const bucketOf = (key: string): string => hashSecret(key).toString('hex');

/** The limit of each counter, by its bucket in hexadecimal form. */
function limitsOf(source: SignInSource): Map<string, number> {
  return new Map([
    [bucketOf(sourceKey(source)), MAX_ATTEMPTS.source],
    [bucketOf(`account\n${emailKey(source.email)}`), MAX_ATTEMPTS.account],
    [bucketOf(`network\n${networkOf(source.networkAddress)}`), MAX_ATTEMPTS.network],
    [bucketOf('overall'), MAX_ATTEMPTS.overall],
  ]);
}
