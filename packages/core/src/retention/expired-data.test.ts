import { declaredStatements, statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { expect, test } from 'vitest';
import { arrange, endOf, makeAnsweredCall, waitingJobs } from '../../test/arrange.ts';
import { findCall } from '../calls/find-call.ts';
import { findSipTrace, storeSipTrace } from '../calls/sip-trace.ts';
import { recordConsent } from '../consents/consent-records.ts';
import { completeCall } from '../lifecycle/complete-call.ts';
import { finishCall } from '../lifecycle/finish-call.ts';
import { createToken } from '../users/create-token.ts';
import { countExpiredData, removeExpiredData } from './expired-data.ts';

const database = useTestDatabase();
const DAY_MS = 86_400_000;
const EVERYTHING = {
  recordings: 0,
  transcripts: 0,
  callNumbers: 0,
  deliveries: 0,
  sipTraces: 0,
  auditEntries: 0,
  apiRequests: 14,
  consents: 0,
};
const TRACE = { trunkId: null, isSharedTrunk: false, messages: [], omitted: 1, media: null };
const NOTHING = { ...EVERYTHING, apiRequests: 0, idempotencyRecords: 0 };
const insertRecording = statement(
  '',
  `insert into recordings (call_id, call_created_at, user_id, storage_key, sample_rate, duration_ms, is_finished, url_secret, created_at)
   select id, created_at, user_id, 'retention/' || id || '.wav', 8000, 1000, true, 'x', created_at from calls where id = $1`,
);
const insertDisclosure = statement(
  '',
  `insert into call_events (call_id, call_created_at, id, at, type, detail)
   select id, created_at, nextval('call_event_ids'), created_at, 'disclosed', '{"text": "Hello Ada.", "is_complete": true}'
   from calls where id = $1`,
);
const insertRecord = statement(
  '',
  `insert into idempotency_keys (token_id, key, body_hash, status, body, created_at)
   values ($1, gen_random_uuid()::text, 'x', 200, '{}', $2)`,
);
const insertConversation = statement(
  '',
  `insert into written_conversations (uuid, user_id, assistant_id, variables, collected, is_ai_enabled, type, inactive_at, created_at, updated_at)
   values (gen_random_uuid(), $1, $2, '{}', '{}', true, 'test', now(), now(), now())`,
);
const insertWritten = statement(
  '',
  `insert into written_messages (conversation_id, role, content, created_at)
   select id, 'user', 'Hello', now() from written_conversations, generate_series(1, 50000) where user_id = $1`,
);
const insertTexts = statement(
  '',
  `insert into sms_messages (user_id, carrier_account_id, phone_number_id, from_number, to_number, body, status, created_at, updated_at)
   select $1, 1, 1, '', '', 'Hello', 'sent', now(), now() from generate_series(1, 50000)`,
);

async function makeOldCall(about: Awaited<ReturnType<typeof arrange>>): Promise<number> {
  const callId = await makeAnsweredCall(about);
  await finishCall(about.ctx, endOf(about, callId));
  await completeCall(about.ctx, callId);
  await about.ctx.db.query(insertRecording, [callId]);
  return callId;
}

const divert = statement(
  '',
  `update calls set diverted_from = '+12025550190', caller_name = 'Ada', caller_identity = '{"verstat":null,"attestation":"A","signature":"none","originId":null}' where id = $1`,
);

test('each kind of data is removed when its period is over, as the dry run has counted', async () => {
  const about = await arrange(database.db);
  const { ctx, clock, identity } = about;
  const { id: tokenId } = await createToken(ctx, { userId: identity.userId, name: 'test' });
  const old = await makeOldCall(about);
  await ctx.db.query(insertRecord, [tokenId, new Date(clock.now())]);
  await storeSipTrace(ctx, { ...TRACE, callId: old });
  await recordConsent(ctx, identity, { phoneNumber: '+12025550191', source: 'Web form' });
  clock.advance(10 * DAY_MS);
  await recordConsent(ctx, identity, { phoneNumber: '+12025550192', source: 'Web form' });
  const recent = await makeOldCall(about);
  await ctx.db.query(insertRecord, [tokenId, new Date(clock.now())]);
  const recentBefore = await findCall(ctx, identity, recent);

  await ctx.db.query(insertDisclosure, [old]);
  await ctx.db.query(divert, [old]);

  await storeSipTrace(ctx, { ...TRACE, callId: recent });
  const kept = { ...EVERYTHING, recordings: 3, transcripts: 5, callNumbers: 9, sipTraces: 7, consents: 9 };
  const expected = {
    recordings: 1,
    transcripts: 1,
    callNumbers: 1,
    deliveries: 0,
    sipTraces: 1,
    auditEntries: 0,
    apiRequests: 0,
    consents: 1,
    idempotencyRecords: 1,
  };
  expect(await countExpiredData(ctx, kept)).toEqual(expected);
  expect(await findCall(ctx, identity, old)).toMatchObject({ transcript: expect.stringContaining('Hi.') });
  expect(await removeExpiredData(ctx, kept)).toEqual(expected);
  expect(await findCall(ctx, identity, old)).toMatchObject({
    transcript: '',
    client_phone_number: '',
    diverted_from: null,
    caller_name: null,
    caller_identity: null,
    status: 'completed',
    events: expect.arrayContaining([
      expect.objectContaining({ type: 'disclosed', detail: { is_complete: true } }),
    ]) as unknown[],
  });
  expect(await findCall(ctx, identity, recent)).toEqual(recentBefore);
  expect(await waitingJobs(ctx, 'remove_recording', { key: `retention/${old}.wav` })).toBe(1);
  expect(await removeExpiredData(ctx, kept)).toEqual(NOTHING);
});

test('a SIP trace, which contains numbers, is not kept longer than the numbers of calls', async () => {
  const about = await arrange(database.db);
  const { ctx, clock, identity } = about;
  const callId = await makeOldCall(about);
  await storeSipTrace(ctx, { ...TRACE, callId });
  clock.advance(3 * DAY_MS);
  const kept = { ...EVERYTHING, sipTraces: 7 };
  expect(await removeExpiredData(ctx, kept)).toMatchObject({ sipTraces: 0 });
  expect(await findSipTrace(ctx, identity, callId)).toMatchObject({ omitted_messages: 1 });
  expect(await removeExpiredData(ctx, { ...kept, callNumbers: 2 })).toMatchObject({ sipTraces: 1 });
  expect(await findSipTrace(ctx, identity, callId)).toMatchObject({ omitted_messages: 0 });
});

test('without a limit nothing is removed, and a call that is not over is never changed', async () => {
  const about = await arrange(database.db);
  const { ctx, clock, identity } = about;
  const callId = await makeAnsweredCall(about);
  clock.advance(1000 * DAY_MS);
  const before = await findCall(ctx, identity, callId);
  await removeExpiredData(ctx, { ...EVERYTHING, callNumbers: 1, transcripts: 1 });
  expect(await findCall(ctx, identity, callId)).toEqual(before);
  expect(await countExpiredData(ctx, EVERYTHING)).toEqual(NOTHING);
});

test('a kind that cannot be removed keeps no other one, and is reported afterwards', async () => {
  const about = await arrange(database.db);
  const { ctx, clock, identity } = about;
  const { id: tokenId } = await createToken(ctx, { userId: identity.userId, name: 'test' });
  const callId = await makeOldCall(about);
  await storeSipTrace(ctx, { ...TRACE, callId });
  await ctx.db.query(insertRecord, [tokenId, new Date(clock.now())]);
  clock.advance(10 * DAY_MS);
  const broken = ['remove_expired_transcripts', 'remove_expired_sip_traces'];
  const query: typeof ctx.db.query = async (sql, values) => {
    if (broken.includes(sql.name)) throw new Error(`${sql.name} failed`);
    return ctx.db.query(sql, values);
  };
  const kept = { ...EVERYTHING, recordings: 3, transcripts: 3, callNumbers: 3, sipTraces: 3 };
  await expect(removeExpiredData({ ...ctx, db: { ...ctx.db, query } }, kept)).rejects.toMatchObject({
    errors: broken.map((name) => expect.objectContaining({ message: `${name} failed` }) as unknown),
  });
  const left = { transcripts: 1, sipTraces: 1 };
  expect(await countExpiredData(ctx, kept)).toEqual({ ...NOTHING, ...left });
  expect(await removeExpiredData(ctx, kept)).toEqual({ ...NOTHING, ...left });
});

test('the search for old messages reads no table that has none to its end', async () => {
  const about = await arrange(database.db);
  const { ctx, identity, assistant } = about;
  const { userId } = identity;
  await ctx.db.query(insertConversation, [userId, assistant.id]);
  await ctx.db.query(insertWritten, [userId]);
  await ctx.db.query(insertTexts, [userId]);
  await ctx.db.query(statement('', 'analyze written_messages, sms_messages'));
  for (const name of ['remove_expired_written_messages', 'remove_expired_sms_messages']) {
    const text = declaredStatements().get(name)?.replaceAll('$1', `now() - interval '1 day'`);
    const plan = await ctx.db.query(statement('', `explain ${text}`));
    expect(JSON.stringify(plan)).toContain('Index Scan');
    expect(JSON.stringify(plan)).not.toContain('Seq Scan');
  }
});
