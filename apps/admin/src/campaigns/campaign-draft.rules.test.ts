import { expect, test } from 'vitest';
import { emptyCampaign, toCampaignInput } from './campaign-draft.rules.ts';

const filled = { ...emptyCampaign, name: 'Autumn', assistant_id: '7' };

test('minutes become seconds, and an empty time zone is left to the assistant', () => {
  expect(toCampaignInput(filled)).toEqual({
    name: 'Autumn',
    assistant_id: 7,
    disclosure_message: null,
    max_calls_in_parallel: 3,
    allowed_hours_start_time: '09:00',
    allowed_hours_end_time: '18:00',
    allowed_days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
    max_retries: 3,
    retry_interval: 3600,
  });
});

test('a time zone is sent without the blanks around it', () => {
  expect(toCampaignInput({ ...filled, timezone: ' Europe/Berlin ' })).toMatchObject({
    timezone: 'Europe/Berlin',
  });
});

test('an empty number is omitted and not zero', () => {
  expect(toCampaignInput({ ...filled, max_retries: '' }).max_retries).toBeNaN();
});
