/**
 * Imports a file of leads over HTTP with a real api: cost per row, memory of the api, the same file again (which must add
 * nothing), and the undo (which must leave nothing).
 */
import { Readable } from 'node:stream';
import { pause, systemClock } from '@parley/runtime';
import { Agent, request } from 'undici';
import { startApi } from './campaign-processes.ts';
import type { CampaignTestbed } from './campaign-testbed.ts';
import { seedCampaigns } from './campaign-seed.ts';
import { postgresCpuMicros } from './postgres-cpu.ts';

/** The figures of an import. */
export interface ImportFigures {
  rows: number;
  rowsPerSecond: number;
  /** Processor time per row, microseconds. */
  cpuMicros: { api: number; postgres: number };
  /** Maximum growth of the api's memory during the upload, megabytes. */
  growthMegabytes: number;
  /** Seconds for the same file again: with its key, and as a new file whose rows are all duplicates. */
  againSeconds: { sameKey: number; newKey: number };
  undoSeconds: number;
}

/** The fields that are read from the response. */
interface ImportRecord {
  id: number;
  rows_imported: number;
  rows_duplicate: number;
}

type Api = Awaited<ReturnType<typeof startApi>>;

/** Size of the import that warms up all processes. */
const WARM_UP_ROWS = 5_000;
const SAMPLE_MS = 200;
/** Rows per chunk of the body. */
const PIECE_ROWS = 500;
/** Node waits five minutes for a response by default; an import may take longer. */
const patient = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

/** @param rows - of the file */
export async function measureImport(testbed: CampaignTestbed, rows: number): Promise<ImportFigures> {
  const api = await startApi(testbed);
  try {
    const [warmId = 0, id = 0] = await seedCampaigns(testbed, 2, { waiting: 0, cap: 1 });
    await send(testbed, api, { id: warmId, rows: WARM_UP_ROWS, key: 'warm' });
    const file = { id, rows, key: 'first' };
    const first = await measureFirst(testbed, api, file);
    const sameKey = await timed(() => send(testbed, api, file));
    const newKey = await timed(() => send(testbed, api, { ...file, key: 'second' }));
    insist('sent again under its key it is the same import', sameKey.result.id === first.id);
    insist('all of a second import are duplicates', newKey.result.rows_duplicate === rows);
    insist('no lead was added', (await countLeads(testbed, id)) === rows);
    const undone = await timed(() => undo(testbed, api, first.id));
    insist('no lead is left', (await countLeads(testbed, id)) === 0);
    const againSeconds = { sameKey: sameKey.seconds, newKey: newKey.seconds };
    return { rows, ...first.figures, againSeconds, undoSeconds: undone.seconds };
  } finally {
    await api.stop();
  }
}

interface LeadFile {
  /** Campaign. */
  id: number;
  rows: number;
  key: string;
}

async function measureFirst(testbed: CampaignTestbed, api: Api, file: LeadFile) {
  await api.collectGarbage();
  const before = await api.figures();
  const postgresBefore = await postgresCpuMicros(testbed.postgresPid);
  let peakBytes = before.rssBytes;
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      peakBytes = Math.max(peakBytes, (await api.figures()).rssBytes);
      await pause(systemClock, SAMPLE_MS);
    }
  })();
  const { result, seconds } = await timed(() => send(testbed, api, file));
  over.abort();
  await watching;
  insist('every row became a lead', result.rows_imported === file.rows);
  const after = await api.figures();
  const postgres = (await postgresCpuMicros(testbed.postgresPid)) - postgresBefore;
  const figures = {
    rowsPerSecond: file.rows / seconds,
    cpuMicros: { api: (after.cpuMicros - before.cpuMicros) / file.rows, postgres: postgres / file.rows },
    growthMegabytes: (peakBytes - before.rssBytes) / 1e6,
  };
  return { id: result.id, figures };
}

async function send(
  { token }: CampaignTestbed,
  api: Api,
  { id, rows, key }: LeadFile,
): Promise<ImportRecord> {
  const { statusCode, body } = await request(`${api.url}/api/user/campaigns/${id}/leads/import`, {
    method: 'POST',
    dispatcher: patient,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv', 'idempotency-key': key },
    body: Readable.from(csv(rows)),
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`The import answered ${statusCode}: ${text}`);
  return (JSON.parse(text) as { data: ImportRecord }).data;
}

function* csv(rows: number): Generator<string> {
  yield 'phone,customer_name,city,note\n';
  let piece = '';
  for (let row = 1; row <= rows; row++) {
    piece += `+1${4_000_000_000 + row},Customer ${row},"Springfield, US",called in May\n`;
    if (row % PIECE_ROWS !== 0 && row < rows) continue;
    yield piece;
    piece = '';
  }
}

async function undo({ token }: CampaignTestbed, api: Api, importId: number): Promise<void> {
  const { statusCode, body } = await request(`${api.url}/api/user/imports/${importId}`, {
    method: 'DELETE',
    dispatcher: patient,
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`The undo answered ${statusCode}: ${text}`);
}

async function countLeads({ sql }: CampaignTestbed, campaignId: number): Promise<number> {
  const { rows } = await sql.query<{ leads: number }>(
    'select count(*) as leads from leads where campaign_id = $1',
    [campaignId],
  );
  return rows[0]?.leads ?? 0;
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; seconds: number }> {
  const startedMs = systemClock.monotonic();
  const result = await work();
  return { result, seconds: (systemClock.monotonic() - startedMs) / 1000 };
}

function insist(promise: string, isKept: boolean): void {
  if (!isKept) throw new Error(`Not so: ${promise}`);
}
