import { api, createOpenApi, webhookPayloads } from '@parley/contracts';
import { expect, test } from 'vitest';
import { changedCampaignInput, emptyCampaign, toCampaignInput } from './campaign-draft.rules.ts';

const filled = { ...emptyCampaign, name: 'Autumn', assistant_id: '7' };

test('minutes become seconds, and an empty time zone is left to the assistant', () => {
  expect(toCampaignInput(filled)).toEqual({
    name: 'Autumn',
    assistant_id: 7,
    disclosure_message: null,
    dispositions: [],
    max_calls_in_parallel: 3,
    allowed_hours_start_time: '09:00',
    allowed_hours_end_time: '18:00',
    allowed_days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
    max_retries: 3,
    retry_interval: 3600,
    phone_number_ids: [],
    mark_complete_when_no_leads: true,
    retry_on_voicemail: false,
    retry_on_goal_incomplete: false,
    goal_completion_variable: null,
    respect_lead_timezone: false,
    require_consent: false,
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

test('every setting of a campaign in the API can be set', () => {
  const document = createOpenApi({
    contract: api,
    webhooks: webhookPayloads,
    version: '1.0.0',
    serverUrl: 'https://parley.example',
  });
  const { components } = JSON.parse(JSON.stringify(document)) as {
    components: { schemas: { CampaignChanges: { properties: object } } };
  };
  const sent = Object.keys(toCampaignInput({ ...filled, timezone: 'UTC' }));
  // The form has no status: the buttons "Start" and "Stop" change it.
  const settings = Object.keys(components.schemas.CampaignChanges.properties).filter(
    (name) => name !== 'status',
  );
  expect(sent.toSorted()).toEqual(settings.toSorted());
});

test('a change sends only what was edited', () => {
  expect(changedCampaignInput(filled, filled)).toEqual({});
  expect(changedCampaignInput({ ...filled, phone_number_ids: ['4'] }, filled)).toEqual({
    phone_number_ids: [4],
  });
});
