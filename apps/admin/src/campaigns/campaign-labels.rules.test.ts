import type { CampaignDetail, CampaignForecast } from '@parley/contracts';
import { describe, expect, test } from 'vitest';
import { callingHours, campaignNow, campaignState, finishOf, peopleOf } from './campaign-labels.rules.ts';

test.each([
  ['in-progress', '2026-02-01T08:00:00.000000Z', 'Running, outside the calling hours'],
  ['in-progress', null, 'Running'],
  ['stopped', '2026-02-01T08:00:00.000000Z', 'Stopped'],
] as const)('a campaign that is %s and opens at %s: %s', (status, opensAt, label) => {
  expect(campaignState({ status, opens_at: opensAt })).toBe(label);
});

describe('a campaign in one sentence', () => {
  const progress = { leads: 10, completed: 4, reached_max_retries: 1, live_calls: 2 };
  const now = (fields: object, counts: object = {}): string =>
    campaignNow({
      status: 'in-progress',
      opens_at: null,
      obstacle: null,
      ...fields,
      progress: { ...progress, ...counts } as CampaignDetail['progress'],
    });
  const closed = { opens_at: '2026-02-01T08:00:00.000000Z' };

  test.each([
    [now({}), 'Running: 2 calls in progress, 5 leads left.'],
    [now({}, { live_calls: 1, completed: 8 }), 'Running: 1 call in progress, 1 lead left.'],
    // Conversations go on after the calling hours.
    [now(closed), 'Running: 2 calls in progress, 5 leads left.'],
    [now(closed, { live_calls: 0 }), 'Running, outside the calling hours, with 5 leads left.'],
    [now({ obstacle: {} }), 'Running, but it cannot finish without a change.'],
    [now({ status: 'draft' }), 'Not started. 5 leads wait for the start.'],
    [now({ status: 'draft' }, { leads: 5 }), 'Not started. Add leads first.'],
    [now({ status: 'stopped' }), 'Stopped with 5 leads left.'],
    [now({ status: 'completed' }), 'Completed: 4 of 10 leads were reached.'],
  ])('%s', (sentence, expected) => {
    expect(sentence).toBe(expected);
  });
});

test.each([
  ['nobody is unreachable', [], 0, 10],
  ['some are on the do-not-call list', [3], 0, 7],
  ['some of the unreachable are blocked, and do not wait', [3, 2], 2, 7],
  ['a lead was blocked after the forecast', [], 1, 10],
  ['all are unreachable', [10], 0, 0],
])('people who would be called, where %s', (_, never, blocked, people) => {
  const unreachable = never.map((leads) => ({ reason: 'do_not_call', explanation: '', leads }));
  expect(peopleOf({ leads: 10, unreachable } as CampaignForecast, blocked)).toBe(people);
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

  // As `formatInstant` writes times: the language of the machine decides between 12 and 24 hours.
  const timeOf = (time: string): string =>
    new Date(`2026-01-31T${time}Z`).toLocaleTimeString([], { timeStyle: 'short', timeZone: 'UTC' });
  const [nine, halfPastFive] = ['09:00', '17:30'].map(timeOf);

  test('name single days', () => {
    expect(hours(['monday', 'friday'])).toBe(`Mon, Fri, ${nine} to ${halfPastFive} (Europe/Berlin)`);
  });

  test('summarise a whole week', () => {
    expect(hours([...WEEK])).toBe(`Every day, ${nine} to ${halfPastFive} (Europe/Berlin)`);
  });
});

test('the end of a campaign is in the zone of its calling hours', () => {
  const finish = finishOf({ finish_at: '2026-02-01T20:30:00.000000Z' }, 'Asia/Tokyo', 3);
  expect(finish).toMatch(/\b0?5:30.*\(Asia\/Tokyo\)$/);
  expect(finishOf({ finish_at: null }, 'Asia/Tokyo', 3)).toBe('Not within a year');
  expect(finishOf({ finish_at: null }, 'Asia/Tokyo', 0)).toBeNull();
});
