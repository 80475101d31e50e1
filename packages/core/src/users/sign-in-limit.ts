/**
 * Limits password guessing: a number of tries per e-mail address and network address within a window. The counters are in
 * Postgres, so the limit holds for all processes together. A try is counted before the password is checked, so concurrent
 * tries cannot bypass the limit. SQL, because concurrent tries increment one counter.
 */
import { statement } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { hashSecret } from '../shared/random-secret.ts';
import { emailKey } from './create-user.ts';

const WINDOW_MS = 15 * 60_000;
const MAX_FAILURES = 8;

/** The e-mail address of a sign-in, and the network address that it comes from. */
export interface SignInSource {
  email: string;
  networkAddress: string;
}

const countAttempt = statement<{ failures: number }>(
  'count_sign_in_attempt',
  `insert into sign_in_attempts as a (bucket, window_started_at, failures) values ($1, $2, 1)
   on conflict (bucket) do update set
     failures = case when a.window_started_at < $3 then 1 else a.failures + 1 end,
     window_started_at = case when a.window_started_at < $3 then $2 else a.window_started_at end
   returning failures`,
);
const forgetAttempts = statement('forget_sign_in_attempts', `delete from sign_in_attempts where bucket = $1`);
const forgetOldAttempts = statement(
  'forget_old_sign_in_attempts',
  `delete from sign_in_attempts where window_started_at < $1`,
);

/** @throws DomainError `too-many` when the window's tries are used up */
export async function countSignInAttempt(ctx: CoreContext, source: SignInSource): Promise<void> {
  const at = now(ctx);
  const windowStart = new Date(at.getTime() - WINDOW_MS);
  const [row] = await ctx.db.query(countAttempt, [bucketOf(source), at, windowStart]);
  if (row && row.failures > MAX_FAILURES) throw new DomainError('too-many', 'Too Many Attempts.');
}

/** After a correct password the earlier tries no longer count. Also deletes old windows of other users. */
export async function forgetSignInAttempts(ctx: CoreContext, source: SignInSource): Promise<void> {
  await ctx.db.query(forgetAttempts, [bucketOf(source)]);
  await ctx.db.query(forgetOldAttempts, [new Date(ctx.clock.now() - WINDOW_MS)]);
}

function bucketOf(source: SignInSource): Buffer {
  return hashSecret(`${emailKey(source.email)}\n${source.networkAddress}`);
}
