/**
 * Many claimers at once. The truth is read while they run, not only afterwards: a watcher counts the live calls of the
 * campaign again and again, and each claim's own transaction is checked by the count of what it left behind.
 */
import { openDatabase, statement, type Db } from '@parley/db';
import { silentLog } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrange, freshNumber, makeCall } from '../../test/arrange.ts';
import {
  liveDials,
  makeCampaign,
  makeLead,
  makeLeads,
  setCampaign,
  talk,
} from '../../test/arrange-campaign.ts';
import { recordCallEvent } from '../lifecycle/record-call-event.ts';
import { runCampaign } from '../lifecycle/run-campaign.ts';

const database = useTestDatabase();
/** More of them by command: `npm run chaos -- --full --only R4`. */
const CLAIMERS = Number(process.env['PARLEY_CLAIMERS'] ?? 8);

/** A connection for each claimer, so that they really run at once. */
let wide: Db;
beforeAll(() => {
  wide = openDatabase({ url: database.url, log: silentLog, poolSize: CLAIMERS + 2 });
});
afterAll(() => wide.close());

async function setup(cap: number, leads: number) {
  const about = await arrange(wide);
  const campaignId = await makeCampaign(about, { maxCallsInParallel: cap });
  const leadIds = await makeLeads(about, campaignId, leads);
  return { ...about, about, campaignId, leadIds, live: () => liveDials(about, campaignId) };
}

/** Runs as many at once as there are claimers. */
async function atOnce(work: (claimer: number) => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: CLAIMERS }, (_, claimer) => work(claimer)));
}

const countLive = statement<{ live: number }>(
  '',
  'select count(*) as live from live_calls where campaign_id = $1',
);
const countDialed = statement<{ calls: number; leads: number }>(
  '',
  'select count(*) as calls, count(distinct lead_id) as leads from calls where campaign_id = $1',
);

/** Counts again and again; tells the highest count when it is stopped. */
function watchLive(campaignId: number): { stop(): Promise<number> } {
  const stopping = new AbortController();
  async function watch(): Promise<number> {
    let highest = 0;
    while (!stopping.signal.aborted) {
      const [row] = await wide.query(countLive, [campaignId]);
      highest = Math.max(highest, row?.live ?? 0);
    }
    return highest;
  }
  const watching = watch();
  return {
    stop() {
      stopping.abort();
      return watching;
    },
  };
}

describe(`${CLAIMERS} claimers at once`, () => {
  it.each([1, 2, 10, 50])('fill an empty campaign to its limit of %i, and never above', async (cap) => {
    for (let round = 0; round < 10; round++) {
      const { ctx, campaignId, live } = await setup(cap, cap + 5);
      await atOnce(() => runCampaign(ctx, campaignId));
      expect(await live()).toHaveLength(cap);
    }
  });

  it('negative control: counting before the lock is given goes above', async () => {
    let highest = 0;
    for (let round = 0; round < 10 && highest <= 2; round++) {
      const { ctx, campaignId, live } = await setup(2, 30);
      await atOnce(() => claimCarelessly(ctx.db, campaignId));
      highest = Math.max(highest, (await live()).length);
    }
    expect(highest).toBeGreaterThan(2);
  });

  it('while calls end at the same time: the limit holds, and every lead is dialed exactly once', async () => {
    const cap = 3;
    const { ctx, clock, about, campaignId, live } = await setup(cap, 40);
    await runCampaign(ctx, campaignId);
    const watcher = watchLive(campaignId);
    for (let dials = await live(); dials.length > 0; dials = await live()) {
      await atOnce(async (claimer) => {
        const dial = dials[claimer];
        if (!dial) return runCampaign(ctx, campaignId);
        if (claimer === 0) return talk(about, dial.callId, { turns: [] });
        const at = new Date(clock.now());
        return recordCallEvent(ctx, { callId: dial.callId, event: 'busy', at });
      });
    }
    expect(await watcher.stop()).toBe(cap);
    expect(await wide.query(countDialed, [campaignId])).toEqual([{ calls: 40, leads: 40 }]);
  });

  it('the limit is lowered and raised while they run', async () => {
    const { ctx, clock, about, campaignId, live } = await setup(10, 60);
    for (const cap of [10, 2, 5, 1]) {
      await setCampaign(about, campaignId, 'max_calls_in_parallel', cap);
      await atOnce(async () => {
        for (const { callId } of await live()) {
          await recordCallEvent(ctx, { callId, event: 'busy', at: new Date(clock.now()) });
        }
        await runCampaign(ctx, campaignId);
      });
      expect((await live()).length).toBeLessThanOrEqual(cap);
    }
  });

  it('two campaigns and make_call dial the same numbers: each number is in one call', async () => {
    const { ctx, about, campaignId, live } = await setup(10, 0);
    const otherId = await makeCampaign(about, { maxCallsInParallel: 10 });
    const numbers = Array.from({ length: 10 }, freshNumber);
    for (const phoneNumber of numbers) {
      await makeLead(about, campaignId, { phoneNumber });
      await makeLead(about, otherId, { phoneNumber });
    }
    const direct: string[] = [];
    await atOnce(async (claimer) => {
      if (claimer > 5) {
        const phoneNumber = numbers[claimer] ?? '';
        await makeCall(about, phoneNumber).then(
          () => direct.push(phoneNumber),
          () => undefined,
        );
      } else await runCampaign(ctx, claimer % 2 === 0 ? campaignId : otherId);
    });
    const dialed = [...(await live()), ...(await liveDials(about, otherId))].map(
      (dial) => dial.clientPhoneNumber,
    );
    expect([...dialed, ...direct].toSorted()).toEqual(numbers.toSorted());
  });

  it('a stop in the middle: nothing is claimed after it', async () => {
    const { ctx, about, campaignId } = await setup(10, 40);
    const placed = async () => (await wide.query(countDialed, [campaignId]))[0]?.calls;
    let placedAtStop: number | undefined = -1;
    await atOnce(async (claimer) => {
      if (claimer !== 4) return runCampaign(ctx, campaignId);
      await setCampaign(about, campaignId, 'status', 'stopped');
      placedAtStop = await placed();
    });
    expect(await placed()).toBe(placedAtStop);
  });
});

const countFirst = statement<{ free: number; userId: number; assistantId: number }>(
  '',
  `select c.max_calls_in_parallel - (select count(*) from live_calls l where l.campaign_id = c.id) as free,
     c.user_id, c.assistant_id
   from campaigns c where c.id = $1 for update`,
);
const claimFirst = statement(
  '',
  `with taken as (
     delete from dial_queue where lead_id in (
       select lead_id from dial_queue where campaign_id = $1 order by ready_at, lead_id limit $2)
     returning lead_id)
   insert into live_calls (call_id, call_created_at, user_id, assistant_id, campaign_id, lead_id, type,
     client_phone_number, sip_call_id, created_at)
   select nextval('call_ids'), now(), $3, $4, $1, lead_id, 'outbound', lead_id::text, gen_random_uuid()::text, now()
   from taken`,
);

/** The tempting claim: lock and count in one statement. What it counts is the world from before it got the lock. */
async function claimCarelessly(db: Db, campaignId: number): Promise<void> {
  await db.transaction(async (tx) => {
    const [found] = await tx.query(countFirst, [campaignId]);
    if (!found || found.free <= 0) return;
    await tx.query(claimFirst, [campaignId, found.free, found.userId, found.assistantId]);
  });
}
