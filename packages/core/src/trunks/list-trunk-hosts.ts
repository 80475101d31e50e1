/**
 * The hosts of all trunks and of the registrars at which they register, which distinguish their calls from those of strangers.
 * SQL: it reads the trunks of all users.
 */
import { readHostPort } from '@parley/contracts';
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';

const selectHosts = statement<{ host: string; isRegistrar: boolean }>(
  'list_trunk_hosts',
  `select host, false as is_registrar from trunks
   union select registrar, true from trunks where registers and registrar is not null`,
);

/** Names and addresses, each once. */
export async function listTrunkHosts(ctx: CoreContext): Promise<string[]> {
  const rows = await ctx.db.query(selectHosts);
  const hosts = rows.flatMap(({ host, isRegistrar }) =>
    isRegistrar ? (readHostPort(host)?.host ?? []) : host,
  );
  return [...new Set(hosts)];
}
