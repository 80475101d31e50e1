/**
 * The states of a campaign and the events that change them (docs/api.md, "Campaigns"). `campaign-status.ts` is the only
 * writer of the status.
 *
 * - `draft`: being prepared; nothing is dialed. Waits for a start.
 * - `in-progress`: dials whenever its window and its leads allow. Left by a stop, or when no lead remains.
 * - `stopped`: nothing is dialed; calls in progress may still be ending. Waits for a start.
 * - `completed`: no lead remained. Leads may be added, and it may be started again.
 *
 * No state has a timer. An event that is repeated leaves the state as it is.
 */
import type { CampaignStatus } from '@parley/contracts';

/** What can happen to a campaign. `finish`: no lead remains. */
export type CampaignEvent = 'start' | 'stop' | 'finish';

const NEXT: Record<CampaignStatus, Record<CampaignEvent, CampaignStatus>> = {
  draft: { start: 'in-progress', stop: 'draft', finish: 'draft' },
  'in-progress': { start: 'in-progress', stop: 'stopped', finish: 'completed' },
  stopped: { start: 'in-progress', stop: 'stopped', finish: 'stopped' },
  completed: { start: 'in-progress', stop: 'completed', finish: 'completed' },
};

/** The status after an event; the same if the event changes nothing. */
export function nextCampaignStatus(status: CampaignStatus, event: CampaignEvent): CampaignStatus {
  return NEXT[status][event];
}
