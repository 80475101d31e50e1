import { expect, it } from 'vitest';
import { funnelSteps } from './campaign-funnel.rules.ts';

const progress = {
  leads: 200,
  created: 100,
  completed: 60,
  reached_max_retries: 40,
  waiting: 50,
  dialing: 0,
  waiting_to_retry: 50,
  blocked: 0,
  called: 150,
  live_calls: 0,
  outcomes: { talked: 70, voicemail: 20, hung_up_early: 10, no_answer: 90 },
  dispositions: [],
};

it.each([
  [false, 'done'],
  [true, 'goal'],
])('leads from the list to the end, retried for the goal: %s', (isGoalRequired, last) => {
  expect(funnelSteps({ progress, retry_on_goal_incomplete: isGoalRequired })).toEqual([
    { step: 'leads', count: 200, percent: 100 },
    { step: 'called', count: 150, percent: 75 },
    { step: 'answered', count: 100, percent: 50 },
    { step: 'talked', count: 70, percent: 35 },
    { step: last, count: 60, percent: 30 },
  ]);
});

it('has no shares without leads', () => {
  const steps = funnelSteps({ progress: { ...progress, leads: 0 }, retry_on_goal_incomplete: false });
  expect(steps.map(({ percent }) => percent)).toEqual([0, 0, 0, 0, 0]);
});
