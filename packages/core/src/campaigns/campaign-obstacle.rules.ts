/** Why a campaign can never finish as it stands: nothing that the clock brings will change it, only its owner can. */
import type { CallingWindow } from '../dialing/calling-window.rules.ts';
import { commonWindowAt } from '../dialing/common-window.rules.ts';

/** What stands in the way. */
export type CampaignObstacle = 'assistant_not_ready' | 'no_allowed_time' | 'nobody_callable';

/** What is known of the campaign. */
export interface CampaignSituation {
  window: CallingWindow;
  isAssistantReady: boolean;
  /** Leads that were neither reached nor given up. */
  openLeads: number;
  /** The number of these leads that may not be called. */
  blockedLeads: number;
  now: Date;
}

/** @returns null for a campaign that will finish, or waits for its first lead */
export function obstacleOf(situation: CampaignSituation): CampaignObstacle | null {
  const { window, isAssistantReady, openLeads, blockedLeads, now } = situation;
  if (openLeads === 0) return null;
  if (!isAssistantReady) return 'assistant_not_ready';
  const state = commonWindowAt(window, [], now);
  if (!state.isOpen && state.opensAt === null) return 'no_allowed_time';
  return blockedLeads === openLeads ? 'nobody_callable' : null;
}

const WORDS: Record<CampaignObstacle, string> = {
  assistant_not_ready: 'The assistant of the campaign is missing, inactive or not an outbound assistant.',
  no_allowed_time: 'No hour of the week is left in which the campaign may call.',
  nobody_callable: 'None of the remaining leads may be called: see the reason of each.',
};

/** An obstacle in a sentence. */
export function explainObstacle(obstacle: CampaignObstacle): string {
  return WORDS[obstacle];
}
