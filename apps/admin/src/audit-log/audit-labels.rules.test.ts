import { expect, it } from 'vitest';
import { actorOf, fieldsOf, operationOf, sourceOf } from './audit-labels.rules.ts';

it.each([
  [{ channel: 'app', user_id: 1, user_email: 'ada@example.com' }, 'ada@example.com'],
  [{ channel: 'app', user_id: null, user_email: null }, 'Unknown address'],
  [{ channel: 'api', user_id: 4, user_email: null }, 'User #4, removed'],
  [{ channel: 'cli', user_id: null, user_email: null }, 'Command line'],
] as const)('names who did it: %j', (entry, name) => {
  expect(actorOf(entry)).toBe(name);
});

it.each([
  ['session.signIn', 'done', 'Signed in'],
  ['session.signIn', 'refused', 'Sign-in refused'],
  ['assistants.remove', 'refused', 'Refused: Deleted assistant'],
  ['new.operation', 'done', 'new.operation'],
] as const)('says what was done: %s, %s', (operation, outcome, text) => {
  expect(operationOf({ operation, outcome })).toBe(text);
});

it('names where it came from', () => {
  expect(sourceOf({ channel: 'api', network_address: '192.0.2.1' })).toBe('API, 192.0.2.1');
  expect(sourceOf({ channel: 'cli', network_address: null })).toBe('Server');
});

it.each([
  [[], '–'],
  [['name', 'sip_trunk_id', 'max_calls_per_day'], 'Name, SIP trunk, maximum calls per day'],
  [['is_disabled', 'webhook_url', 'label_ids'], 'Disabled, webhook URL, labels'],
  [['max_cps', 'rtp_timeout_seconds'], 'New calls per second, audio timeout'],
  [['campaignId', 'campaign_id'], 'Campaign'],
])('names the written fields in words: %j', (fields, text) => {
  expect(fieldsOf({ fields })).toBe(text);
});
