/** After an erasure, no column of any table contains the number. */
import { json, statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { arrange, endOf, makeAnsweredCall, waitingJobs, type Arrangement } from '../../test/arrange.ts';
import { createCampaign } from '../campaigns/create-campaign.ts';
import { storeSipTrace, type KeptSipTrace } from '../calls/sip-trace.ts';
import { recordConsent } from '../consents/consent-records.ts';
import { addToDoNotCallList, listDoNotCall } from '../do-not-call/do-not-call-list.ts';
import { createLead } from '../leads/create-lead.ts';
import { findCall } from '../calls/find-call.ts';
import { completeCall } from '../lifecycle/complete-call.ts';
import { finishCall } from '../lifecycle/finish-call.ts';
import { createToken } from '../users/create-token.ts';
import { takeMessage } from '../written-conversations/take-message.ts';
import { erasePersonEverywhere } from './erase-everywhere.ts';
import { erasePerson } from './erase-person.ts';

const database = useTestDatabase();
const POST_CALL = { is_webhook_active: true, webhook_url: 'https://receiver.example/parley' };

const listTables = statement<{ name: string }>(
  '',
  `select distinct c.table_schema || '.' || c.table_name as name
   from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
   where c.table_schema in ('public', 'graphile_worker') and t.table_type = 'BASE TABLE' order by 1`,
);

/** The tables in which a row contains the digits, in any column. */
async function tablesWith({ ctx }: Arrangement, digits: string): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of await ctx.db.query(listTables)) {
    const search = statement<{ count: number }>(
      '',
      `select count(*) as count from ${name} t where to_jsonb(t)::text like '%' || $1 || '%'`,
    );
    const [row] = await ctx.db.query(search, [digits]);
    if ((row?.count ?? 0) > 0) found.push(name);
  }
  return found;
}

const insertRecording = statement(
  '',
  `insert into recordings (call_id, call_created_at, user_id, storage_key, sample_rate, duration_ms, is_finished, url_secret, created_at)
   select id, created_at, user_id, 'person/' || id || '.wav', 8000, 1000, true, 'x', created_at from calls where id = $1`,
);
const insertAnswer = statement(
  '',
  `insert into idempotency_keys (token_id, key, body_hash, status, body, created_at)
   values ($1, gen_random_uuid()::text, 'x', 200, $2, now())`,
);
const insertImportError = statement(
  '',
  `with i as (
     insert into lead_imports (user_id, campaign_id, begun_as, state, run, content_hash, bytes_read, created_at, updated_at)
     values ($1, $2, 'test', 'finished', 1, 'x', 1, now(), now()) returning id)
   insert into lead_import_errors (import_id, row_number, code, value) select id, 1, 'duplicate', $3 from i`,
);
const addDeadJob = statement<unknown>(
  '',
  `select 1 from graphile_worker.add_job('end_dialog', payload := $1::json, max_attempts := 1)`,
);
const insertAttempt = statement(
  '',
  `insert into number_attempts (user_id, phone_number, at) values ($1, $2, now())`,
);
const killJobs = statement(
  '',
  `update graphile_worker._private_jobs set attempts = max_attempts where payload::text like $1`,
);

const countCalls = statement<{ count: number }>(
  '',
  'select count(*) as count from calls where user_id = $1 and client_phone_number = $2',
);
const divert = statement('', 'update calls set diverted_from = $2 where id = $1');
const setNumber = statement(
  '',
  `with l as (update live_calls set client_phone_number = $2 where call_id = $1)
   update calls set client_phone_number = $2 where id = $1`,
);
const optOut = statement(
  '',
  `update do_not_call set reason = 'opted out' where user_id = $1 and phone_number = $2`,
);

/** A trace with one message that names the number. */
function traceWith(callId: number, phoneNumber: string): KeptSipTrace {
  const address = { host: '192.0.2.1', port: 5060 };
  const text = `INVITE sip:${phoneNumber}@carrier.example SIP/2.0\r\n\r\n`;
  const message = { atMs: 0, isSent: true, transport: 'udp', local: address, remote: address, text } as const;
  return {
    callId,
    trunkId: null,
    isSharedTrunk: false,
    messages: [{ ...message, isTruncated: false }],
    omitted: 0,
    media: null,
  };
}

