/** The steps from the leads of a campaign to its goal, as far as they are counted. */
import type { CallOutcome, CampaignDetail } from '@parley/contracts';

/** Outcomes of answered calls. */
const ANSWERED: readonly CallOutcome[] = ['talked', 'voicemail', 'hung_up_early'];

type Step = 'leads' | 'called' | 'answered' | 'talked' | 'done' | 'goal';

/** One step. */
export interface FunnelStep {
  step: Step;
  count: number;
  /** The share of all leads; over 100 where more calls were answered than there are leads. */
  percent: number;
}

/** `answered` and `talked` count calls, the others leads. The goal is known where leads that missed it are called again. */
export function funnelSteps({
  progress,
  retry_on_goal_incomplete: isGoalRequired,
}: Pick<CampaignDetail, 'progress' | 'retry_on_goal_incomplete'>): FunnelStep[] {
  const { leads, called, completed, outcomes } = progress;
  const steps: [Step, number][] = [
    ['leads', leads],
    ['called', called],
    ['answered', ANSWERED.reduce((sum, outcome) => sum + (outcomes[outcome] ?? 0), 0)],
    ['talked', outcomes.talked ?? 0],
    [isGoalRequired ? 'goal' : 'done', completed],
  ];
  return steps.map(([step, count]) => ({ step, count, percent: leads === 0 ? 0 : (count / leads) * 100 }));
}
