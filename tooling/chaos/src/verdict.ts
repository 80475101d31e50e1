/** Converts a run into counts and faults, and runs the negative controls of the oracle. */
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
  notHungUp: 'answered without BYE',
  misrecorded: 'answered, recorded as no answer',
};
/** Maximum number of printed faults per kind. */
const SHOWN_FAULTS = 5;

/** The evidence of the campaigns of a run, from carrier and database. */
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

/** @param charges - the kinds of faults that this run can show */
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
