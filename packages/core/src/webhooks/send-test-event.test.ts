import { webhookTestPayload } from '@parley/contracts';
import { startWebhookReceiver, useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { arrange } from '../../test/arrange.ts';
import { revealWebhookSecret } from '../users/find-user.ts';
import { sendTestEvent } from './send-test-event.ts';
import { webhookHeaders } from './sign-webhook.ts';

const database = useTestDatabase();

it('is signed like every webhook, and its answer is returned, also a failure', async () => {
  const receiver = await startWebhookReceiver();
  const { ctx, clock, identity, assistant } = await arrange(database.db, { webhook_url: receiver.url });
  const local = { ...ctx, allowPrivateWebhooks: 'loopback' as const };
  receiver.answerNext({ status: 500, body: 'broken' });
  const result = await sendTestEvent(local, identity, assistant.id);
  expect(result).toMatchObject({ status: 500, response_body: 'broken', error: null });
  expect(webhookTestPayload.parse(result.payload)).toEqual(result.payload);

  const { headers, body } = await receiver.request(1);
  const secret = await revealWebhookSecret(ctx, identity.userId);
  const at = new Date(clock.now());
  expect(headers).toMatchObject(webhookHeaders({ id: headers['webhook-id'] ?? '', body, at }, [secret]));

  // Only operators may reach addresses that are not public.
  const member = { ...identity, role: 'member' as const };
  const refused = await sendTestEvent(local, member, assistant.id);
  expect(refused).toMatchObject({ status: null, response_body: null, error: expect.any(String) });
  expect(receiver.requests).toHaveLength(1);
  await receiver.close();
});

it('needs an address', async () => {
  const { ctx, identity, assistant } = await arrange(database.db);
  await expect(sendTestEvent(ctx, identity, assistant.id)).rejects.toMatchObject({ kind: 'conflict' });
});
