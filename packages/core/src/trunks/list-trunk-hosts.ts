/**
 * The hosts of all trunks, which distinguish their calls from those of strangers. SQL: it reads the trunks of all
 * users.
 */
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';

const selectHosts = statement<{ host: string }>('list_trunk_hosts', 'select distinct host from trunks');

/** Names and addresses, each once. */
export async function listTrunkHosts(ctx: CoreContext): Promise<string[]> {
  const rows = await ctx.db.query(selectHosts);
  return rows.map(({ host }) => host);
}
