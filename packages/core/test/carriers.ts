/** A user with an account at a simulated carrier. */
import {
  createTestContext,
  createTestUser,
  startTelnyx,
  startTwilio,
  TELNYX_KEY,
  TWILIO_ACCOUNT,
  type CarrierSimulator,
} from '@parley/testkit';
import type { NewCarrierAccount } from '@parley/contracts';
import { statement, type Db } from '@parley/db';
import { ManualClock, type Clock } from '@parley/runtime';
import { addCarrierAccount } from '../src/carriers/accounts.ts';
import { connectCarrierAccount } from '../src/carriers/connect-account.ts';
import type { CoreContext } from '../src/context.ts';
import type { Identity } from '../src/users/identity.ts';

/** The right credentials of a simulated account. */
export const ACCOUNTS = {
  twilio: {
    name: 'Main',
    kind: 'twilio',
    account_sid: TWILIO_ACCOUNT.sid,
    secret: TWILIO_ACCOUNT.token,
    is_shared: false,
  },
  telnyx: { name: 'Main', kind: 'telnyx', secret: TELNYX_KEY, is_shared: false },
} satisfies Record<string, NewCarrierAccount>;

/** What {@link arrangeCarrier} has made. */
export interface CarrierArrangement {
  ctx: CoreContext;
  identity: Identity;
  carrier: CarrierSimulator;
  accountId: number;
}

/** @param options.clock - default: the clock of the system */
export async function arrangeCarrier(
  db: Db,
  kind: 'twilio' | 'telnyx',
  options: { isConnected?: boolean; clock?: Clock } = {},
): Promise<CarrierArrangement> {
  const carrier = await (kind === 'twilio' ? startTwilio() : startTelnyx());
  const ctx = createTestContext(db, {
    carrierUrls: { [kind]: carrier.url },
    ...(options.clock && { clock: options.clock }),
  });
  const { identity } = await createTestUser(ctx);
  const { id: accountId } = await addCarrierAccount(ctx, identity, ACCOUNTS[kind]);
  if (options.isConnected !== false)
    await connectCarrierAccount(ctx, identity, { id: accountId, sipAddress: 'sip.parley.example:5060' });
  return { ctx, identity, carrier, accountId };
}

/** The jobs of a name that wait, with their payloads. */
export async function waitingJobs(db: Db, name: string): Promise<Record<string, unknown>[]> {
  const find = statement<{ payload: Record<string, unknown> }>(
    '',
    `select j.payload::jsonb as payload from graphile_worker._private_jobs j
     join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = $1 order by j.id`,
  );
  return (await db.query(find, [name])).map(({ payload }) => payload);
}

/** Moves on by itself whenever somebody waits, so that no test waits. */
export class HurriedClock extends ManualClock {
  override after(delayMs: number, callback: () => void): ReturnType<ManualClock['after']> {
    const timer = super.after(delayMs, callback);
    // Limits of requests are not to run out.
    if (delayMs <= 1_000) queueMicrotask(() => this.advance(delayMs));
    return timer;
  }
}
