/** The api is killed repeatedly during an import: no row is lost, and none is stored twice. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCampaign, findUserByEmail, type Identity } from '@parley/core';
import { newCampaignBody } from '@parley/contracts';
import { statement } from '@parley/db';
import { expect, test } from 'vitest';
import { useInstallation } from '../../test/installation.ts';

const installation = useInstallation();

const ROWS = 30_000;
const KILLS = 2;

const countRows = statement<{ leads: number; queued: number; settled: number; rows: number }>(
  '',
  `select (select count(*) from leads where campaign_id = $1) as leads,
     (select count(*) from dial_queue where campaign_id = $1) as queued,
     coalesce((select max(rows_imported) from lead_imports where campaign_id = $1), 0) as settled,
     (select count(distinct variables ->> 'row') from leads where campaign_id = $1) as rows`,
);

async function makeCampaign(): Promise<number> {
  const { core } = installation;
  const user = await findUserByEmail(core, 'ada@parley.example');
  const first = statement<{ id: number }>('', `select id from assistants where type = 'outbound' limit 1`);
  const [assistant] = await core.db.query(first);
  const identity = {
    userId: user?.id,
    timezone: 'UTC',
    role: 'operator',
    scopes: 'all',
  } as unknown as Identity;
  const body = newCampaignBody.parse({ name: 'Spring', assistant_id: assistant?.id });
  return (await createCampaign(core, identity, body)).id;
}

/** Each row has a unique value in a variable; phone numbers repeat, so that the search for duplicates hides no row. */
async function writeFileOf(rows: number): Promise<string> {
  const lines = Array.from({ length: rows }, (_, row) => `+12025550${100 + (row % 100)},${row}`);
  const path = join(installation.dataDir, 'large.csv');
  await writeFile(path, `phone,row\n${lines.join('\n')}\n`);
  return path;
}

test('an import whose api is killed repeatedly ends with every row once', { timeout: 120_000 }, async () => {
  const { core } = installation;
  const campaignId = await makeCampaign();
  const file = await writeFileOf(ROWS);
  const counts = async () => {
    const [row] = await core.db.query(countRows, [campaignId]);
    if (!row) throw new Error('A count came back without a row');
    return row;
  };
  const line = ['leads', 'import', file, '--campaign', String(campaignId), '--allow-duplicate'];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const api = await installation.startApi();
    const before = await counts();
    const upload = installation.openTerminal().run(...line, '--url', api.url);
    while ((await counts()).leads <= before.leads) await new Promise(setImmediate);
    await api.kill();
    expect((await upload).exitCode).toBe(1);
    const { leads, queued, settled } = await counts();
    expect({ queued, settled }).toEqual({ queued: leads, settled: leads });
    expect(leads).toBeLessThan(ROWS);
  }
  const finished = await installation.openTerminal().run(...line, '--json');
  expect(JSON.parse(finished.out)).toMatchObject({
    data: { state: 'finished', rows_read: ROWS, rows_imported: ROWS },
  });
  expect(await counts()).toEqual({ leads: ROWS, queued: ROWS, settled: ROWS, rows: ROWS });
});
