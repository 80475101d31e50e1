/** The warnings about limits that are nearly reached, with the names of the users, tokens and trunks. */
import { isoMicroseconds, type DialPolicyRecord } from '@parley/contracts';
import { ApiToken, DialWarning, Trunk, User, type DialScope, type DialWarningRow, type Tx } from '@parley/db';

const MOST_WARNINGS = 50;

type WarningRecord = DialPolicyRecord['warnings'][number];

/** Newest first. */
export async function listWarnings(tx: Tx): Promise<WarningRecord[]> {
  const options = { orderBy: { reachedAt: 'desc' }, limit: MOST_WARNINGS } as const;
  const rows = await tx.em.find(DialWarning, {}, options);
  const names = await namesOf(tx, rows);
  return rows.map((row) => ({
    scope: row.scope,
    name: names[row.scope].get(row.subjectId) ?? '',
    measure: row.measure as WarningRecord['measure'],
    threshold_percent: row.thresholdPercent,
    used: row.used,
    limit: row.max,
    reached_at: isoMicroseconds(row.reachedAt),
  }));
}

async function namesOf(
  tx: Tx,
  rows: readonly DialWarningRow[],
): Promise<Record<DialScope, Map<number, string>>> {
  const ids = (scope: DialScope) =>
    rows.filter((row) => row.scope === scope).map(({ subjectId }) => subjectId);
  const users = await tx.em.find(User, { id: ids('user') });
  const tokens = await tx.em.find(ApiToken, { id: ids('token') });
  const trunks = await tx.em.find(Trunk, { id: ids('trunk') });
  return {
    user: new Map(users.map(({ id, email }) => [id, email])),
    token: new Map(tokens.map(({ id, name }) => [id, name])),
    trunk: new Map(trunks.map(({ id, name }) => [id, name])),
  };
}
