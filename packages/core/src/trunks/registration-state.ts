/**
 * The states of registrations, as users and operators see them. SQL: a state counts only while its holder has the lease,
 * and the clock of the database decides about that.
 */
import { isoMicroseconds, registrationStates, type TrunkRegistrationRecord } from '@parley/contracts';
import { statement, type TrunkRegistrationRow, type Tx } from '@parley/db';
import type { CoreContext } from '../context.ts';

type State = TrunkRegistrationRow['state'];

/** The state of one trunk. */
export type RegistrationState = Omit<TrunkRegistrationRow, 'holderId' | 'leaseUntil'>;

/** A trunk without a process that registers it is waiting for one. */
const CURRENT_STATE = `case when r.lease_until > now() then r.state else 'registering' end`;

const selectStates = statement<RegistrationState>(
  'read_trunk_registrations',
  `select r.trunk_id, ${CURRENT_STATE} as state, r.sip_status, r.reason, r.since, r.expires_at
   from trunk_registrations r where r.trunk_id = any($1::bigint[])`,
);
const countStates = statement<{ state: State; count: number }>(
  'count_trunk_registrations',
  `select ${CURRENT_STATE} as state, count(*) as count
   from trunks t left join trunk_registrations r on r.trunk_id = t.id where t.registers group by 1`,
);

/** A trunk that should be registered and is not. */
export interface RegistrationFault {
  trunkId: number;
  name: string;
  state: State;
  sipStatus: number | null;
  reason: string | null;
}

const selectFaults = statement<RegistrationFault>(
  'find_registration_faults',
  `select t.id as trunk_id, t.name, ${CURRENT_STATE} as state, r.sip_status, r.reason
   from trunks t left join trunk_registrations r on r.trunk_id = t.id
   where t.registers and (r.trunk_id is null or r.lease_until < now() or r.state = 'failed') order by t.id`,
);

/** The states by trunk; a trunk that no process has registered yet is missing. */
export async function readRegistrations(
  tx: Tx,
  trunkIds: readonly number[],
): Promise<ReadonlyMap<number, RegistrationState>> {
  if (trunkIds.length === 0) return new Map();
  const rows = await tx.query(selectStates, [trunkIds]);
  return new Map(rows.map((row) => [row.trunkId, row]));
}

/** The number of trunks in each state, also where it is 0. */
export async function countRegistrations(ctx: CoreContext): Promise<{ state: State; count: number }[]> {
  const rows = await ctx.db.query(countStates, []);
  return registrationStates.map((state) => ({
    state,
    count: rows.find((row) => row.state === state)?.count ?? 0,
  }));
}

/** The trunks whose registration has failed, and those that no process registers. */
export async function findRegistrationFaults(ctx: CoreContext): Promise<RegistrationFault[]> {
  return ctx.db.query(selectFaults, []);
}

/** @param isHidden - the reason may name hosts that the reader must not see */
export function registrationRecord(
  state: RegistrationState | undefined,
  isHidden: boolean,
): TrunkRegistrationRecord {
  if (!state) return { state: 'registering', sip_status: null, reason: null, since: null, expires_at: null };
  return {
    state: state.state,
    sip_status: state.sipStatus,
    reason: isHidden ? null : state.reason,
    since: isoMicroseconds(state.since),
    expires_at: state.expiresAt && isoMicroseconds(state.expiresAt),
  };
}
