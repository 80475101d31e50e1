import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { useTestDatabase } from '@parley/testkit';
import { openSocket, readAnswer } from '../../test/generated/raw-request.ts';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import { makeCampaign, makeOutreach } from '../../test/outreach.ts';

/** A limit for the slowest machine; usually milliseconds suffice. */
const PATIENCE = { timeout: 25_000 };

const database = useTestDatabase();
let live: LiveApi;
let assistantId: number;
let campaignId: number;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  assistantId = (await makeOutreach(live)).assistantId;
});

beforeEach(async () => {
  campaignId = await makeCampaign(live, { assistant_id: assistantId });
});

afterAll(() => live.stop());

const CSV = { 'content-type': 'text/csv; charset=utf-8' };

const path = (query = '') => `/api/user/campaigns/${campaignId}/leads/import${query}`;

function send(body: string, query = '', headers: Record<string, string> = {}) {
  return live.ask(path(query), { method: 'POST', body, headers: { ...CSV, ...headers } });
}

async function importsOf() {
  return (await live.ask(`/api/user/campaigns/${campaignId}/imports`)).body as {
    state: string;
    rows_read: number;
  }[];
}

/** An upload that the test controls. @param head - additional header lines */
function openUpload(...head: string[]) {
  const socket = openSocket(live.url);
  const answered = readAnswer(socket);
  const lines = [
    `POST ${path()} HTTP/1.1`,
    `host: ${new URL(live.url).host}`,
    `authorization: Bearer ${live.token}`,
    'content-type: text/csv',
    ...head,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return { socket, answered };
}

const rows = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => `+1${202 + Math.floor(index / 100)}55501${String(index % 100).padStart(2, '0')}`,
  );

test('a file with its own column names is imported with the mapping of the query', async () => {
  const mapping = encodeURIComponent(
    JSON.stringify({ Nummer: 'phone_number', Vorname: 'name', Intern: null }),
  );
  const csv = 'Vorname;Nummer;Intern\nAda;+12025550101;x\n';
  const { status, body } = await send(csv, `?mapping=${mapping}&delimiter=semicolon&file_name=mai.csv`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    message: 'Leads imported successfully',
    data: {
      campaign_id: campaignId,
      state: 'finished',
      file_name: 'mai.csv',
      rows_imported: 1,
      bytes_total: csv.length,
    },
  });
  const leads = await live.ask(`/api/user/leads?campaign_id=${campaignId}`);
  expect(leads.body).toMatchObject([{ phone_number: '+12025550101', variables: { name: 'Ada' } }]);
});

test('a missing column is reported under its field', async () => {
  expect(await send('name\nAda\n')).toMatchObject({
    status: 422,
    body: { errors: { mapping: ['No column holds the phone number. The file has: name'] } },
  });
  expect(await send('')).toMatchObject({ status: 422, body: { errors: { file: ['The file is empty.'] } } });
  expect(await send('phone\n', '?mapping=%7B')).toMatchObject({
    status: 422,
    body: { errors: { mapping: ['The mapping format is invalid.'] } },
  });
});

test('the report is a CSV download', async () => {
  const { body } = await send('phone\n=cmd|x\n');
  const { id } = (body as { data: { id: number } }).data;
  const report = await live.ask(`/api/user/imports/${id}/report`);
  expect(report.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(report.headers.get('content-disposition')).toBe(`attachment; filename="import-${id}-report.csv"`);
  expect(report.text).toContain("2,phone,phone_number_invalid,This is not a possible phone number.,'=cmd|x");
});

test('larger than a mebibyte is fine, larger than a gibibyte is refused before it is sent', async () => {
  const large = `phone,notes\n${rows(200)
    .map((number) => `${number},${'x'.repeat(8000)}`)
    .join('\n')}\n`;
  expect((await send(large)).body).toMatchObject({ data: { rows_imported: 200 } });
  const { answered } = openUpload(`content-length: ${1024 ** 3 + 1}`);
  expect(await answered).toMatchObject({ status: 413, headers: { connection: 'close' } });
});

test('JSON and compressed CSV are unsupported media types', async () => {
  for (const headers of [{ 'content-type': 'application/json' }, { 'content-encoding': 'gzip' }])
    expect((await send('phone\n', '', headers)).status).toBe(415);
});

test('an upload without permission is refused before its body is read', async () => {
  const request = { method: 'POST', body: `phone\n${'x'.repeat(2_000_000)}`, headers: CSV };
  expect((await live.ask(path(), { ...request, token: null })).status).toBe(401);
  const narrow = await live.addUser(`Reader${campaignId}`, ['read']);
  expect((await live.ask(path(), { ...request, token: narrow.token })).status).toBe(403);
});

test('a client that disconnects leaves complete batches and may send the file again', async () => {
  const file = `phone\n${rows(2500).join('\n')}\n`;
  const { socket, answered } = openUpload('idempotency-key: file-1', `content-length: ${file.length}`);
  socket.write(file.slice(0, -10));
  await expect.poll(async () => (await importsOf())[0]?.rows_read, PATIENCE).toBe(2000);
  socket.destroy();
  await answered;
  await expect.poll(async () => (await importsOf())[0]?.state, PATIENCE).toBe('interrupted');
  const again = await send(file, '', { 'idempotency-key': 'file-1' });
  expect(again.body).toMatchObject({ data: { state: 'finished', rows_imported: 2500, rows_duplicate: 0 } });
  const other = await send(file.replace('55501', '55502'), '', { 'idempotency-key': 'file-1' });
  expect(other).toMatchObject({
    status: 422,
    body: { message: 'This Idempotency-Key was used with another file or other options.' },
  });
});

test('an undone import reports the leads that were kept', async () => {
  const { body } = await send(`phone\n${rows(3).join('\n')}\n`);
  const { id } = (body as { data: { id: number } }).data;
  expect((await live.ask(`/api/user/imports/${id}`, { method: 'DELETE' })).body).toMatchObject({
    message: 'Import undone successfully',
    data: { state: 'undone', leads_removed: 3 },
    leads_kept: 0,
  });
});
