/**
 * Applies the oracle of the chaos tests to a part of `bench:campaign`: compares the log of the carrier with the database for
 * every campaign. A campaign may dial only between its start and the response to its stop.
 */
import { judge, readFacts, type Evidence, type WireCall } from '@parley/chaos';
import { untilIdle, type CampaignProcesses } from './campaign-processes.ts';
import type { CampaignTestbed } from './campaign-testbed.ts';
import { IS_HISTORY } from './campaign-seed.ts';
import type { Correctness } from './campaign-correctness.rules.ts';

/**
 * Selects the leads that the oracle reads. Leads that wait in the queue without a call, and leads that were inserted as
 * done, are no evidence, and reading a million of them is slow.
 */
const WITNESSES = `(q.lead_id is null or l.id in (select lead_id from calls)) and not ${IS_HISTORY}`;

/** Call it when the campaigns are completed or stopped. It waits for the last end and judges all campaigns. */
export async function checkCalls(
  testbed: CampaignTestbed,
  processes: CampaignProcesses,
): Promise<Correctness> {
  await untilIdle(testbed);
  const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await testbed.sql.query(text, [...values])).rows as Row[];
  const { calls, leads, completeIds } = await readFacts({ query }, [...testbed.campaigns.keys()], WITNESSES);
  const wire = (await processes.readLog()).map(({ number, invitedAtMs, endedAtMs }, index): WireCall => ({
    sipCallId: String(index),
    number,
    invitedAtMs,
    endedAtMs,
    answer: null,
  }));
  const campaigns = [...testbed.campaigns.values()].map((campaign) => ({
    ...campaign,
    isComplete: completeIds.includes(campaign.id),
  }));
  testbed.campaigns.clear();
  const evidence: Evidence = { wire, calls, leads, campaigns };
  const { lost, twice, overCap, outsideWindow } = judge(evidence);
  return {
    lost: lost.length,
    twice: twice.length,
    overCap: overCap.length,
    outsideWindow: outsideWindow.length,
  };
}