/** A finished call with everything that belongs to it, a lead, and what else has the number. */
async function makePerson(): Promise<{
  about: Arrangement;
  phoneNumber: string;
  digits: string;
  callId: number;
}> {
  const about = await arrange(database.db, POST_CALL);
  const { ctx, identity, assistant } = about;
  const callId = await makeAnsweredCall(about);
  const { client_phone_number: phoneNumber } = await findCall(ctx, identity, callId);
  const digits = phoneNumber.slice(1);
  const said = { transcript: `Customer: my number is ${phoneNumber}.`, variables: { phone: digits } };
  await finishCall(ctx, { ...endOf(about, callId), ...said });
  await completeCall(ctx, callId);
  await ctx.db.query(insertRecording, [callId]);
  await storeSipTrace(ctx, traceWith(callId, phoneNumber));
  const campaign = await createCampaign(ctx, identity, { name: 'Erasure', assistant_id: assistant.id });
  const lead = { campaign_id: campaign.id, variables: { mobile: phoneNumber } };
  await createLead(ctx, identity, { ...lead, phone_number: phoneNumber });
  const { id: tokenId } = await createToken(ctx, { userId: identity.userId, name: 'test' });
  await ctx.db.query(insertAnswer, [tokenId, json({ data: { client_phone_number: phoneNumber } })]);
  const national = `(${digits.slice(1, 4)}) ${digits.slice(4, 7)}-${digits.slice(7)}`;
  await ctx.db.query(insertImportError, [identity.userId, campaign.id, national]);
  await ctx.db.query(insertImportError, [identity.userId, campaign.id, phoneNumber]);
  await ctx.db.query(addDeadJob, [
    json({ callId, dialog: { remote: `sip:${phoneNumber}@carrier.example` } }),
  ]);
  await ctx.db.query(killJobs, [`%${digits}%`]);
  await ctx.db.query(insertAttempt, [identity.userId, phoneNumber]);
  await recordConsent(ctx, identity, { phoneNumber, source: 'Web form' });
  const customer = { assistantId: assistant.id, customerIdentifier: 'a customer' };
  await takeMessage(ctx, identity, { to: customer, content: `Call ${digits}.`, requestDigest: null });
  return { about, phoneNumber, digits, callId };
}

it('leaves the number in no column of any table, and counts what it has removed', async () => {
  const { about, phoneNumber, digits, callId } = await makePerson();
  const { ctx, identity } = about;
  const before = await tablesWith(about, digits);
  expect(before).toEqual(
    expect.arrayContaining([
      'graphile_worker._private_jobs',
      'public.consents',
      'public.deliveries',
      'public.idempotency_keys',
      'public.lead_import_errors',
      'public.leads',
      'public.number_attempts',
      'public.sip_traces',
      'public.written_messages',
    ]),
  );
  expect(before.some((name) => name.startsWith('public.calls'))).toBe(true);
  const erase = () =>
    erasePerson(ctx, identity, { phoneNumber: ` ${phoneNumber} `, removesFromDoNotCallList: false });
  const erased = await erase();
  expect(erased).toEqual({
    accounts: 1,
    calls: 1,
    recordings: 1,
    webhook_deliveries: 1,
    leads: 1,
    conversations: 1,
    attempts: 1,
    consents: 1,
    stored_answers: 1,
    import_errors: 2,
    jobs: 1,
    is_on_do_not_call_list: false,
  });
  expect(JSON.stringify(erased)).not.toContain(digits);
  expect(await tablesWith(about, digits)).toEqual([]);
  expect(await waitingJobs(ctx, 'remove_recording', { key: `person/${callId}.wav` })).toBe(1);
  expect(await erase()).toMatchObject({ calls: 0, leads: 0, stored_answers: 0, import_errors: 0 });
});

it('keeps the calls of others that the person diverted, without that number', async () => {
  const { about, phoneNumber, digits } = await makePerson();
  const { ctx, identity } = about;
  const other = await makeAnsweredCall(about);
  await ctx.db.query(divert, [other, phoneNumber]);
  await storeSipTrace(ctx, traceWith(other, phoneNumber));
  await erasePerson(ctx, identity, { phoneNumber, removesFromDoNotCallList: true });
  expect(await findCall(ctx, identity, other)).toMatchObject({ diverted_from: null });
  expect(await tablesWith(about, digits)).toEqual([]);
});

