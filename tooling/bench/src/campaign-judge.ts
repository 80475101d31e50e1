/**
 * The judge of the chaos test over a part of `bench:campaign`: what the carrier saw against what the database says, of
 * every campaign of the ground. A campaign may dial between its start and the answer to its stop, and at no other time.
 */
import { judge, readFacts, type Evidence, type WireCall } from '@parley/chaos';
import { untilIdle, type Crew } from './campaign-crew.ts';
import type { CampaignGround } from './campaign-ground.ts';
import { IS_HISTORY } from './campaign-seed.ts';
import type { Correctness } from './campaign-sins.rules.ts';

/**
 * A lead that stands in the queue and was never in a call has nothing to say, and a million of them say it slowly. One
 * that was written as done was never called, and ought not to be.
 */
const WITNESSES = `(q.lead_id is null or l.id in (select lead_id from calls)) and not ${IS_HISTORY}`;

/** To be asked when the campaigns are over or stopped: waits for the last end, and closes the case of all of them. */
export async function checkCalls(ground: CampaignGround, crew: Crew): Promise<Correctness> {
  await untilIdle(ground);
  const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await ground.sql.query(text, [...values])).rows as Row[];
  const { calls, leads, completeIds } = await readFacts({ query }, [...ground.campaigns.keys()], WITNESSES);
  const wire = (await crew.readLog()).map(({ number, invitedAtMs, endedAtMs }, index): WireCall => ({
    sipCallId: String(index),
    number,
    invitedAtMs,
    endedAtMs,
  }));
  const campaigns = [...ground.campaigns.values()].map((told) => ({
    ...told,
    isComplete: completeIds.includes(told.id),
  }));
  ground.campaigns.clear();
  const evidence: Evidence = { wire, calls, leads, campaigns };
  const { lost, twice, overCap, outsideWindow } = judge(evidence);
  return {
    lost: lost.length,
    twice: twice.length,
    overCap: overCap.length,
    outsideWindow: outsideWindow.length,
  };
}
