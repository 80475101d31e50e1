/**
 * Asks OpenAI-compatible servers on this machine what they can do, and offers their models, voices and transcription without
 * configuration. Sends requests to 127.0.0.1 only, with a short time limit, and never to a port of this installation. What
 * was offered stays when the server stops, because assistants use it.
 */
import { Provider, statement, type ProviderRow } from '@parley/db';
import { createGuardedClient, type GuardedClient } from '@parley/runtime/guarded-http';
import { now, type CoreContext } from '../../context.ts';
import { writeListed, writeListedVoices } from '../providers/refresh-provider.ts';
import { askServer, baseUrlOf, type FoundServer } from './ask-server.ts';
import { labelOf, LOCAL_SERVERS, type LocalServer } from './local-servers.ts';

/** A server on the same machine answers immediately. */
const ANSWER_LIMIT_MS = 1000;
/** A list of many models with many voices each. */
const BODY_LIMIT_BYTES = 2 * 1024 * 1024;
/** Any number that no other advisory lock uses. Workers that search at the same time run one after the other. */
const LOCK = 77_184_001;

/** SQL: the ORM has no advisory locks. */
const lock = statement('lock_local_servers', `select pg_advisory_xact_lock($1::bigint)`);

/** The servers to look for, and ports to leave out. */
export interface FindLocalServersInput {
  /** Ports that this installation listens on. */
  ownPorts: readonly number[];
  /** Default: the usual servers. */
  servers?: readonly LocalServer[] | undefined;
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
    bodyLimitBytes: BODY_LIMIT_BYTES,
  });
  try {
    const foreign = servers.filter(({ port }) => !ownPorts.includes(port));
    await Promise.all(foreign.map(async (server) => lookAt(ctx, client, server)));
  } finally {
    await client.close();
  }
}

async function lookAt(ctx: CoreContext, client: GuardedClient, server: LocalServer): Promise<void> {
  const found = await askServer(client, server);
  if (found) await offer(ctx, baseUrlOf(server), found);
}

/** A provider that an operator added for the same server, or has renamed, stays as it is. */
async function offer(ctx: CoreContext, baseUrl: string, found: FoundServer): Promise<void> {
  const addresses = [baseUrl, baseUrl.replace('127.0.0.1', 'localhost')];
  const isNew = await ctx.db.transaction(async (tx) => {
    await tx.query(lock, [LOCK]);
    const same = { kind: 'openai-compatible', baseUrl: addresses } as const;
    const known = await tx.em.findOne(Provider, same, { orderBy: { isFound: 'asc', id: 'asc' } });
    if (known && !known.isFound) return false;
    const name = labelOf(found.program);
    const { note, convertsSampleRate } = found;
    const transcriptionModel = transcriptionModelOf(known, found);
    const account = { userId: null, kind: 'openai-compatible', baseUrl, apiKeySealed: null } as const;
    const provider =
      known ??
      tx.em.create(Provider, {
        ...account,
        name,
        note,
        transcriptionModel,
        isFound: true,
        refreshedAt: null,
        createdAt: now(ctx),
      });
    Object.assign(provider, { name, note, transcriptionModel, convertsSampleRate });
    await tx.em.flush();
    await writeListed(tx, 'llm_models', { providerId: provider.id, owner: name, offers: found.models });
    const { voices } = found;
    if (voices)
      await writeListedVoices(tx, {
        providerId: provider.id,
        owner: `${found.program} on this machine`,
        offers: voices,
      });
    return !known;
  });
  if (isNew) ctx.log.info({ server: found.program, baseUrl }, 'A server of models was found and is offered');
}

/** The first one that it lists; while it does not say, what is known of it. */
function transcriptionModelOf(
  known: ProviderRow | null,
  { transcriptionModels: listed }: FoundServer,
): string | null {
  return listed === null ? (known?.transcriptionModel ?? null) : (listed[0] ?? null);
}
