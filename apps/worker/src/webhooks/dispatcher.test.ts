import { callFinishedPayload, limitWarningPayload } from '@parley/contracts';
import { revealWebhookSecret, switchWebhook } from '@parley/core';
import { statement } from '@parley/db';
import { silentLog, systemClock } from '@parley/runtime';
import { createGuardedClient } from '@parley/runtime/guarded-http';
import { startWebhookReceiver, useTestDatabase, type WebhookReceiver } from '@parley/testkit';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { arrange, finishTestCall } from '../../test/arrange.ts';
import { PoolLiveness } from '../pool-liveness.ts';
import { evaluateCall } from '../tasks/evaluate-call.ts';
import { sweepCampaignsTask } from '../tasks/sweep-campaigns.ts';
import { Dispatcher } from './dispatcher.ts';
import { listenForWebhooks } from './notices.ts';

const database = useTestDatabase();
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});
beforeEach(() => database.db.query(statement('', 'delete from deliveries')));

async function newReceiver(): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver();
  undo.push(receiver.close);
  return receiver;
}

interface TestWorker {
  dispatcher: Dispatcher;
  /** Closes the liveness connection and sends nothing more, which is what a kill looks like to other workers. */
  kill(): Promise<void>;
}

/** A user whose calls are reported to a receiver, and the workers that a test starts. */
async function setup(options: { timeLimitMs?: number } = {}) {
  const receiver = await newReceiver();
  const assistant = { is_webhook_active: true, webhook_url: receiver.url };
  const about = await arrange(database.db, { assistant });
  undo.push(about.close);
  const { core, worker } = about;
  const clock = systemClock;

  async function startWorker(concurrency = 50): Promise<TestWorker> {
    const shared = { url: database.db.directUrl, clock, log: silentLog };
    const liveness = new PoolLiveness({ ...shared, onUnlocked: () => dispatcher.wake() });
    const client = createGuardedClient({ clock, allowPrivate: 'loopback', ...options });
    const cut = new AbortController();
    const mortal = {
      send: async (request: Parameters<typeof client.send>[0]) => {
        const outcome = await client.send(request);
        return cut.signal.aborted ? new Promise<never>(() => {}) : outcome;
      },
    };
    const dispatcher = new Dispatcher({ core, client: mortal, liveness, concurrency });
    const notices = listenForWebhooks({ ...shared, onNotice: dispatcher.wake });
    for (const service of [liveness, dispatcher, notices]) await service.start();
    undo.push(async () => {
      await notices.stop();
      if (!cut.signal.aborted) await dispatcher.stop();
      await liveness.stop();
      await client.close();
    });
    async function kill(): Promise<void> {
      cut.abort();
      await Promise.all([notices.stop(), liveness.stop()]);
    }
    return { dispatcher, kill };
  }

  /** Ends a call whose owner has a webhook. @returns its id */
  async function announce(): Promise<number> {
    const callId = await finishTestCall(about);
    await evaluateCall(worker, { callId });
    return callId;
  }

  /** Waits for the log entry of a call's webhook. */
  async function settled(callId: number): Promise<{ status: string; attemptCount: number; reason: string }> {
    const find = statement<{ status: string; attemptCount: number; reason: string }>(
      '',
      'select status, attempt_count, reason from deliveries where call_id = $1 and settled_at is not null',
    );
    for (;;) {
      const [row] = await database.db.query(find, [callId]);
      if (row) return row;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return { ...about, receiver, startWorker, announce, settled };
}

test('the end of a call is delivered immediately, with a signature that the official library accepts', async () => {
  const { core, identity, receiver, startWorker, announce, settled } = await setup();
  await startWorker();
  const callId = await announce();
  const received = await receiver.request(1);
  const secret = await revealWebhookSecret(core, identity.userId);
  const verified = callFinishedPayload.parse(new Webhook(secret).verify(received.body, received.headers));
  expect(verified).toMatchObject({ event: 'call.finished', id: callId, status: 'completed' });
  expect(await settled(callId)).toMatchObject({ status: 'delivered', attemptCount: 1 });
});

test('a limit of costs that is nearly reached is reported to the address of its user', async () => {
  const { core, worker, identity, receiver, startWorker } = await setup();
  const limit = statement(
    '',
    `with limited as (
       update users set max_cost_per_day = 10, limit_webhook_url = $2 where id = $1 returning id
     ) insert into dial_costs (scope, subject_id, day, cost)
       select 'user', id, (clock_timestamp() at time zone 'utc')::date, 8 from limited`,
  );
  await core.db.query(limit, [identity.userId, receiver.url]);
  await startWorker();
  await sweepCampaignsTask(worker);
  const received = await receiver.request(1);
  const secret = await revealWebhookSecret(core, identity.userId);
  const verified = limitWarningPayload.parse(new Webhook(secret).verify(received.body, received.headers));
  const about = { scope: 'user', scope_id: identity.userId, measure: 'cost_per_day' };
  expect(verified).toMatchObject({ ...about, used: 8, limit: 10 });
});

test('deliveries that were due before the worker started are sent', async () => {
  const { receiver, startWorker, announce } = await setup();
  await announce();
  await startWorker();
  await receiver.request(1);
});

test('several workers send each delivery once', async () => {
  const { receiver, startWorker, announce, settled } = await setup();
  for (let worker = 0; worker < 3; worker++) await startWorker();
  const calls = [];
  for (let call = 0; call < 20; call++) calls.push(await announce());
  for (const callId of calls) expect(await settled(callId)).toMatchObject({ status: 'delivered' });
  expect(receiver.requests).toHaveLength(20);
});

test('a failed delivery is sent again when it is due, with the same id', async () => {
  const { core, receiver, startWorker, announce, settled } = await setup();
  receiver.answerNext({ status: 500 });
  await startWorker();
  const callId = await announce();
  await receiver.request(1);
  const bringForward = statement<{ id: string }>(
    '',
    `update deliveries set next_attempt_at = now() where stage = 'waiting' returning id`,
  );
  while ((await core.db.query(bringForward)).length === 0);
  expect(await settled(callId)).toMatchObject({ status: 'delivered', attemptCount: 2 });
  const ids = receiver.requests.map((request) => request.headers['webhook-id']);
  expect(ids).toHaveLength(2);
  expect(ids[1]).toBe(ids[0]);
}, 30_000);

test('a receiver that does not answer does not delay others, however many deliveries wait for it', async () => {
  const { core, identity, assistant, receiver, startWorker, announce, settled } = await setup();
  const hanging = await newReceiver();
  hanging.answerNext(...Array.from({ length: 1_000 }, () => ({ behaviour: 'hang' }) as const));
  await startWorker(8);
  await switchWebhook(core, identity, { assistantId: assistant.id, webhookUrl: hanging.url });
  for (let call = 0; call < 20; call++) await announce();
  await hanging.request(2);
  await switchWebhook(core, identity, { assistantId: assistant.id, webhookUrl: receiver.url });
  for (let call = 0; call < 5; call++)
    expect(await settled(await announce())).toMatchObject({ status: 'delivered' });
  expect(hanging.requests).toHaveLength(2);
  await hanging.close();
});

test('a delivery of a worker that dies while it waits for the answer is sent by another worker, with the same id', async () => {
  const { receiver, startWorker, announce, settled } = await setup();
  receiver.answerNext({ behaviour: 'hang' });
  const first = await startWorker();
  const callId = await announce();
  await receiver.request(1);
  await first.kill();
  await startWorker();
  const again = await receiver.request(2);
  expect(again.headers['webhook-id']).toBe(receiver.requests[0]?.headers['webhook-id']);
  expect(await settled(callId)).toMatchObject({ status: 'delivered', attemptCount: 1 });
});

test('stopping waits for requests under way and stores their answers', async () => {
  const { receiver, startWorker, announce, settled } = await setup({ timeLimitMs: 300 });
  receiver.answerNext({ behaviour: 'drip' });
  const { dispatcher } = await startWorker();
  const callId = await announce();
  await receiver.request(1);
  await dispatcher.stop();
  await dispatcher.stop();
  expect(await settled(callId)).toMatchObject({ status: 'delivered' });
});
