import { startWebhookReceiver, useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import { signInOperator, signInUser } from '../../test/signed-in.ts';

const database = useTestDatabase();
let live: LiveApi;
let operator: Browser;
let member: Browser;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db, core: { allowPrivateWebhooks: 'loopback' } });
  operator = await signInOperator(live);
  const { userId } = await live.addUser('Member');
  member = await signInUser(live, userId);
});

afterAll(() => live.stop());

const trunk = { name: 'Carrier', host: 'sip.carrier.example' };
const REFUSED = { data: { httpStatus: 403 } };

describe('providers', () => {
  it('are added, checked, changed and removed, and the key is never returned', async () => {
    const server = await startWebhookReceiver();
    const made = await operator.trpc.providers.create.mutate({
      name: 'Own',
      base_url: new URL(server.url).origin,
      api_key: 'key-that-must-stay-secret',
      models: [{ name: 'Small' }],
    });
    expect(made).toMatchObject({ has_api_key: true, note: null });
    expect(await operator.trpc.providers.check.mutate({ id: made.id })).toEqual(made);
    const changed = await operator.trpc.providers.update.mutate({ id: made.id, name: 'Other' });
    expect(changed).toEqual({ ...made, name: 'Other' });
    const list = await operator.trpc.providers.list.query();
    expect(list).toContainEqual(changed);
    expect(JSON.stringify(list)).not.toContain('key-that-must-stay-secret');
    await operator.trpc.providers.remove.mutate({ id: made.id });
    expect((await operator.trpc.providers.list.query()).map(({ id }) => id)).not.toContain(made.id);
    await server.close();
  });

  it('faults of an update have the names of their fields', async () => {
    const change = operator.trpc.providers.update.mutate({ id: 1, base_url: 'no address' });
    await expect(change).rejects.toMatchObject({
      data: { errors: { base_url: ['The base url must be a valid URL.'] } },
    });
  });

  it('cannot be changed by members', async () => {
    const input = { name: 'Mine', base_url: 'https://example.com' };
    await expect(member.trpc.providers.create.mutate(input)).rejects.toMatchObject(REFUSED);
    await expect(member.trpc.providers.check.mutate({ id: 1 })).rejects.toMatchObject(REFUSED);
  });
});

describe('webhooks', () => {
  it('send a test event and show the answer', async () => {
    const receiver = await startWebhookReceiver();
    const assistants = await operator.trpc.assistants.list.query();
    const id = assistants.find(({ type }) => type === 'outbound')?.id ?? 0;
    await operator.trpc.assistants.update.mutate({ id, changes: { webhook_url: receiver.url } });
    const result = await operator.trpc.webhooks.sendTest.mutate({ assistant_id: id });
    expect(result).toMatchObject({ url: receiver.url, status: 200, error: null });
    expect(JSON.parse((await receiver.request(1)).body)).toEqual(result.payload);
    await expect(member.trpc.webhooks.sendTest.mutate({ assistant_id: id })).rejects.toMatchObject({
      data: { httpStatus: 404 },
    });
    await receiver.close();
  });

  it('are listed and sent again', async () => {
    const filters = { status: 'failed', date_from: '2026-01-01', date_to: '2026-01-31' } as const;
    expect(await operator.trpc.webhooks.list.query({ ...filters, page: 1, per_page: 25 })).toEqual({
      rows: [],
      total: 0,
    });
    expect(await operator.trpc.webhooks.resendMany.mutate(filters)).toEqual({ count: 0 });
    const id = '00000000-0000-4000-8000-000000000000';
    await expect(operator.trpc.webhooks.get.query({ id })).rejects.toMatchObject({
      data: { httpStatus: 404 },
    });
  });
});

