import { userChangesBody, type UserRecord } from '@parley/contracts';
import { expect, it } from 'vitest';
import { dialLimitsDraft } from './dial-limits-draft.rules.ts';

const none = {
  max_calls_per_second: null,
  max_calls_per_day: null,
  max_cost_per_day: null,
  limit_webhook_url: null,
};
const limited = {
  max_calls_per_second: 2,
  max_calls_per_day: 0,
  max_cost_per_day: 2.5,
  limit_webhook_url: 'https://example.com/limits',
};

it.each([none, limited])('the limits %j come back from the form as they were', (limits) => {
  const draft = dialLimitsDraft(limits as UserRecord);
  expect(userChangesBody.parse(draft)).toEqual(limits);
});
