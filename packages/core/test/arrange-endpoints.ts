/** What tests of webhook endpoints stand on: an endpoint, what was reported to it, and processes that are killed. */
import { endpointEvents, newEndpointBody, webhookPayloads, type EndpointPayload } from '@parley/contracts';
import { statement, type DeliveryRow } from '@parley/db';
import { createEndpoint, type CoreContext } from '../src/index.ts';
import type { Arrangement } from './arrange.ts';

const selectOfEndpoint = statement<DeliveryRow>(
  '',
  `select * from deliveries where endpoint_id = $1 order by created_at, event`,
);

/** Subscribes to every event, unless `fields` says otherwise. */
export async function subscribe(
  { ctx, identity }: Pick<Arrangement, 'ctx' | 'identity'>,
  fields: Record<string, unknown> = {},
) {
  const body = { url: 'https://events.test/hook', events: [...endpointEvents], ...fields };
  const { id, secret } = await createEndpoint(ctx, identity, newEndpointBody.parse(body));
  const rows = () => ctx.db.query(selectOfEndpoint, [id]);
  /** Each is checked against its schema. */
  const payloads = async (): Promise<EndpointPayload[]> =>
    (await rows()).map(({ event, payload }) =>
      webhookPayloads[event as EndpointPayload['event']].parse(payload),
    );
  const events = async () => (await rows()).map(({ event }) => event);
  return { id, secret, rows, payloads, events };
}

/** A context whose process is killed before its statement number `statements` within a transaction. */
function killedAfter(ctx: CoreContext, statements: number): CoreContext {
  let left = statements;
  const db = Object.create(ctx.db) as CoreContext['db'];
  db.transaction = (work) =>
    ctx.db.transaction((tx) => {
      const killed = Object.create(tx) as typeof tx;
      killed.query = async (...input) => {
        if (left-- <= 0) throw new KilledError();
        return tx.query(...input);
      };
      return work(killed);
    });
  return { ...ctx, db };
}

class KilledError extends Error {}

/**
 * Runs `work` in processes that are killed one statement later each time, until one comes to its end.
 *
 * @param afterKill - checks that nothing of the work is there
 * @returns how many were killed
 */
export async function runWithKills(
  ctx: CoreContext,
  work: (ctx: CoreContext) => Promise<unknown>,
  afterKill: () => Promise<void>,
): Promise<number> {
  for (let kills = 0; ; kills++) {
    try {
      await work(killedAfter(ctx, kills));
      return kills;
    } catch (error) {
      if (!(error instanceof KilledError)) throw error;
      await afterKill();
    }
  }
}
