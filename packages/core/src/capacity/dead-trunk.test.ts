/** How many INVITEs a campaign sends to a trunk that is down, and how many calls it places, in the first minute. */
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { arrange, intendFor } from '../../test/arrange.ts';
import { askToDial, liveDials, makeCampaign, makeLeads } from '../../test/arrange-campaign.ts';
import { recordCallEvent } from '../lifecycle/record-call-event.ts';
import { runCampaign } from '../lifecycle/run-campaign.ts';

const database = useTestDatabase();
const LEADS = 20;

const countCalls = statement<{ calls: number }>(
  '',
  'select count(*)::int as calls from calls where campaign_id = $1',
);

/** Without an INVITE: its host has no address. */
const NO_ADDRESS = 'no address';

it.each([
  // Ten faults pause the trunk; after 30 s one call is sent on trial. The calls that were placed already are not sent.
  { reason: 'unreachable', parallel: 5, silentSeconds: 0, invites: 11, calls: 15 },
  { reason: 'unavailable', parallel: 5, silentSeconds: 0, invites: 11, calls: 15 },
  // What is under way when the trunk is paused is not recalled.
  { reason: 'unavailable', parallel: 20, silentSeconds: 0, invites: 20, calls: 20 },
  { reason: 'unreachable', parallel: 20, silentSeconds: 32, invites: 20, calls: 20 },
  { reason: NO_ADDRESS, parallel: 5, silentSeconds: 0, invites: 0, calls: 15 },
] as const)('$reason after $silentSeconds s, $parallel in parallel: $invites INVITEs', async (given) => {
  const { reason, parallel, silentSeconds, invites, calls } = given;
  const about = await arrange(database.db);
  const { ctx, clock, fence } = about;
  const campaignId = await makeCampaign(about, { maxCallsInParallel: parallel, retryIntervalSeconds: 60 });
  await makeLeads(about, campaignId, LEADS);
  const endsAt = new Map<number, number>();
  let sent = 0;
  /** Each placed call asks to be sent, and fails when its time has come. @returns whether anything has happened */
  const step = async (second: number): Promise<boolean> => {
    const fresh = (await liveDials(about, campaignId)).filter(({ callId }) => !endsAt.has(callId));
    for (const { callId } of fresh) {
      if (reason === NO_ADDRESS) await intendFor(ctx, callId, fence);
      else if ((await askToDial(about, callId)).isAllowed) sent += 1;
      else continue;
      endsAt.set(callId, second + silentSeconds);
    }
    const due = [...endsAt].filter(([, at]) => at <= second);
    for (const [callId] of due) {
      endsAt.set(callId, Infinity);
      const at = new Date(clock.now());
      const detail = { reason: reason === NO_ADDRESS ? 'unreachable' : reason } as const;
      await recordCallEvent(ctx, { callId, event: 'failed', at, detail, fence });
    }
    return fresh.length + due.length > 0;
  };
  for (let second = 0; second < 60; second++) {
    await runCampaign(ctx, campaignId);
    while (await step(second));
    clock.advance(1000);
  }
  expect(sent).toBe(invites);
  expect(await ctx.db.query(countCalls, [campaignId])).toEqual([{ calls }]);
});
