/** The suites of simulated callers of a user. */
import {
  errorText,
  type NewSuite,
  type SuiteChanges,
  type SuiteDetail,
  type SuiteRecord,
} from '@parley/contracts';
import { LockMode, statement, Suite, type SuiteRow, type Transaction } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { checkSuite } from './check-suite.ts';
import { lastRunsOf } from './list-runs.ts';
import { suiteDetail, suiteRecord, type SuiteFacts } from './suite-record.ts';

/** Suites of one user. */
const MAX_SUITES = 100;

/** SQL, because the row of the user serialises creations. */
const lockUser = statement<{ id: number }>(
  'lock_user_of_suite',
  'select id from users where id = $1 for no key update',
);
/** SQL, because the texts are large and not shown in a list. */
const selectSuites = statement<SuiteFacts>(
  'list_suites',
  `select id, user_id, name, callers_count, conversations_count, created_at, updated_at
   from suites where user_id = $1 order by id desc`,
);

const forgetSuite = statement(
  'forget_suite_of_runs',
  'update suite_runs set suite_id = null where suite_id = $1',
);

/** All of them, newest first. */
export async function listSuites(ctx: CoreContext, { userId }: Identity): Promise<SuiteRecord[]> {
  const rows = await ctx.db.query(selectSuites, [userId]);
  const runs = await lastRunsOf(
    ctx.db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => suiteRecord(row, runs.get(row.id) ?? null));
}

/** @throws DomainError `not-found`, also when it has another owner */
export async function findSuite(ctx: CoreContext, { userId }: Identity, id: number): Promise<SuiteDetail> {
  const row = await ctx.db.em.findOne(Suite, { id, userId });
  if (!row) throw suiteNotFound();
  const runs = await lastRunsOf(ctx.db, [id]);
  return suiteDetail(row, runs.get(id) ?? null);
}

/** @throws DomainError `invalid` for a faulty suite, and when the user has the maximum already */
export async function createSuite(
  ctx: CoreContext,
  identity: Identity,
  { name, definition }: NewSuite,
): Promise<SuiteDetail> {
  const { userId } = identity;
  const { suite, callers, conversations } = await checkSuite(ctx, identity, definition);
  return ctx.db.transaction(async (tx) => {
    await tx.query(lockUser, [userId]);
    if ((await tx.em.count(Suite, { userId })) >= MAX_SUITES) {
      const fields = { name: [`An account has at most ${MAX_SUITES} suites.`] };
      throw new DomainError('invalid', errorText.invalidData, { fields });
    }
    const at = now(ctx);
    const row = tx.em.create(Suite, {
      userId,
      name: name ?? suite.name ?? 'Suite',
      definition,
      callersCount: callers.length,
      conversationsCount: conversations,
      createdAt: at,
      updatedAt: at,
    });
    await tx.em.flush();
    return suiteDetail(row, null);
  });
}

/** Runs keep the text with which they started. @throws DomainError `not-found`; `invalid` for a faulty suite */
export async function changeSuite(
  ctx: CoreContext,
  identity: Identity,
  { id, changes: { name, definition } }: { id: number; changes: SuiteChanges },
): Promise<SuiteDetail> {
  const checked = definition === undefined ? null : await checkSuite(ctx, identity, definition);
  return ctx.db.transaction(async (tx) => {
    const row = await lockSuite(tx, identity, id);
    if (name !== undefined) row.name = name;
    if (definition !== undefined && checked) {
      row.definition = definition;
      row.callersCount = checked.callers.length;
      row.conversationsCount = checked.conversations;
    }
    row.updatedAt = now(ctx);
    await tx.em.flush();
    return suiteDetail(row, (await lastRunsOf(tx, [id])).get(id) ?? null);
  });
}

/** Its runs stay, and go on. @throws DomainError `not-found` */
export async function deleteSuite(ctx: CoreContext, identity: Identity, id: number): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    tx.em.remove(await lockSuite(tx, identity, id));
    await tx.em.flush();
    await tx.query(forgetSuite, [id]);
  });
}

async function lockSuite(tx: Transaction, { userId }: Identity, id: number): Promise<SuiteRow> {
  const row = await tx.em.findOne(Suite, { id, userId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!row) throw suiteNotFound();
  return row;
}

/** For a suite that does not exist, or has another owner. */
export function suiteNotFound(): DomainError {
  return new DomainError('not-found', 'Suite not found');
}
