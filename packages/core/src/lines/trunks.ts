/** SIP trunks: the user's own, and the shared ones, which operators own. Passwords are sealed and never given back. */
import {
  errorText,
  fieldFault,
  wording,
  type NewTrunk,
  type TrunkChanges,
  type TrunkRecord,
} from '@parley/contracts';
import { statement, type SqlValue, type TrunkRow, type Tx } from '@parley/db';
import { wakeNextHeld } from '../capacity/campaign-hold.ts';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { requireOperator } from '../users/require-operator.ts';
import { lockOwnTrunk } from './own-trunk.ts';
import { isPublicHost } from './public-host.ts';
import { readOwnNumber } from './read-own-number.ts';
import { trunkRecord } from './trunk-record.ts';

const selectTrunks = statement<TrunkRow>(
  'list_trunks',
  `select * from trunks where user_id is null or user_id = $1 order by id`,
);
const insertTrunk = statement<TrunkRow>(
  'insert_trunk',
  `insert into trunks (user_id, name, host, port, transport, username, password_sealed, reach, caller_number,
     max_calls, max_cps, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning *`,
);
const updateTrunk = statement<TrunkRow>(
  'update_trunk',
  `update trunks set name = $2, host = $3, port = $4, transport = $5, username = $6, password_sealed = $7, reach = $8,
     caller_number = $9, max_calls = $10, max_cps = $11,
     -- Whoever changes a trunk may have repaired it.
     paused_until = null, pause_seconds = 0
   where id = $1 returning *`,
);
const findUse = statement<{ hasNumbers: boolean; isLive: boolean }>(
  'trunk_use',
  `select exists (select 1 from phone_numbers where trunk_id = $1) as has_numbers,
     exists (select 1 from live_calls where trunk_id = $1) as is_live`,
);
const deleteTrunk = statement('delete_trunk', `delete from trunks where id = $1`);

/** The user's own and the shared ones. */
export async function listTrunks(ctx: CoreContext, identity: Identity): Promise<TrunkRecord[]> {
  const rows = await ctx.db.query(selectTrunks, [identity.userId]);
  return rows.map((row) => trunkRecord(row, identity, now(ctx)));
}

/** @throws DomainError `forbidden` when a member wants to share; `invalid` for a caller number or host that cannot be */
export async function addTrunk(ctx: CoreContext, identity: Identity, input: NewTrunk): Promise<TrunkRecord> {
  if (input.is_shared) requireOperator(identity);
  return ctx.db.transaction(async (tx) => {
    const { name, host, port, transport, reach } = input;
    const required = { name, host, port, transport, reach };
    const sent = await readSettings(ctx, tx, identity, input);
    const settings = { ...WITHOUT_OPTIONS, ...required, ...sent };
    const owner = input.is_shared ? null : identity.userId;
    const [row] = await tx.query(insertTrunk, [owner, ...valuesOf(settings), now(ctx)]);
    if (!row) throw new Error('A trunk could not be written');
    return trunkRecord(row, identity, now(ctx));
  });
}

/**
 * Calls in progress keep the line they began on.
 *
 * @throws DomainError as `lockOwnTrunk` and {@link addTrunk}
 */
export async function changeTrunk(
  ctx: CoreContext,
  identity: Identity,
  input: TrunkChanges & { id: number },
): Promise<TrunkRecord> {
  return ctx.db.transaction(async (tx) => {
    const trunk = await lockOwnTrunk(tx, identity, input.id);
    const changes = await readSettings(ctx, tx, identity, input);
    const [row] = await tx.query(updateTrunk, [trunk.id, ...valuesOf({ ...trunk, ...changes })]);
    if (!row) throw new Error('A locked trunk vanished');
    await wakeNextHeld(tx, [`trunk:${trunk.id}`]);
    return trunkRecord(row, identity, now(ctx));
  });
}

/** @throws DomainError as `lockOwnTrunk`; `conflict` while it has numbers or carries a call */
export async function removeTrunk(ctx: CoreContext, identity: Identity, trunkId: number): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockOwnTrunk(tx, identity, trunkId);
    const [use] = await tx.query(findUse, [trunkId]);
    if (use?.hasNumbers) {
      throw new DomainError('conflict', 'This SIP trunk still has phone numbers. Remove them first.');
    }
    if (use?.isLive) throw new DomainError('conflict', 'This SIP trunk is carrying a call.');
    await tx.query(deleteTrunk, [trunkId]);
  });
}

/** What may be written of a trunk, in our own names. */
type TrunkSettings = Pick<
  TrunkRow,
  | 'name'
  | 'host'
  | 'port'
  | 'transport'
  | 'username'
  | 'passwordSealed'
  | 'reach'
  | 'callerNumber'
  | 'maxCalls'
  | 'maxCps'
>;

const WITHOUT_OPTIONS = {
  username: null,
  passwordSealed: null,
  callerNumber: null,
  maxCalls: null,
  maxCps: null,
};

/** In the order in which both statements bind them. */
function valuesOf(trunk: TrunkSettings): SqlValue[] {
  return [
    trunk.name,
    trunk.host,
    trunk.port,
    trunk.transport,
    trunk.username,
    trunk.passwordSealed,
    trunk.reach,
    trunk.callerNumber,
    trunk.maxCalls,
    trunk.maxCps,
  ];
}

/** Only what was sent. */
async function readSettings(
  ctx: CoreContext,
  tx: Tx,
  identity: Identity,
  input: TrunkChanges,
): Promise<Partial<TrunkSettings>> {
  refusePrivateHost(identity, input.host);
  const { password, caller_number: text } = input;
  const number = { userId: identity.userId, field: 'caller_number' };
  return withoutUndefined({
    name: input.name?.trim(),
    host: input.host,
    port: input.port,
    transport: input.transport,
    username: input.username,
    passwordSealed: password == null ? password : ctx.secretBox.seal(password),
    reach: input.reach,
    callerNumber: text == null ? text : await readOwnNumber(tx, { ...number, text }),
    maxCalls: input.max_calls,
    maxCps: input.max_cps,
  });
}

type Sent<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

function withoutUndefined<Fields extends object>(fields: Fields): Sent<Fields> {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent) as Sent<Fields>;
}

function refusePrivateHost(identity: Identity, host: string | undefined): void {
  if (host === undefined || identity.role === 'operator' || isPublicHost(host)) return;
  throw new DomainError('invalid', errorText.invalidData, { fields: fieldFault('host', wording.selected) });
}
