/**
 * The hosts of all trunks and of the registrars at which they register, which distinguish their calls from those of strangers.
 * SQL: it reads the trunks of all users.
 */
import { readHostPort, type HostPort } from '@parley/contracts';
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';

const selectHosts = statement<{ host: string; port: number | null; isRead: boolean }>(
  'list_trunk_hosts',
  `select host, port, true as is_read from trunks
   union select unnest(other_hosts), null, false from trunks
   union select registrar, null, false from trunks where registers and registrar is not null`,
);

/** Names and addresses with their ports, if they have any. */
export async function listTrunkHosts(ctx: CoreContext): Promise<HostPort[]> {
  const rows = await ctx.db.query(selectHosts);
  return rows.flatMap(({ host, port, isRead }) => (isRead ? { host, port } : (readHostPort(host) ?? [])));
}
