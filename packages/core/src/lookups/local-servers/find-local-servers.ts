/**
 * Offers the models of an OpenAI-compatible server that runs on this very machine, without anybody setting it up. Asks
 * 127.0.0.1 only, briefly, and never a port of our own. What was found stays when the server is away: assistants use it.
 */
import { statement } from '@parley/db';
import { createGuardedClient, type GuardedClient } from '@parley/runtime/guarded-http';
import { now, type CoreContext } from '../../context.ts';
import { writeListed } from '../providers/refresh-provider.ts';
import { labelOf, LOCAL_SERVERS, readModels, type LocalServer } from './local-servers.ts';

/** A server on the same machine answers at once or is none. */
const ANSWER_LIMIT_MS = 1000;
/** Any number; workers that look at the same time come one after the other. */
const LOCK = 77_184_001;

const lock = statement('lock_local_servers', `select pg_advisory_xact_lock($1::bigint)`);
const selectProvider = statement<{ id: number; name: string }>(
  'provider_at_address',
  `select id, name from providers where kind = 'openai-compatible' and base_url = any($1::text[]) order by id limit 1`,
);
const insertProvider = statement<{ id: number }>(
  'insert_local_provider',
  `insert into providers (name, kind, base_url, note, created_at) values ($1, 'openai-compatible', $2, $3, $4)
   returning id`,
);
const NOTE = 'Found by itself. Its models work while it runs.';

/** What is looked for, and where not. */
export interface FindLocalServersInput {
  /** Ports that we listen on ourselves. */
  ownPorts: readonly number[];
  /** For tests; by default the usual ones. */
  servers?: readonly LocalServer[];
}

/** Safe to run often and in several processes. */
export async function findLocalServers(
  ctx: CoreContext,
  { ownPorts, servers = LOCAL_SERVERS }: FindLocalServersInput,
): Promise<void> {
  const client = createGuardedClient({
    clock: ctx.clock,
    allowPrivate: 'loopback',
    timeLimitMs: ANSWER_LIMIT_MS,
  });
  try {
    const foreign = servers.filter(({ port }) => !ownPorts.includes(port));
    await Promise.all(foreign.map(async (server) => lookAt(ctx, client, server)));
  } finally {
    await client.close();
  }
}

async function lookAt(ctx: CoreContext, client: GuardedClient, server: LocalServer): Promise<void> {
  const baseUrl = `http://127.0.0.1:${server.port}/v1`;
  const headers = { accept: 'application/json' };
  const outcome = await client.send({ method: 'GET', url: `${baseUrl}/models`, headers });
  if ('error' in outcome || outcome.status !== 200) return;
  const models = readModels(outcome.body, server);
  if (models && models.length > 0) await offer(ctx, server, { baseUrl, models });
}

/** An operator who has set up the same server by hand keeps it as it is. */
async function offer(
  ctx: CoreContext,
  server: LocalServer,
  { baseUrl, models }: { baseUrl: string; models: { name: string; wireName: string }[] },
): Promise<void> {
  const name = labelOf(server);
  const addresses = [baseUrl, baseUrl.replace('127.0.0.1', 'localhost')];
  const isNew = await ctx.db.transaction(async (tx) => {
    await tx.query(lock, [LOCK]);
    const [known] = await tx.query(selectProvider, [addresses]);
    if (known && known.name !== name) return false;
    const [made] = known ? [known] : await tx.query(insertProvider, [name, baseUrl, NOTE, now(ctx)]);
    if (!made) throw new Error('A provider could not be written');
    await writeListed(tx, 'llm_models', { providerId: made.id, owner: name, offers: models });
    return !known;
  });
  if (isNew)
    ctx.log.info({ server: server.name, baseUrl }, 'A server of language models was found and is offered');
}
