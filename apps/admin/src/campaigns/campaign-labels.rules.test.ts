import type { CampaignDetail } from '@parley/contracts';
import { describe, expect, test } from 'vitest';
import { callingHours, campaignState } from './campaign-labels.rules.ts';

test.each([
  ['in-progress', '2026-02-01T08:00:00.000000Z', 'Running, outside the calling hours'],
  ['in-progress', null, 'Running'],
  ['stopped', '2026-02-01T08:00:00.000000Z', 'Stopped'],
] as const)('a campaign that is %s and opens at %s: %s', (status, opensAt, label) => {
  expect(campaignState({ status, opens_at: opensAt })).toBe(label);
});

describe('calling hours', () => {
  const WEEK = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
  const hours = (days: CampaignDetail['allowed_days']): string =>
    callingHours({
      allowed_days: days,
      allowed_hours_start_time: '09:00:00',
      allowed_hours_end_time: '17:30:00',
      timezone: 'Europe/Berlin',
    });

  test('name single days', () => {
    expect(hours(['monday', 'friday'])).toBe('Mon, Fri, 09:00 to 17:30 (Europe/Berlin)');
  });

  test('summarise a whole week', () => {
    expect(hours([...WEEK])).toBe('Every day, 09:00 to 17:30 (Europe/Berlin)');
  });
});
