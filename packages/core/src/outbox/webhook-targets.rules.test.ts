import { describe, expect, it } from 'vitest';
import { webhookTargets, type WebhookSettings } from './webhook-targets.rules.ts';

const ON: WebhookSettings = {
  isWebhookActive: true,
  webhookUrl: 'https://a.test/',
  inboundWebhookUrl: null,
  isWebhookOnlyOnCompleted: true,
  isRecordingInWebhook: true,
};
const POST_CALL = { target: 'post-call', url: 'https://a.test/' };
const INBOUND = { target: 'inbound', url: 'https://b.test/' };

describe('the addresses that receive the end of a call', () => {
  it.each([
    ['a completed call is sent', 'completed', 'outbound', {}, [POST_CALL]],
    ['a busy one is not', 'busy', 'outbound', {}, []],
    [
      'unless every final state is wanted',
      'busy',
      'outbound',
      { isWebhookOnlyOnCompleted: false },
      [POST_CALL],
    ],
    ['nothing is sent when switched off', 'completed', 'outbound', { isWebhookActive: false }, []],
    ['nor without an address', 'completed', 'web', { webhookUrl: null }, []],
    [
      'an outbound call is not told to the inbound address',
      'completed',
      'outbound',
      { inboundWebhookUrl: 'https://b.test/' },
      [POST_CALL],
    ],
    [
      'an inbound call is reported to both',
      'completed',
      'inbound',
      { inboundWebhookUrl: 'https://b.test/' },
      [POST_CALL, INBOUND],
    ],
    [
      'the inbound address learns of every end',
      'no-answer',
      'inbound',
      { inboundWebhookUrl: 'https://b.test/' },
      [INBOUND],
    ],
  ] as const)('%s', (_sentence, status, type, settings, expected) => {
    expect(webhookTargets({ status, type }, { ...ON, ...settings })).toEqual(expected);
  });
});
