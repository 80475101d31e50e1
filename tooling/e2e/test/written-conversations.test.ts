/**
 * A written conversation over the whole installation: the scripted dialogue of the demo assistant books an appointment in
 * text, with the state kept by the server, and the end is posted once to the webhook of the owner.
 */
import { conversationEndedPayload, readConversation } from '@parley/contracts';
import { startWebhookReceiver } from '@parley/testkit';
import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished } from 'vitest';
import { sharedInstallation } from '../src/shared-installation.ts';

const installation = sharedInstallation();

interface Reply {
  reply?: string;
  message?: string;
  conversation_id: string;
  is_ended: boolean;
}

async function setup() {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.close());
  const assistants = (await installation.request('GET', '/api/user/assistants')) as {
    id: number;
    uuid: string;
    system_prompt: string;
  }[];
  const demo = assistants.find(({ system_prompt: prompt }) => prompt.includes('[booked]'));
  if (!demo) throw new Error('The installation has no demo assistant');
  const path = '/api/user/assistants';
  const switched = { assistant_id: demo.id, webhook_url: receiver.url };
  await installation.request('POST', `${path}/enable-conversation-ended-webhook`, switched);
  onTestFinished(async () => {
    await installation.request('POST', `${path}/disable-conversation-ended-webhook`, {
      assistant_id: demo.id,
    });
  });
  return { demo, receiver };
}

it('the demo assistant books an appointment in text, and the end reaches the webhook', async () => {
  const { demo, receiver } = await setup();
  const begun = (await installation.request('POST', '/api/conversations', {
    assistant_id: demo.uuid,
    type: 'test',
    variables: { practice: 'Northside Dental' },
  })) as { conversation_id: string; history: { role: string; content: string }[] };
  expect(begun.history).toEqual([expect.objectContaining({ role: 'assistant' })]);
  const replies: Reply[] = [];
  for (const message of ['On Wednesday, please.', 'In the afternoon', 'Sarah', 'Yes, that is right.'])
    replies.push(
      (await installation.request('POST', `/api/conversations/${begun.conversation_id}/messages`, {
        message,
      })) as Reply,
    );
  expect(replies.map(({ is_ended: isEnded }) => isEnded)).toEqual([false, false, false, true]);
  expect(replies.at(-1)?.message).toContain('booked for Wednesday');
  const stored = readConversation.parse(
    await installation.request('GET', `/api/conversations/${begun.conversation_id}`),
  );
  expect(stored).toMatchObject({
    state: 'ended',
    ended_reason: 'assistant_ended',
    message_count: 9,
    extracted_variables: { day: 'Wednesday', name: 'Sarah', booked: 'yes' },
  });
  const { headers, body } = await receiver.request(1);
  const secret = await installation.cli(['webhook-secret', installation.email]);
  const payload = conversationEndedPayload.parse(new Webhook(secret.trim()).verify(body, headers));
  expect(payload).toMatchObject({ conversation_id: begun.conversation_id, ended_reason: 'assistant_ended' });
  expect(payload.transcript).toEqual(
    stored.history.map(({ role, content, created_at: timestamp }) => ({
      role,
      content,
      timestamp,
      timestamp_unix: Math.floor(Date.parse(timestamp) / 1000),
    })),
  );
  expect(receiver.requests).toHaveLength(1);
});

it('the server knows what a customer of an identifier has written before', async () => {
  const { demo } = await setup();
  const ask = async (message: string): Promise<Reply> =>
    (await installation.request('POST', '/api/ai/generate-reply', {
      assistant_id: demo.id,
      customer_identifier: 'an order of the shop',
      message,
    })) as Reply;
  const first = await ask('Friday would be good.');
  const second = await ask('In the morning');
  expect(second.conversation_id).toBe(first.conversation_id);
  expect(second.reply).toMatch(/first name/i);
});
