/** What the admin app shows of written conversations and does with them. Core stores them; nothing asks a model. */
import { randomUUID } from 'node:crypto';
import {
  beginConversation,
  endInactiveConversations,
  findUserByEmail,
  storeReply,
  takeMessage,
  type Identity,
} from '@parley/core';
import { statement } from '@parley/db';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import { signInOperator, signInUser } from '../../test/signed-in.ts';

const database = useTestDatabase();
const WEBHOOK = { conversation_ended_webhook_url: 'https://receiver.example/ended' };
let live: LiveApi;
let browser: Browser;
let identity: Identity;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  browser = await signInOperator(live);
  const user = await findUserByEmail(live.core, live.email);
  identity = { userId: user.id, role: 'operator', scopes: 'all', timezone: 'UTC', tokenId: null };
});

afterAll(() => live.stop());

async function makeAssistant(fields: Record<string, unknown> = {}): Promise<number> {
  const made = await live.ask('/api/user/assistant', { method: 'POST', body: newAssistant(fields) });
  expect(made.status, made.text).toBe(201);
  return (made.body as { data: { id: number } }).data.id;
}

async function begin(assistantId: number): Promise<string> {
  const opening = { text: 'Hello.', collected: {}, cost: { total_cost: 0, are_costs_complete: true } };
  const made = { assistantId, type: 'widget', variables: {}, opening } as const;
  return (await beginConversation(live.core, identity, made)).uuid;
}

const write = (uuid: string, content: string) =>
  takeMessage(live.core, identity, { to: { uuid }, content, requestDigest: null });

const answer = (text: string) => ({
  reply: text,
  is_ended: false,
  variables: {},
  total_cost: 0,
  are_costs_complete: true,
});

const deliveriesOf = async (assistantId: number) =>
  live.core.db.query(
    statement<{ reason: string }>(
      '',
      `select payload->>'ended_reason' as reason from deliveries where assistant_id = $1`,
    ),
    [assistantId],
  );

const own = () => browser.trpc.writtenConversations;
const list = (filters: object = {}) => own().list.query({ page: 1, per_page: 25, ...filters });
const get = (id: string) => own().get.query({ id });
const end = (id: string) => own().end.mutate({ id });
const remove = (id: string) => own().remove.mutate({ id });

describe('the list', () => {
  test('is in pages, newest first, with the newest message of each', async () => {
    const assistantId = await makeAssistant();
    const uuids = [await begin(assistantId), await begin(assistantId), await begin(assistantId)];
    await write(uuids[0] ?? '', 'When do you open?');
    const filters = { assistant_id: assistantId, per_page: 2 };
    const first = await list(filters);
    expect(first.total).toBe(3);
    expect(first.rows.map(({ id }) => id)).toEqual([uuids[2], uuids[1]]);
    const { rows } = await list({ ...filters, page: 2 });
    expect(rows).toMatchObject([
      { id: uuids[0], message_count: 2, last_message: 'When do you open?', status: 'open' },
    ]);
  });

  test('has filters for the state and for the days in the time zone of the account', async () => {
    const assistantId = await makeAssistant();
    const [open, ended] = [await begin(assistantId), await begin(assistantId)];
    await end(ended);
    const zone = statement('', `update users set timezone = 'Europe/Berlin' where id = $1`);
    await live.core.db.query(zone, [identity.userId]);
    const at = statement('', `update written_conversations set created_at = $2 where uuid = $1`);
    await live.core.db.query(at, [open, new Date('2026-03-02T22:30:00Z')]);
    await live.core.db.query(at, [ended, new Date('2026-03-02T23:30:00Z')]);
    const idsOf = async (filters: object) =>
      (await list({ assistant_id: assistantId, ...filters })).rows.map(({ id }) => id);
    expect(await idsOf({ status: 'open' })).toEqual([open]);
    expect(await idsOf({ status: 'ended' })).toEqual([ended]);
    expect(await idsOf({ date_from: '2026-03-03' })).toEqual([ended]);
    expect(await idsOf({ date_to: '2026-03-02' })).toEqual([open]);
    expect(await idsOf({ date_from: '2026-03-02', date_to: '2026-03-03' })).toEqual([ended, open]);
  });
});

describe('a person', () => {
  test('ends a conversation, which is reported once and drops the reply in preparation', async () => {
    const assistantId = await makeAssistant({ ...WEBHOOK, conversation_ended_retrigger: true });
    const uuid = await begin(assistantId);
    const taken = await write(uuid, 'Hi');
    if (taken.kind !== 'to-answer') throw new Error('The message has no lease.');
    await end(uuid);
    await end(uuid);
    await endInactiveConversations(live.core);
    expect(await storeReply(live.core, taken.lease, answer('Too late.'))).toBe('lost');
    expect(await get(uuid)).toMatchObject({
      status: 'ended',
      ended_reason: 'person_ended',
      history: [{ content: 'Hello.' }, { content: 'Hi' }],
    });
    expect(await deliveriesOf(assistantId)).toEqual([{ reason: 'person_ended' }]);
  });

  test('deletes a conversation with its webhooks, and no other', async () => {
    const assistantId = await makeAssistant(WEBHOOK);
    const [gone, kept] = [await begin(assistantId), await begin(assistantId)];
    for (const uuid of [gone, kept]) {
      await write(uuid, 'Hi');
      await end(uuid);
    }
    await remove(gone);
    await expect(get(gone)).rejects.toThrow('Conversation not found');
    expect((await list({ assistant_id: assistantId })).rows.map(({ id }) => id)).toEqual([kept]);
    expect(await deliveriesOf(assistantId)).toHaveLength(1);
    await expect(remove(gone)).rejects.toThrow('Conversation not found');
  });

  test('switches the assistant off and on', async () => {
    const uuid = await begin(await makeAssistant());
    await own().disableAi.mutate({ id: uuid });
    expect(await write(uuid, 'Hi')).toMatchObject({ kind: 'switched-off' });
    expect(await get(uuid)).toMatchObject({ ai_enabled: false });
    await own().enableAi.mutate({ id: uuid });
    expect(await get(uuid)).toMatchObject({ ai_enabled: true });
  });

  test('finds the conversations of other people missing', async () => {
    const { userId } = await live.addUser('Onlooker');
    const onlooker = await signInUser(live, userId);
    const uuid = await begin(await makeAssistant());
    const seen = onlooker.trpc.writtenConversations;
    expect(await seen.list.query({ page: 1, per_page: 25 })).toEqual({ rows: [], total: 0 });
    for (const id of [uuid, randomUUID()])
      for (const attempt of [seen.get.query, seen.end.mutate, seen.remove.mutate, seen.disableAi.mutate])
        await expect(attempt({ id })).rejects.toThrow('Conversation not found');
    expect(await get(uuid)).toMatchObject({ status: 'open', ai_enabled: true });
  });
});
