/**
 * Which voice process registers which trunk. Each registration has a lease: its holder renews it as often as the lease of
 * its process, and when it has ended, any other process may take it. SQL: one statement renews and takes, so that of two
 * processes that take a lease at the same time, the second finds the row of the first. All times are those of the database.
 */
import type { HostPort } from '@parley/contracts';
import { statement, type TrunkRegistrationRow, type TrunkRow, type Tx, type UserRow } from '@parley/db';
import { IS_DISARMED } from '../capacity/disarmed.ts';
import { LEASE_MS } from '../capacity/lease.ts';
import type { CoreContext } from '../context.ts';
import { registrarsOf } from '../shared/registrars-of.ts';

/** A trunk that its holder registers. Holds a password: never logged, never stored. */
export interface RegistrationAccount extends Pick<TrunkRow, 'transport' | 'tlsVerify' | 'authUsername'> {
  trunkId: number;
  registrar: HostPort;
  /** Tried in this order after the registrar. */
  otherRegistrars: HostPort[];
  username: string;
  password: string;
  expiresSeconds: number;
  /** An operator added the trunk, so that hosts of the installation's own network are allowed. */
  isOperators: boolean;
}

/** What the holder reports. */
export type RegistrationReport = Pick<
  TrunkRegistrationRow,
  'trunkId' | 'state' | 'sipStatus' | 'reason' | 'expiresAt'
>;

const holdLeases = statement<{ trunkId: number }>(
  'hold_trunk_registrations',
  `insert into trunk_registrations as r (trunk_id, holder_id, lease_until, state, since)
   select t.id, $1::uuid, now() + $2 * interval '1 ms', 'registering', now()
   from trunks t left join trunk_registrations o on o.trunk_id = t.id left join users u on u.id = t.user_id
   where t.registers and u.disabled_at is null and (o.trunk_id is null or o.holder_id = $1 or o.lease_until < now()) and not ${IS_DISARMED}
   order by t.id
   on conflict (trunk_id) do update set
     holder_id = excluded.holder_id, lease_until = excluded.lease_until,
     state = case when r.holder_id = $1 then r.state else 'registering' end,
     since = case when r.holder_id = $1 or r.state = 'registering' then r.since else now() end,
     sip_status = case when r.holder_id = $1 then r.sip_status end,
     reason = case when r.holder_id = $1 then r.reason end
   where r.holder_id = $1 or r.lease_until < now()
   returning r.trunk_id`,
);
type AccountRow = Pick<
  TrunkRow,
  | 'id'
  | 'userId'
  | 'host'
  | 'port'
  | 'otherHosts'
  | 'transport'
  | 'tlsVerify'
  | 'username'
  | 'authUsername'
  | 'passwordSealed'
  | 'registrar'
  | 'registerExpires'
> & { ownerRole: UserRow['role'] | null };
const selectAccounts = statement<AccountRow>(
  'trunk_registration_accounts',
  `select t.id, t.user_id, t.host, t.port, t.other_hosts, t.transport, t.tls_verify, t.username, t.auth_username, t.password_sealed, t.registrar,
     t.register_expires, u.role as owner_role
   from trunks t left join users u on u.id = t.user_id where t.id = any($1::bigint[]) order by t.id`,
);
const selectOthers = statement<{ trunkId: number }>(
  'trunk_registrations_of_others',
  `select trunk_id from trunk_registrations
   where trunk_id = any($2::bigint[]) and holder_id <> $1 and lease_until > now()`,
);
const release = statement(
  'release_trunk_registration',
  'delete from trunk_registrations where trunk_id = $2 and holder_id = $1',
);
const store = statement(
  'store_trunk_registration',
  `update trunk_registrations
   set since = case when state = $3 then since else now() end, state = $3, sip_status = $4, reason = $5, expires_at = $6
   where trunk_id = $2 and holder_id = $1`,
);
const reset = statement(
  'reset_trunk_registration',
  `update trunk_registrations
   set since = now(), state = 'registering', sip_status = null, reason = null, expires_at = null where trunk_id = $1`,
);

/**
 * Renews the leases of a holder and takes those without a holder.
 *
 * @param holderId - a UUID that no other process has
 * @returns the accounts of all trunks that the holder registers from now on, for 10 s
 */
export async function holdRegistrations(ctx: CoreContext, holderId: string): Promise<RegistrationAccount[]> {
  const held = await ctx.db.query(holdLeases, [holderId, LEASE_MS]);
  if (held.length === 0) return [];
  const rows = await ctx.db.query(selectAccounts, [held.map(({ trunkId }) => trunkId)]);
  return rows.flatMap((row) => readAccount(ctx, row) ?? []);
}

/** Those of the trunks that another process registers by now. */
export async function registeredByOthers(
  ctx: CoreContext,
  holderId: string,
  trunkIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (trunkIds.length === 0) return new Set();
  const rows = await ctx.db.query(selectOthers, [holderId, trunkIds]);
  return new Set(rows.map(({ trunkId }) => trunkId));
}

/** Lets another process take the lease at once; the holder no longer registers the trunk. */
export async function releaseRegistration(
  ctx: CoreContext,
  holderId: string,
  trunkId: number,
): Promise<void> {
  await ctx.db.query(release, [holderId, trunkId]);
}

/** Stores a state; does nothing for a process that is not the holder any more. */
export async function storeRegistration(
  ctx: CoreContext,
  holderId: string,
  report: RegistrationReport,
): Promise<void> {
  const { trunkId, state, sipStatus, reason, expiresAt } = report;
  await ctx.db.query(store, [holderId, trunkId, state, sipStatus, reason, expiresAt]);
}

/** After a change of the account: what was registered before proves nothing about the new settings. */
export async function resetRegistration(tx: Tx, trunkId: number): Promise<void> {
  await tx.query(reset, [trunkId]);
}

/** A trunk cannot be stored without the two, so null is only for the type. */
function readAccount(ctx: CoreContext, row: AccountRow): RegistrationAccount | null {
  const { id: trunkId, transport, tlsVerify, username, authUsername, passwordSealed } = row;
  if (username === null || passwordSealed === null) return null;
  const password = ctx.secretBox.open(passwordSealed);
  const isOperators = row.userId === null || row.ownerRole === 'operator';
  const [registrar, ...otherRegistrars] = registrarsOf(row);
  return {
    trunkId,
    transport,
    tlsVerify,
    registrar,
    otherRegistrars,
    username,
    authUsername,
    password,
    expiresSeconds: row.registerExpires,
    isOperators,
  };
}