describe('leads', () => {
  it('are added, found, changed and removed', async () => {
    const assistants = await operator.trpc.assistants.list.query();
    const assistant = assistants.find(({ type }) => type === 'outbound');
    const campaign = await operator.trpc.campaigns.create.mutate({
      name: 'By hand',
      assistant_id: assistant?.id ?? 0,
    });
    const lead = await operator.trpc.leads.create.mutate({
      campaign_id: campaign.id,
      phone_number: '+12025550177',
    });
    const page = { campaign_id: campaign.id, page: 1, per_page: 50 };
    const found = { rows: [{ id: lead.id, state: 'waiting', last_call: null }], total: 1 };
    expect(await operator.trpc.leads.list.query({ ...page, state: 'waiting' })).toMatchObject(found);
    expect(await operator.trpc.leads.list.query({ ...page, outcome: 'busy' })).toEqual({
      rows: [],
      total: 0,
    });
    await operator.trpc.leads.update.mutate({ id: lead.id, changes: { variables: { name: 'Ada' } } });
    expect(await operator.trpc.leads.get.query({ id: lead.id })).toMatchObject({
      variables: { name: 'Ada' },
    });
    await expect(member.trpc.leads.get.query({ id: lead.id })).rejects.toMatchObject({
      data: { httpStatus: 404 },
    });
    await operator.trpc.campaigns.update.mutate({ id: campaign.id, changes: { name: 'Renamed' } });
    await expect(operator.trpc.campaigns.get.query({ id: campaign.id })).resolves.toMatchObject({
      name: 'Renamed',
    });
    await operator.trpc.leads.remove.mutate({ id: lead.id });
    expect(await operator.trpc.leads.list.query(page)).toEqual({ rows: [], total: 0 });
    await operator.trpc.campaigns.remove.mutate({ id: campaign.id });
    await expect(operator.trpc.campaigns.get.query({ id: campaign.id })).rejects.toMatchObject({
      data: { httpStatus: 404 },
    });
  });
});

describe('trunks and numbers', () => {
  it('are added, changed and removed', async () => {
    const made = await operator.trpc.sipTrunks.create.mutate({ ...trunk, password: 'secret' });
    expect(made).toMatchObject({ has_password: true, is_shared: false });
    const changed = await operator.trpc.sipTrunks.update.mutate({ id: made.id, port: '5080' });
    expect(changed).toEqual({ ...made, port: 5080 });
    expect(await operator.trpc.sipTrunks.list.query()).toContainEqual(changed);
    const number = await operator.trpc.phoneNumbers.create.mutate({
      phone_number: '+12025550166',
      sip_trunk_id: made.id,
    });
    expect(await operator.trpc.phoneNumbers.list.query()).toContainEqual(number);
    await expect(operator.trpc.sipTrunks.remove.mutate({ id: made.id })).rejects.toMatchObject({
      data: { httpStatus: 409 },
      message: 'This SIP trunk still has phone numbers. Remove them first.',
    });
    await operator.trpc.phoneNumbers.remove.mutate({ id: number.id });
    await operator.trpc.sipTrunks.remove.mutate({ id: made.id });
  });

  it('of another user answer like missing ones', async () => {
    const { id } = await operator.trpc.sipTrunks.create.mutate(trunk);
    expect((await member.trpc.sipTrunks.list.query()).map((one) => one.id)).not.toContain(id);
    await expect(member.trpc.sipTrunks.update.mutate({ id, name: 'Mine' })).rejects.toMatchObject({
      data: { httpStatus: 404 },
    });
  });
});

describe('prices', () => {
  it('are replaced as a whole, and readable only by operators', async () => {
    const { id } = await operator.trpc.sipTrunks.create.mutate(trunk);
    const set = await operator.trpc.prices.set.mutate({
      sip_trunks: [{ sip_trunk_id: id, per_minute: '0.01' }],
    });
    expect(set.sip_trunks).toEqual([{ sip_trunk_id: id, name: 'Carrier', per_minute: 0.01 }]);
    expect(await operator.trpc.prices.get.query()).toEqual(set);
    await expect(member.trpc.prices.get.query()).rejects.toMatchObject(REFUSED);
    await expect(member.trpc.prices.set.mutate({})).rejects.toMatchObject(REFUSED);
  });
});

