/** After the removal of a user, no row of any table belongs to them or contains what was theirs. */
import { randomUUID } from 'node:crypto';
import { json, statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrangeCarrier } from '../../test/arrange-carrier.ts';
import { askToDial, makeCampaign, makeLead } from '../../test/arrange-campaign.ts';
import { endOf, makeAnsweredCall, makeUser, waitingJobs } from '../../test/arrange.ts';
import { createAccountTool } from '../assistants/account-tools.ts';
import { addRecordedPhrase } from '../assistants/recorded-phrases.ts';
import { newEndpointBody, newSuiteRunBody } from '@parley/contracts';
import { createSuite } from '../suites/suites.ts';
import { startSuiteRun } from '../suites/start-run.ts';
import { createEndpoint } from '../webhooks/endpoints.ts';
import { createDocument } from '../knowledgebases/documents.ts';
import { createKnowledgebase } from '../knowledgebases/knowledgebases.ts';
import { storeDocument } from '../knowledgebases/read-document.ts';
import { createAssistantGroup } from '../assistants/assistant-groups.ts';
import { storeApiRequests } from '../audit/store-api-requests.ts';
import { storeDisposition } from '../calls/call-disposition.ts';
import { storeSipTrace } from '../calls/sip-trace.ts';
import { recordConsent } from '../consents/consent-records.ts';
import { addToDoNotCallList } from '../do-not-call/do-not-call-list.ts';
import { completeCall } from '../lifecycle/complete-call.ts';
import { finishCall } from '../lifecycle/finish-call.ts';
import { recordCallEvent } from '../lifecycle/record-call-event.ts';
import { placeCall } from '../lifecycle/place-call.ts';
import { createToken } from '../users/create-token.ts';
import { createSignInLink } from '../users/sign-in-link.ts';
import { removeUserData } from './remove-user-data.ts';
import { removeUser } from './remove-user.ts';
import { changeUserAccount, listUserAccounts } from './user-accounts.ts';

const database = useTestDatabase();
const POST_CALL = { is_webhook_active: true, webhook_url: 'https://receiver.example/parley' };
const NUMBER = '+4915123450001';

const PHRASE = { text: 'Hello.', file: 'UklGRg==' };

const API_REQUEST = {
  method: 'GET',
  path: '/api/user/me',
  operation: 'users.me',
  objectId: null,
  status: 200,
  code: null,
  durationMs: 1,
  isComplete: true,
  networkAddress: '192.0.2.1',
  count: 1,
};

const TOOL = {
  name: 'look_up',
  description: 'Looks up.',
  endpoint: 'https://shop.example/',
  method: 'GET' as const,
  timeout: 10,
  headers: [],
  schema: [],
};

const listColumns = statement<{ name: string }>(
  '',
  `select c.table_name as name from information_schema.columns c
   join information_schema.tables t using (table_schema, table_name)
   where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name = 'user_id' order by 1`,
);
const insertRecording = statement(
  '',
  `insert into recordings (call_id, call_created_at, user_id, storage_key, sample_rate, duration_ms, is_finished, url_secret, created_at)
   select id, created_at, user_id, 'user/' || id || '.wav', 8000, 1000, true, 'x', created_at from calls where id = $1`,
);
const insertAnswer = statement(
  '',
  `insert into idempotency_keys (token_id, key, body_hash, status, body, created_at) values ($1, 'k', 'x', 200, $2, now())`,
);
const insertImport = statement(
  '',
  `with i as (
     insert into lead_imports (user_id, campaign_id, begun_as, state, run, content_hash, bytes_read, created_at, updated_at)
     values ($1, $2, 'test', 'finished', 1, 'x', 1, now(), now()) returning id)
   insert into lead_import_errors (import_id, row_number, code, value) select id, 1, 'duplicate', 'x' from i`,
);
const insertUsage = statement(
  '',
  `insert into dial_usage (scope, subject_id, day, calls, cost, recent) values ($1, $2, current_date, 1, 0, '{}')`,
);
const countUsage = statement<{ count: number }>(
  '',
  `select count(*) as count from dial_usage where (scope, subject_id) in (('token', $1), ('trunk', $2), ('user', $3))`,
);
const insertProvider = statement(
  '',
  `insert into providers (user_id, name, kind, created_at) values ($1, 'Own', 'openai', now())`,
);
const insertCarrier = statement(
  '',
  `with a as (
     insert into carrier_accounts (user_id, name, kind, secret_sealed, tag, created_at)
     values ($1, 'Own', 'telnyx', 'sealed', 'tag', now()) returning id), bought as (
     insert into number_purchases (user_id, carrier_account_id, phone_number, state, created_at, updated_at)
     select $1, id, '+12025550177', 'failed', now(), now() from a)
   insert into sms_messages (user_id, carrier_account_id, phone_number_id, from_number, to_number, body, status, created_at, updated_at)
   select $1, id, 1, '+12025550177', '+12025550178', 'Hello', 'sent', now(), now() from a`,
);
/** They have no column of the user. */
const countSounds = statement<{ count: number }>(
  '',
  `select count(*) as count from recorded_phrase_sounds where recorded_phrase_id = $1`,
);
const countOf = (name: string) =>
  statement<{ count: number }>('', `select count(*) as count from ${name} where user_id = $1`);

