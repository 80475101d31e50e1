/**
 * Offers the models of OpenAI-compatible servers on this machine without configuration. Sends requests to 127.0.0.1 only,
 * with a short time limit, and never to a port of this installation. The models stay when the server stops, because
 * assistants use them.
 */
import { Provider, statement } from '@parley/db';
import { createGuardedClient, type GuardedClient } from '@parley/runtime/guarded-http';
import { now, type CoreContext } from '../../context.ts';
import { writeListed } from '../providers/refresh-provider.ts';
import { labelOf, LOCAL_SERVERS, readModels, type LocalModel, type LocalServer } from './local-servers.ts';

/** A server on the same machine answers immediately. */
const ANSWER_LIMIT_MS = 1000;
/** Any number that no other advisory lock uses. Workers that search at the same time run one after the other. */
const LOCK = 77_184_001;

/** SQL: the ORM has no advisory locks. */
const lock = statement('lock_local_servers', `select pg_advisory_xact_lock($1::bigint)`);
const NOTE = 'Found by itself. Its models work while it runs.';

/** The servers to look for, and ports to leave out. */
export interface FindLocalServersInput {
  /** Ports that this installation listens on. */
  ownPorts: readonly number[];
  /** Default: the usual servers. */
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

/** A provider that an operator added for the same server stays as it is. */
async function offer(
  ctx: CoreContext,
  server: LocalServer,
  { baseUrl, models }: { baseUrl: string; models: LocalModel[] },
): Promise<void> {
  const name = labelOf(server);
  const addresses = [baseUrl, baseUrl.replace('127.0.0.1', 'localhost')];
  const isNew = await ctx.db.transaction(async (tx) => {
    await tx.query(lock, [LOCK]);
    const same = { kind: 'openai-compatible', baseUrl: addresses } as const;
    const known = await tx.em.findOne(Provider, same, { orderBy: { id: 'asc' } });
    if (known && known.name !== name) return false;
    const account = { userId: null, name, kind: 'openai-compatible', baseUrl, apiKeySealed: null } as const;
    const provider =
      known ?? tx.em.create(Provider, { ...account, note: NOTE, refreshedAt: null, createdAt: now(ctx) });
    await tx.em.flush();
    await writeListed(tx, 'llm_models', { providerId: provider.id, owner: name, offers: models });
    return !known;
  });
  if (isNew)
    ctx.log.info({ server: server.name, baseUrl }, 'A server of language models was found and is offered');
}
