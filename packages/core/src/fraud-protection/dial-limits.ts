/** The limits of calls and costs as operators read and change them; `capacity/dial-usage.ts` applies them. */
import type { DialPolicyInput, DialPolicyRecord } from '@parley/contracts';
import { DialLimits, type DialLimitsRow, type DialScope, type Transaction, type Tx } from '@parley/db';

type LimitsRecord = DialPolicyRecord['limits'];

/** The limits of every scope. */
export async function readLimits(tx: Tx): Promise<LimitsRecord> {
  const rows = await tx.em.find(DialLimits, {});
  const of = (scope: DialScope) => limitsRecord(rows.find((row) => row.scope === scope));
  return { user: of('user'), token: of('token'), trunk: of('trunk') };
}

function limitsRecord(row: DialLimitsRow | undefined): LimitsRecord['user'] {
  if (!row) throw new Error('The limits of a scope are missing');
  return {
    calls_per_second: row.callsPerSecond,
    calls_per_day: row.callsPerDay,
    cost_per_day: row.costPerDay,
  };
}

/** Changes only the limits that were sent. */
export async function changeLimits(
  tx: Transaction,
  input: NonNullable<DialPolicyInput['limits']>,
): Promise<void> {
  for (const row of await tx.em.find(DialLimits, {})) {
    const sent = input[row.scope];
    if (sent?.calls_per_second !== undefined) row.callsPerSecond = sent.calls_per_second;
    if (sent?.calls_per_day !== undefined) row.callsPerDay = sent.calls_per_day;
    if (sent?.cost_per_day !== undefined) row.costPerDay = sent.cost_per_day;
  }
}