/** A user with a row of every kind, and the operator who removes them. */
async function makeFullUser() {
  const about = await arrangeCarrier(database.db, POST_CALL);
  const { ctx, identity, assistant, trunkId } = about;
  const { userId } = identity;
  const callId = await makeAnsweredCall(about);
  await finishCall(ctx, { ...endOf(about, callId), transcript: 'Customer: hello.' });
  await completeCall(ctx, callId);
  await ctx.db.query(insertRecording, [callId]);
  await storeSipTrace(ctx, {
    callId,
    trunkId: null,
    isSharedTrunk: false,
    messages: [],
    omitted: 0,
    media: null,
  });
  const { callId: dialed } = await placeCall(ctx, identity, {
    phoneNumber: NUMBER,
    assistantId: assistant.id,
  });
  await askToDial(about, dialed);
  const campaignId = await makeCampaign(about, { status: 'stopped' });
  const disposed = { id: callId, createdAt: new Date(about.clock.now()), userId, campaignId };
  const given = { disposition: 'Won', source: 'person' as const, at: disposed.createdAt };
  await storeDisposition(ctx.db, disposed, given);
  await makeLead(about, campaignId, { contacts: ['+4915123450002'] });
  await ctx.db.query(insertImport, [userId, campaignId]);
  await addToDoNotCallList(ctx, identity, { phoneNumber: '+4915123450003' });
  await recordConsent(ctx, identity, { phoneNumber: '+4915123450003', source: 'Web form' });
  const { id: tokenId } = await createToken(ctx, { userId, name: 'test' });
  await ctx.db.query(insertAnswer, [tokenId, json({})]);
  await storeApiRequests(ctx, [
    { ...API_REQUEST, requestId: randomUUID(), at: new Date(about.clock.now()), userId, tokenId },
  ]);
  await createSignInLink(ctx, userId);
  await createAssistantGroup(ctx, identity, { kind: 'folder', name: 'Folder' });
  await createAccountTool(ctx, identity, TOOL);
  await createEndpoint(
    ctx,
    identity,
    newEndpointBody.parse({ url: 'https://receiver.example', events: ['call.started'] }),
  );
  const { id: knowledgebaseId } = await createKnowledgebase(ctx, identity, { name: 'Shop' });
  const input = { name: 'Hours', type: 'txt' as const, content: 'We open at nine.' };
  const document = await createDocument(ctx, identity, { knowledgebaseId, input });
  await storeDocument(ctx, document.id, { text: input.content });
  await ctx.db.query(insertUsage, ['token', tokenId]);
  const phrase = await addRecordedPhrase(ctx, identity, { assistantId: assistant.id, input: PHRASE });
  const caller = { name: 'asks', script: ['Hello.'] };
  const definition = JSON.stringify({ assistant: assistant.id, callers: [caller] });
  const { id: suiteId } = await createSuite(ctx, identity, { definition });
  await startSuiteRun(ctx, identity, { suiteId, limits: newSuiteRunBody.parse({}) });
  await ctx.db.query(insertProvider, [userId]);
  await ctx.db.query(insertCarrier, [userId]);
  const operator = await makeUser(ctx);
  const disable = () => changeUserAccount(ctx, operator, { id: userId, is_disabled: true });
  /** Ends the call that was dialed. */
  const endCall = async () => {
    const detail = { reason: 'busy' } as const;
    const at = new Date(about.clock.now());
    await recordCallEvent(ctx, { callId: dialed, event: 'busy', at, detail, fence: about.fence });
  };
  const usage = async () => (await ctx.db.query(countUsage, [tokenId, trunkId, userId]))[0]?.count;
  const sounds = async () => (await ctx.db.query(countSounds, [phrase.id]))[0]?.count;
  return { ...about, operator, userId, disable, endCall, callId, usage, sounds };
}