it('keeps an entry of the do-not-call list unless it is asked to remove it', async () => {
  const { about, phoneNumber, digits } = await makePerson();
  const { ctx, identity } = about;
  await addToDoNotCallList(ctx, identity, { phoneNumber, reason: 'asked for it' });
  const erase = (removesFromDoNotCallList: boolean) =>
    erasePerson(ctx, identity, { phoneNumber, removesFromDoNotCallList });
  expect(await erase(false)).toMatchObject({ is_on_do_not_call_list: true });
  const { rows } = await listDoNotCall(ctx, identity, { page: 1, perPage: 10 });
  expect(rows).toMatchObject([{ phoneNumber, reason: '' }]);
  expect(await tablesWith(about, digits)).toEqual(['public.do_not_call']);
  expect(await erase(true)).toMatchObject({ is_on_do_not_call_list: false });
  expect(await tablesWith(about, digits)).toEqual([]);
});

it('refuses while a call with the number is not over, and removes nothing', async () => {
  const about = await arrange(database.db);
  const { ctx, identity } = about;
  const callId = await makeAnsweredCall(about);
  const { client_phone_number: phoneNumber } = await findCall(ctx, identity, callId);
  const erase = () => erasePerson(ctx, identity, { phoneNumber, removesFromDoNotCallList: false });
  await expect(erase()).rejects.toMatchObject({ kind: 'conflict' });
  expect((await findCall(ctx, identity, callId)).client_phone_number).toBe(phoneNumber);
  await finishCall(ctx, endOf(about, callId));
  await completeCall(ctx, callId);
  expect(await erase()).toMatchObject({ calls: 1 });
});

it('removes an answer whose Idempotency-Key has the number, also where the answer has none', async () => {
  const { about, phoneNumber, digits } = await makePerson();
  const { ctx, identity } = about;
  const { id: tokenId } = await createToken(ctx, { userId: identity.userId, name: 'test' });
  const insertKeyed = statement(
    '',
    `insert into idempotency_keys (token_id, key, body_hash, status, body, created_at)
     values ($1, $2, 'x', 200, '{"call_id":1}', now())`,
  );
  await ctx.db.query(insertKeyed, [tokenId, `call ${phoneNumber} once`]);
  const erased = await erasePerson(ctx, identity, { phoneNumber, removesFromDoNotCallList: true });
  expect(erased).toMatchObject({ stored_answers: 2 });
  expect(await tablesWith(about, digits)).toEqual([]);
});

it('leaves other accounts and other numbers alone', async () => {
  const one = await makePerson();
  const other = await makePerson();
  const { ctx, identity } = one.about;
  const target = { phoneNumber: other.phoneNumber, removesFromDoNotCallList: true };
  expect(await erasePerson(ctx, identity, target)).toMatchObject({ calls: 0, leads: 0, stored_answers: 0 });
  expect(await tablesWith(one.about, one.digits)).not.toEqual([]);
  expect(await findCall(ctx, other.about.identity, other.callId)).toMatchObject({
    client_phone_number: other.phoneNumber,
  });
  await expect(
    erasePerson(ctx, identity, { phoneNumber: 'nobody', removesFromDoNotCallList: true }),
  ).rejects.toMatchObject({ kind: 'invalid' });
});

it('keeps an entry that a user or an opt-out makes while it runs', async () => {
  const { about, phoneNumber } = await makePerson();
  const { ctx, identity } = about;
  // The entry is made right before the end, when the number is about to be taken off the list.
  const transaction: typeof ctx.db.transaction = async (work) =>
    ctx.db.transaction(async (tx) => {
      const calls = await tx.query(countCalls, [identity.userId, phoneNumber]);
      if (calls[0]?.count === 0) await tx.query(optOut, [identity.userId, phoneNumber]);
      return work(tx);
    });
  const slow = { ...ctx, db: { ...ctx.db, transaction } };
  const erased = await erasePerson(slow, identity, { phoneNumber, removesFromDoNotCallList: true });
  expect(erased).toMatchObject({ calls: 1, is_on_do_not_call_list: true });
  const { rows } = await listDoNotCall(ctx, identity, { page: 1, perPage: 10 });
  expect(rows).toMatchObject([{ phoneNumber, reason: 'opted out' }]);
});

