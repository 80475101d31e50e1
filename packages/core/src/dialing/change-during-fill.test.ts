/** Settings that are changed while a campaign is being filled: leads that the fill refused by the old ones are due again. */
import { newTrunkBody } from '@parley/contracts';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { arrangeCarrier } from '../../test/arrange-carrier.ts';
import { limitAll } from '../../test/arrange-dial-limits.ts';
import { leadState, makeCampaign, makeLead } from '../../test/arrange-campaign.ts';
import type { CoreContext } from '../context.ts';
import { changeDialPolicy } from '../fraud-protection/dial-policy.ts';
import { addTrunk } from '../trunks/trunks.ts';
import { fillCampaign } from './fill-campaign.ts';

const database = useTestDatabase();

const disconnect = statement('', `update trunks set reach = 'fictional' where user_id = $1`);
const countWaiting = statement<{ sessions: number }>(
  '',
  `select count(*) as sessions from pg_stat_activity
   where datname = current_database() and wait_event_type = 'Lock'`,
);

/** A context whose transactions do their work, and commit when `mayCommit` is fulfilled. */
function committingLate(ctx: CoreContext, hasWorked: () => void, mayCommit: Promise<void>): CoreContext {
  const db = Object.create(ctx.db) as CoreContext['db'];
  db.transaction = (work) =>
    ctx.db.transaction(async (tx) => {
      const result = await work(tx);
      hasWorked();
      await mayCommit;
      return result;
    });
  return { ...ctx, db };
}

type About = Awaited<ReturnType<typeof arrangeCarrier>>;

it.each([
  [
    'whose country is allowed',
    ({ ctx, identity }: About) => changeDialPolicy(ctx, identity, { allowed_countries: ['FR'] }),
    ({ ctx, identity }: About) => changeDialPolicy(ctx, identity, { allowed_countries: ['DE'] }),
  ],
  [
    'for which a trunk is added',
    ({ ctx, identity }: About) => ctx.db.query(disconnect, [identity.userId]),
    ({ ctx, identity }: About) =>
      addTrunk(ctx, identity, newTrunkBody.parse({ name: 'Second', host: 'sip.other.example' })),
  ],
])('a lead %s while its campaign is being filled is due at once', async (_what, refuse, allow) => {
  const about = await arrangeCarrier(database.db);
  const { ctx, clock } = about;
  await limitAll(ctx.db, {});
  await refuse(about);
  const campaignId = await makeCampaign(about, { isCompletedWithoutLeads: false });
  const { id } = await makeLead(about, campaignId, { phoneNumber: '+4915123456780' });
  const [worked, committed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const fill = fillCampaign(committingLate(ctx, worked.resolve, committed.promise), { campaignId });
  await worked.promise;
  const change = allow(about).then(() => 'changed' as const);
  const countSessions = async () => (await ctx.db.query(countWaiting))[0]?.sessions ?? 0;
  // Until it waits for the fill, or is done without waiting for it.
  while ((await Promise.race([change, countSessions()])) === 0);
  committed.resolve();
  await Promise.all([fill, change]);
  expect(await leadState(about, id)).toMatchObject({ readyAt: new Date(clock.now()) });
});
