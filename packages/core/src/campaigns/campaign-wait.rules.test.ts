import { expect, test } from 'vitest';
import { waitOf, type WaitingCampaign } from './campaign-wait.rules.ts';

const running: WaitingCampaign = {
  status: 'in-progress',
  heldBy: null,
  maxCallsInParallel: 3,
  isOpen: true,
  progress: { waiting: 5, waiting_to_retry: 2, live_calls: 1 },
};

test.each<[string, Partial<WaitingCampaign>, ReturnType<typeof waitOf>]>([
  ['a free slot, which comes at once', {}, null],
  ['the start of a draft', { status: 'draft', isOpen: false }, 'start'],
  ['the start after a stop', { status: 'stopped' }, 'start'],
  ['the calling hours', { isOpen: false, heldBy: 'fleet' }, 'calling_hours'],
  ['a call of the campaign to end', { progress: { ...running.progress, live_calls: 3 } }, 'campaign_calls'],
  ['a call of the account to end', { heldBy: 'account:7' }, 'account_calls'],
  ['the trunk', { heldBy: 'trunk:12' }, 'sip_trunk'],
  ['the voice processes', { heldBy: 'fleet' }, 'voice_capacity'],
  ['their next attempt', { progress: { ...running.progress, waiting: 0 } }, 'retry'],
  [
    'nothing, because there are none',
    { status: 'draft', progress: { waiting: 0, waiting_to_retry: 0, live_calls: 0 } },
    null,
  ],
])('the leads wait for %s', (_, change, reason) => {
  expect(waitOf({ ...running, ...change })).toBe(reason);
});
