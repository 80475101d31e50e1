/**
 * The states of a campaign and what moves it from one to the next (docs/api.md, "Campaigns").
 *
 * - `draft`: being put together; nothing is dialed. Waits for a start.
 * - `in-progress`: dials whenever its window and its leads allow. Left by a stop, or by the dialer when no lead remains.
 * - `stopped`: dials nothing; calls in progress may still be ending. Waits for a start.
 * - `completed`: no lead was left. Leads may be added and it may be started again.
 *
 * No timer leaves any of them. Starting twice and stopping twice are harmless: the table says "stay".
 */
import type { CampaignStatus } from '@parley/contracts';

/** What can happen to a campaign; `finish` is the dialer's. */
export type CampaignEvent = 'start' | 'stop' | 'finish';

const NEXT: Record<CampaignStatus, Record<CampaignEvent, CampaignStatus>> = {
  draft: { start: 'in-progress', stop: 'draft', finish: 'draft' },
  'in-progress': { start: 'in-progress', stop: 'stopped', finish: 'completed' },
  stopped: { start: 'in-progress', stop: 'stopped', finish: 'stopped' },
  completed: { start: 'in-progress', stop: 'completed', finish: 'completed' },
};

/** The status after an event; the same one where the event changes nothing. */
export function nextCampaignStatus(status: CampaignStatus, event: CampaignEvent): CampaignStatus {
  return NEXT[status][event];
}
