import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { useTestDatabase } from '@parley/testkit';
import type { Browser } from '../test/browser.ts';
import { startLiveApi, type LiveApi } from '../test/live-api.ts';
import { signInOperator } from '../test/signed-in.ts';
import { makeOutreach } from '../test/outreach.ts';

const database = useTestDatabase();
let live: LiveApi;
let campaignId: number;
let browser: Browser;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  campaignId = (await makeOutreach(live)).doomedCampaignId;
});

beforeEach(async () => {
  browser = await signInOperator(live);
});

afterAll(() => live.stop());

const FILE = 'phone,name\n+12025550101,Ada\nx,Bo\n';

function send(path: string, headers: Record<string, string> = {}, body = FILE) {
  return live.ask(path, {
    method: 'POST',
    token: null,
    body,
    headers: { 'content-type': 'text/csv', cookie: `parley_session=${browser.cookie()}`, ...headers },
  });
}

test('a signed-in page uploads a file, follows its import, reads its report and undoes it', async () => {
  const sent = await send(`/lead-files/${campaignId}?file_name=mai.csv`, { 'idempotency-key': 'page-1' });
  expect(sent).toMatchObject({
    status: 200,
    body: { file_name: 'mai.csv', rows_imported: 1, rows_refused: 1 },
  });
  const { id } = sent.body as { id: number };
  expect(await browser.trpc.campaigns.imports.query({ id: campaignId })).toMatchObject([
    { id, state: 'finished' },
  ]);
  const cookie = `parley_session=${browser.cookie()}`;
  const report = await live.ask(`/lead-files/${id}/report`, { token: null, headers: { cookie } });
  expect(report.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(report.text).toContain('3,phone,phone_number_invalid');
  expect(await browser.trpc.campaigns.undoImport.mutate({ id })).toEqual({ removed: 1, kept: 0 });
});

test('a file is checked before its import, and nothing of it is stored', async () => {
  const doNotCall = { method: 'POST', body: { phone_number: '+12025550177' } } as const;
  expect((await live.ask('/api/user/do-not-call', doNotCall)).status).toBe(201);
  const file = 'phone,name\n+12025550171,Ada\nx,Bo\n0012025550171,Cy\n+12025550177,Di\n,\n,Ed\n';
  const checked = await send(`/lead-files/${campaignId}/check`, {}, file);
  expect(checked).toMatchObject({
    status: 200,
    body: {
      rows: 5,
      leads: 2,
      on_do_not_call_list: 1,
      refusals: [
        { code: 'phone_number_invalid', rows: 1 },
        { code: 'duplicate', rows: 1 },
        { code: 'phone_number_missing', rows: 1 },
      ],
      is_complete: true,
    },
  });
  const { examples } = checked.body as { examples: object[] };
  expect(examples[0]).toEqual({
    row: 3,
    column: 'phone',
    message: 'This is not a possible phone number.',
    value: 'x',
  });
  expect(await browser.trpc.campaigns.get.query({ id: campaignId })).toMatchObject({
    progress: { leads: 0 },
  });
  const twice = await send(`/lead-files/${campaignId}/check?allow_duplicate=true`, {}, file);
  expect(twice.body).toMatchObject({ leads: 3 });
  const noNumber = await send(`/lead-files/${campaignId}/check`, {}, 'name\nAda\n');
  expect(noNumber.status).toBe(422);
  expect((await send('/lead-files/987654321/check')).status).toBe(404);
});

test("an upload without a session, from another origin, or to another user's campaign is not read", async () => {
  const path = `/lead-files/${campaignId}`;
  expect((await send(path, { cookie: 'parley_session=unknown' })).status).toBe(401);
  expect((await send(path, { origin: 'https://elsewhere.example' })).status).toBe(403);
  expect((await send('/lead-files/987654321')).status).toBe(404);
  expect((await send('/lead-files/x')).status).toBe(404);
  expect((await live.ask('/lead-files/1/report', { token: null })).status).toBe(401);
  expect(await browser.trpc.campaigns.get.query({ id: campaignId })).toMatchObject({
    progress: { leads: 0 },
  });
});

test('faults of a file or its query are reported', async () => {
  expect(await send(`/lead-files/${campaignId}?has_header=maybe`)).toMatchObject({
    status: 422,
    body: { errors: { has_header: ['The has header field must be true or false.'] } },
  });
  expect((await send(`/lead-files/${campaignId}`, { 'content-type': 'application/json' })).status).toBe(415);
});

test('the campaigns of the user are listed', async () => {
  const campaigns = await browser.trpc.campaigns.list.query();
  expect(campaigns.map(({ id }) => id)).toContain(campaignId);
});

test('a signed-in page exports the leads of a filter; without a session it is refused', async () => {
  await send(`/lead-files/${campaignId}`, {}, 'phone,name\n+12025550163,Gil\n');
  const cookie = `parley_session=${browser.cookie()}`;
  const path = `/lead-files/export?campaign_id=${campaignId}&phone_number=5550163`;
  const file = await live.ask(path, { token: null, headers: { cookie } });
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(file.headers.get('content-disposition')).toContain('leads.csv');
  const [head, ...leads] = file.text.trim().split('\r\n');
  expect(head).toContain('phone_number,campaign,state');
  expect(leads).toEqual([expect.stringMatching(/^'\+12025550163,.*Gil/)]);
  expect((await live.ask(path, { token: null })).status).toBe(401);
  const wrong = await live.ask('/lead-files/export?state=none', { token: null, headers: { cookie } });
  expect(wrong.status).toBe(422);
});