it('erases the person from all accounts for an operator, and from no account while there is a call', async () => {
  const one = await makePerson();
  const other = await arrange(database.db);
  const { ctx, identity } = one.about;
  const { phoneNumber, digits } = one;
  const lists = [one.about, other];
  for (const { identity: owner } of lists) await ctx.db.query(insertAttempt, [owner.userId, phoneNumber]);
  await addToDoNotCallList(ctx, other.identity, { phoneNumber, reason: `${phoneNumber} asked for it` });
  const accountIds: number[] = [];
  const erase = (who = identity, removesFromDoNotCallList = false) =>
    erasePersonEverywhere(ctx, who, { phoneNumber, removesFromDoNotCallList }, async (id) => {
      accountIds.push(id);
    });
  const member = { ...identity, role: 'member' as const };
  await expect(erase(member)).rejects.toMatchObject({ kind: 'forbidden' });

  const live = await makeAnsweredCall(other);
  await ctx.db.query(setNumber, [live, phoneNumber]);
  await expect(erase()).rejects.toMatchObject({ kind: 'conflict' });
  expect((await findCall(ctx, identity, one.callId)).client_phone_number).toBe(phoneNumber);
  await finishCall(ctx, endOf(other, live));
  await completeCall(ctx, live);

  const erased = await erase();
  expect(accountIds).toEqual(lists.map((about) => about.identity.userId));
  expect(erased).toMatchObject({
    accounts: 2,
    calls: 2,
    leads: 1,
    attempts: 3,
    is_on_do_not_call_list: true,
  });
  expect(JSON.stringify({ erased, accountIds })).not.toContain(digits);
  expect(await tablesWith(one.about, digits)).toEqual(['public.do_not_call']);
  await erase(identity, true);
  expect(await tablesWith(one.about, digits)).toEqual([]);
});

/** Every table that a migration creates is named here, so that a new one is considered. */
const ERASED = [
  'calls',
  'call_dispositions',
  'call_events',
  'consents',
  'deliveries',
  'delivery_attempts',
  'dial_queue',
  'idempotency_keys',
  'lead_import_errors',
  'leads',
  'number_attempts',
  'recordings',
  'sip_traces',
  'sms_messages',
  'suite_conversations',
  'suite_runs',
  'written_conversations',
  'written_messages',
];
/** Without numbers of customers, or with another reason why an erasure leaves them alone. */
const LEFT_ALONE: Readonly<Record<string, string>> = {
  action_confirmations: 'hashes',
  api_requests: 'patterns of paths, no values',
  api_tokens: 'numbers that the user allows a token to call',
  assistant_groups: 'names that users give',
  assistant_versions: 'settings of the user',
  assistants: 'settings of the user',
  audit_entries: 'names of fields, no values',
  call_count_changes: 'counts',
  call_counts: 'counts',
  call_day_counts: 'counts',
  call_progress: 'removed with the live call, during which an erasure is refused',
  carrier_accounts: 'accounts of the user',
  number_purchases: 'numbers of the user',
  campaign_wakes: 'times',
  lead_count_changes: 'counts',
  lead_counts: 'counts',
  campaigns: 'settings of the user',
  dial_costs: 'sums',
  dial_limits: 'limits',
  dial_policy: 'countries and kinds of numbers',
  dial_usage: 'counts',
  dial_warnings: 'counts',
  do_not_call: 'an entry protects the person',
  inbound_refusals: 'counts by reason',
  languages: 'a list of languages',
  lead_imports: 'counts, and the name of the file',
  live_calls: 'an erasure is refused while there is a call',
  llm_models: 'names of models',
  phone_numbers: 'numbers of the user',
  price_settings: 'a currency',
  prices: 'prices',
  providers: 'accounts of the user',
  rate_limit_windows: 'hashes and counts',
  recovery_codes: 'hashes',
  restored_copy: 'times',
  sessions: 'sign-ins of users',
  sign_in_attempts: 'hashes and counts',
  sign_in_links: 'hashes',
  tools: 'settings of the user',
  suites: 'simulated callers',
  document_chunks: 'documents of the user',
  document_sources: 'documents of the user',
  documents: 'documents of the user',
  chunk_codes: 'documents of the user',
  chunk_vectors: 'documents of the user',
  embedding_usage: 'counts',
  knowledgebases: 'documents of the user',
  recorded_phrases: 'sentences of assistants',
  recorded_phrase_sounds: 'sentences of assistants',
  trunk_outcomes: 'results by trunk',
  trunk_registrations: 'states of trunks',
  trunks: 'settings of the user',
  users: 'users',
  voice_processes: 'addresses of processes',
  voices: 'names of voices',
  webhook_endpoints: 'settings of the user',
  widget_calls: 'hashes',
};

it('every table is erased, or is left alone for a reason', async () => {
  const { ctx } = await arrange(database.db);
  const tables = (await ctx.db.query(listTables)).flatMap(({ name }) => {
    const [schema, table = ''] = name.split('.');
    const isPartition = /^(?:calls|call_events)_/.test(table);
    return schema !== 'public' || isPartition || table.startsWith('mikro_orm') ? [] : [table];
  });
  expect(tables.toSorted()).toEqual([...ERASED, ...Object.keys(LEFT_ALONE)].toSorted());
});