type Full = Awaited<ReturnType<typeof makeFullUser>>;

/** The tables in which a row belongs to the user. */
async function tablesOf({ ctx, userId }: Full): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of await ctx.db.query(listColumns)) {
    const [row] = await ctx.db.query(countOf(name), [userId]);
    if ((row?.count ?? 0) > 0) found.push(name);
  }
  return found;
}

describe('the removal of a user', () => {
  it('leaves no row of the user, and the data of other users as it was', async () => {
    const full = await makeFullUser();
    const { ctx, operator, userId, disable, endCall, callId } = full;
    const other = await makeFullUser();
    const before = await tablesOf(other);
    expect(before).toEqual(
      expect.arrayContaining([
        'api_requests',
        'api_tokens',
        'assistant_groups',
        'assistant_versions',
        'assistants',
        'campaigns',
        'consents',
        'deliveries',
        'do_not_call',
        'lead_imports',
        'leads',
        'live_calls',
        'number_attempts',
        'knowledgebases',
        'documents',
        'providers',
        'recorded_phrases',
        'recordings',
        'sign_in_links',
        'call_dispositions',
        'sip_traces',
        'tools',
        'trunks',
        'webhook_endpoints',
        'carrier_accounts',
        'number_purchases',
        'sms_messages',
      ]),
    );
    await endCall();
    await disable();
    await removeUser(ctx, operator, userId);
    expect(await waitingJobs(ctx, 'remove_user', { userId })).toBe(1);
    await removeUserData(ctx, userId);
    expect(await tablesOf(full)).toEqual([]);
    expect(await full.usage()).toBe(0);
    expect([await full.sounds(), await other.sounds()]).toEqual([0, 1]);
    expect((await listUserAccounts(ctx, operator)).map(({ id }) => id)).not.toContain(userId);
    expect(await waitingJobs(ctx, 'remove_recording', { key: `user/${callId}.wav` })).toBe(1);
    expect(await tablesOf(other)).toEqual(before);
    expect(await other.usage()).toBeGreaterThan(0);
    // The job may run twice.
    await removeUserData(ctx, userId);
    await expect(removeUser(ctx, operator, userId)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('is completed by the next run when a run was interrupted at any statement', async () => {
    const full = await makeFullUser();
    const { ctx, operator, userId, disable, endCall } = full;
    await endCall();
    await disable();
    await removeUser(ctx, operator, userId);
    let runs = 0;
    for (let isOver = false; !isOver; runs++) isOver = await removeUntil(full, runs);
    expect(runs).toBeGreaterThan(10);
    expect(await tablesOf(full)).toEqual([]);
  });

  it('is refused for a user who is enabled, and while a call is in progress', async () => {
    const { ctx, operator, userId, disable, endCall } = await makeFullUser();
    const remove = () => removeUser(ctx, operator, userId);
    await expect(remove()).rejects.toMatchObject({ kind: 'conflict', message: /^Disable the user before/ });
    await disable();
    await expect(remove()).rejects.toMatchObject({ kind: 'conflict', message: /^Calls of this user/ });
    await endCall();
    await remove();
    const enable = changeUserAccount(ctx, operator, { id: userId, is_disabled: false });
    await expect(enable).rejects.toMatchObject({ kind: 'conflict' });
  });

  it('needs an operator, and an unmarked user keeps everything', async () => {
    const { ctx, identity, userId, endCall, disable, operator } = await makeFullUser();
    const member = { ...operator, role: 'member' } as const;
    await expect(removeUser(ctx, member, userId)).rejects.toMatchObject({ kind: 'forbidden' });
    await endCall();
    await disable();
    await removeUserData(ctx, userId);
    expect((await listUserAccounts(ctx, operator)).map(({ id }) => id)).toContain(identity.userId);
  });
});

/** Runs the job until it is killed before its statement number `statements`. @returns whether it came to its end */
async function removeUntil({ ctx, userId }: Full, statements: number): Promise<boolean> {
  let left = statements;
  const query: typeof ctx.db.query = async (...input) => {
    if (left-- <= 0) throw new Error('killed');
    return ctx.db.query(...input);
  };
  const transaction: typeof ctx.db.transaction = async (work) => {
    if (left-- <= 0) throw new Error('killed');
    return ctx.db.transaction(work);
  };
  try {
    await removeUserData(
      { ...ctx, db: Object.assign(Object.create(ctx.db) as typeof ctx.db, { query, transaction }) },
      userId,
    );
    return true;
  } catch (error) {
    if (error instanceof Error && error.message === 'killed') return false;
    throw error;
  }
}
