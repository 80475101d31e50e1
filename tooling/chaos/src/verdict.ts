/** Turns a run into counts and faults, and asks the judge about spoiled evidence as well. */
import type { CheckResult } from './check.ts';
import { readFacts } from './campaigns.ts';
import {
  CHARGES,
  judge,
  spoilEvidence,
  type CampaignFact,
  type Charge,
  type Evidence,
} from './oracle.rules.ts';
import type { PatientSql } from './patient-sql.ts';
import type { Witness } from './witness.ts';

const WORDS: Record<Charge, string> = {
  lost: 'lost',
  twice: 'twice',
  overCap: 'over cap',
  outsideWindow: 'outside window',
  late: 'late',
};
/** A run that goes wrong goes wrong a thousand times; the first few tell enough. */
const SHOWN_FAULTS = 5;

/** Everything known of the run's campaigns, from both sides. */
export async function gatherEvidence(
  witness: Witness,
  sql: PatientSql,
  campaigns: readonly CampaignFact[],
): Promise<Evidence> {
  const facts = await readFacts(
    sql,
    campaigns.map(({ id }) => id),
  );
  const isComplete = ({ id }: CampaignFact): boolean => facts.completeIds.includes(id);
  return {
    wire: await witness.calls(),
    calls: facts.calls,
    leads: facts.leads,
    campaigns: campaigns.map((campaign) => ({ ...campaign, isComplete: isComplete(campaign) })),
  };
}

/** @param charges - those that this run can say something about */
export function resultOf(evidence: Evidence, charges: readonly Charge[] = CHARGES): CheckResult {
  const verdict = judge(evidence);
  const result: CheckResult = { counts: {}, faults: [], controls: {} };
  for (const charge of charges) {
    const found = verdict[charge];
    result.counts[WORDS[charge]] = found.length;
    result.faults.push(...found.slice(0, SHOWN_FAULTS).map((sentence) => `${WORDS[charge]}: ${sentence}`));
    const spoiled = spoilEvidence(charge, evidence);
    result.controls[WORDS[charge]] = spoiled !== null && judge(spoiled)[charge].length > found.length;
  }
  return result;
}