describe('the do-not-call list', () => {
  const page = { page: 1, per_page: 25 };

  it('adds many numbers, returns invalid ones, and accepts duplicates', async () => {
    const input = { phone_numbers: ['+1 202 555 0150', 'not a number', '+12025550151'], reason: 'Asked' };
    const answer = { added: 2, refused: ['not a number'] };
    expect(await operator.trpc.doNotCall.add.mutate(input)).toEqual(answer);
    expect(await operator.trpc.doNotCall.add.mutate(input)).toEqual(answer);
    const { rows, total } = await operator.trpc.doNotCall.list.query(page);
    expect(total).toBe(2);
    expect(rows.map((row) => row.phone_number).toSorted()).toEqual(['+12025550150', '+12025550151']);
    expect(rows[0]?.reason).toBe('Asked');
  });

  it('is searched by part of a number, allows removal, and belongs to one user', async () => {
    const part = { ...page, phone_number: '50151' };
    expect((await operator.trpc.doNotCall.list.query(part)).total).toBe(1);
    expect((await member.trpc.doNotCall.list.query(part)).total).toBe(0);
    await operator.trpc.doNotCall.remove.mutate({ phone_number: '+12025550151' });
    expect((await operator.trpc.doNotCall.list.query(part)).total).toBe(0);
    await expect(
      operator.trpc.doNotCall.remove.mutate({ phone_number: '+12025550151' }),
    ).rejects.toMatchObject({ data: { httpStatus: 404 } });
  });

  it('accepts at most a thousand numbers per request', async () => {
    const input = { phone_numbers: Array.from({ length: 1001 }, () => '1') };
    await expect(operator.trpc.doNotCall.add.mutate(input)).rejects.toMatchObject({
      data: { errors: { phone_numbers: ['The phone numbers must not have more than 1000 items.'] } },
    });
  });
});

describe('the tools of an assistant', () => {
  it('are replaced as a list; a header without a value keeps the stored value', async () => {
    const id = (await operator.trpc.assistants.list.query())[0]?.id ?? 0;
    const tool = {
      type: 'http_request',
      name: 'ask',
      description: 'Often.',
      url: 'https://example.com',
    } as const;
    const first = { ...tool, headers: [{ name: 'X-Key', value: 'secret' }] };
    const made = await operator.trpc.assistants.setTools.mutate({ id, tools: [first] });
    expect(made.tools).toMatchObject([{ data: { headers: [{ name: 'X-Key', has_value: true }] } }]);
    const kept = { ...tool, headers: [{ name: 'X-Key' }] };
    expect(await operator.trpc.assistants.setTools.mutate({ id, tools: [kept] })).toMatchObject({
      tools: made.tools,
    });
  });

  it('are refused with the path of the fault', async () => {
    const id = (await operator.trpc.assistants.list.query())[0]?.id ?? 0;
    const tools = [
      { type: 'end_call' },
      { type: 'mcp', name: 'a b', url: 'https://a.example', allowed_tools: ['x'] },
    ];
    await expect(
      operator.trpc.assistants.setTools.mutate({ id, tools: tools as never }),
    ).rejects.toMatchObject({
      data: { errors: { 'tools.1.name': ['The tools.1.name format is invalid.'] } },
    });
  });
});

describe('the retention of data', () => {
  it('is shown to operators with what the next run removes, and not to members', async () => {
    const periods = await operator.trpc.retention.periods.query();
    expect(periods).toContainEqual({ name: 'deliveries', days: 30 });
    expect(periods).toContainEqual({ name: 'idempotency_records', days: 1 });
    const preview = await operator.trpc.retention.preview.query();
    expect(preview).toEqual(periods.map((period) => ({ ...period, expired: 0 })));
    await expect(member.trpc.retention.periods.query()).rejects.toMatchObject(REFUSED);
    await expect(member.trpc.retention.preview.query()).rejects.toMatchObject(REFUSED);
  });
});
