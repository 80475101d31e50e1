import { statement, type DeliveryRow } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrangeWebhooks, answered } from '../../test/arrange-webhooks.ts';
import { CLAIMER, claimDelivery } from '../../test/arrange.ts';
import { nextState } from '../shared/state-table.rules.ts';
import {
  disableDeliveries,
  releaseClaimsSql,
  renewDeliveries,
  storeAttempts,
  type AttemptFacts,
} from './delivery-state.ts';
import { DELIVERY_STEPS, type DeliveryEvent, type DeliveryState } from './delivery-state.rules.ts';

const database = useTestDatabase();

/** Moves deliveries whose wait is over to `due` and claims at most `$3` of them. */
const claim = statement('', `select id from parley_claim_deliveries($1, $2, $3, 100, '1 hour', 100)`);
const release = statement('', releaseClaimsSql('select $1::text'));

const stateOf = ({ status, stage }: DeliveryRow): DeliveryState =>
  status === 'pending' ? (stage ?? 'due') : status;

type Webhooks = Awaited<ReturnType<typeof arrangeWebhooks>>;

/** Brings a new delivery into each state. @returns its id */
const ARRANGE: Record<DeliveryState, (about: Webhooks) => Promise<string>> = {
  due: ({ announce }) => announce(),
  waiting: async ({ announce, attempt }) => (await attempt(await announce(), answered(500))).id,
  sending: async ({ ctx, announce }) => {
    const id = await announce();
    await claimDelivery(ctx, id);
    return id;
  },
  delivered: async ({ announce, attempt }) => (await attempt(await announce(), answered(200))).id,
  failed: async ({ announce, attempt }) => {
    const id = await announce();
    for (let number = 1; number <= 9; number++) await attempt(id, answered(500));
    return id;
  },
  disabled: async ({ announce, attempt }) => (await attempt(await announce(), answered(410))).id,
};

const postCallOf = ({ id }: { id: number }) => ({ assistantId: id, targets: ['post-call' as const] });

/** Stores the result of an attempt as its claimer. */
const attempted =
  (result: Pick<AttemptFacts, 'status' | 'reason'>) =>
  async ({ ctx, clock }: Webhooks, { id, attemptCount }: DeliveryRow): Promise<unknown> => {
    const at = new Date(clock.now());
    const nextAttemptAt = result.status === 'pending' ? at : null;
    const answer = { at, durationMs: 1, httpStatus: 200, headers: {}, body: '', error: null, shown: {} };
    const facts = { ...answer, ...result, id, attempt: attemptCount + 1, nextAttemptAt };
    return storeAttempts(ctx.db, CLAIMER, { facts: [facts], at });
  };

/** Reports each event the way the product does. */
const REPORT: Record<DeliveryEvent, (about: Webhooks, row: DeliveryRow) => Promise<unknown>> = {
  'wait-over': ({ ctx, clock }) => {
    clock.advance(48 * 3_600_000);
    return ctx.db.query(claim, [CLAIMER, new Date(clock.now()), 0]);
  },
  claimed: ({ ctx, clock }) => ctx.db.query(claim, [CLAIMER, new Date(clock.now()), 100]),
  released: ({ ctx }) => ctx.db.query(release, [CLAIMER]),
  accepted: attempted({ status: 'delivered', reason: null }),
  postponed: attempted({ status: 'pending', reason: null }),
  'attempts-used-up': attempted({ status: 'failed', reason: 'tries_used_up' }),
  refused: attempted({ status: 'disabled', reason: 'gone' }),
  'switched-off': ({ ctx, assistant }) => disableDeliveries(ctx, ctx.db, postCallOf(assistant)),
  'sent-again': ({ ctx, clock }, { id, url }) =>
    renewDeliveries(ctx.db, [{ id, url }], new Date(clock.now())),
};

describe.each(Object.keys(ARRANGE) as DeliveryState[])('a delivery that is %s', (state) => {
  it.each(Object.keys(REPORT) as DeliveryEvent[])('after the event %s', async (event) => {
    const about = await arrangeWebhooks(database.db);
    const before = await about.row(await ARRANGE[state](about));
    expect(stateOf(before)).toBe(state);
    await REPORT[event](about, before);
    expect(stateOf(await about.row(before.id))).toBe(nextState(DELIVERY_STEPS, state, event) ?? state);
  });
});

it('a delivery whose webhook is switched off during the attempt is not sent again', async () => {
  const about = await arrangeWebhooks(database.db);
  const id = await ARRANGE.sending(about);
  await disableDeliveries(about.ctx, about.ctx.db, postCallOf(about.assistant));
  await REPORT.postponed(about, await about.row(id));
  expect(await about.row(id)).toMatchObject({ status: 'disabled', reason: 'switched_off' });
});
