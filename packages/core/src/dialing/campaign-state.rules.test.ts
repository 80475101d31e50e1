import { campaignStatuses, type CampaignStatus } from '@parley/contracts';
import { expect, test } from 'vitest';
import { nextCampaignStatus, type CampaignEvent } from './campaign-state.rules.ts';

const EVENTS: CampaignEvent[] = ['start', 'stop', 'finish'];

/** Every step that changes something; all others must stay. */
const STEPS: [CampaignStatus, CampaignEvent, CampaignStatus][] = [
  ['draft', 'start', 'in-progress'],
  ['in-progress', 'stop', 'stopped'],
  ['in-progress', 'finish', 'completed'],
  ['stopped', 'start', 'in-progress'],
  ['completed', 'start', 'in-progress'],
];

test.each(campaignStatuses.flatMap((status) => EVENTS.map((event) => [status, event] as const)))(
  'a campaign that is %s takes the event %s as in the table',
  (status, event) => {
    const step = STEPS.find(([from, happened]) => from === status && happened === event);
    expect(nextCampaignStatus(status, event)).toBe(step?.[2] ?? status);
  },
);
