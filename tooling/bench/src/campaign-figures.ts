/** What `bench:campaign` measures. */
import type { ClaimFigures } from './campaign-claims.ts';
import type { CrowdFigures, FairnessFigures } from './campaign-crowd.ts';
import type { DialingFigures } from './campaign-dialing.ts';
import type { Floors } from './campaign-floors.rules.ts';
import type { HookFigures } from './campaign-hooks.ts';
import type { ImportFigures } from './campaign-import.ts';
import type { JobFigures } from './campaign-jobs.ts';
import type { RefillFigures } from './campaign-refill.rules.ts';
import type { Correctness } from './campaign-correctness.rules.ts';

/** All figures of a run; parts that did not run are absent. */
export interface CampaignFigures {
  /** One worker and one simulated voice process, then two of one of them. */
  dialing?: DialingFigures[];
  /** Measured in the same run as the first of them. */
  floors?: Floors;
  refill?: RefillFigures & { correctness: Correctness };
  crowd?: CrowdFigures;
  fairness?: FairnessFigures;
  jobs?: JobFigures;
  claims?: ClaimFigures;
  hooks?: HookFigures;
  imported?: ImportFigures;
  /** Average run queue of the machine during the run; above the number of cores, the figures are too low. */
  load: number;
}
