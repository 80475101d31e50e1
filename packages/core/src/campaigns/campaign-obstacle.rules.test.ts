import { describe, expect, it } from 'vitest';
import { explainObstacle, obstacleOf, type CampaignSituation } from './campaign-obstacle.rules.ts';

const FINE: CampaignSituation = {
  window: {
    timezone: 'UTC',
    allowedFrom: '09:00:00',
    allowedUntil: '17:00:00',
    allowedDays: ['monday'],
  },
  isAssistantReady: true,
  openLeads: 3,
  blockedLeads: 2,
  now: new Date('2026-01-01T12:00:00Z'),
};
const NO_DAY = { ...FINE.window, allowedDays: [] };

describe('a campaign that can never finish', () => {
  it.each([
    ['it will', {}, null],
    ['no day is allowed', { window: NO_DAY }, 'no_allowed_time'],
    ['the assistant is not ready', { isAssistantReady: false }, 'assistant_not_ready'],
    ['all that are left are forbidden', { blockedLeads: 3 }, 'nobody_callable'],
    ['no lead is open: it waits for its first, or is done', { openLeads: 0, window: NO_DAY }, null],
  ] as const)('%s', (_what, fields, expected) => {
    const obstacle = obstacleOf({ ...FINE, ...fields });
    expect(obstacle).toBe(expected);
    if (obstacle) expect(explainObstacle(obstacle)).toMatch(/\.$/);
  });
});
