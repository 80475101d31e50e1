import { describe, expect, test } from 'vitest';
import { openDatabase, statement } from '@parley/db';
import { silentLog } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { arrange, type Arrangement } from '../../test/arrange.ts';
import { leadsOf, queueOf, writeCampaign, writeLead } from '../../test/arrange-leads.ts';
import { bytesOf, cutOff, importCsv, leadNumbers, numberAt } from '../../test/arrange-imports.ts';
import { findCampaign, findImport, importLeads, listImports, runCampaign, startCampaign } from '../index.ts';

/** For the slowest machine; a healthy one needs milliseconds. */
const PATIENCE = { timeout: 25_000 };

const reopenImport = statement('', `update lead_imports set state = 'running' where id = $1`);
const positionOf = statement('', `select position from lead_imports where id = $1`);
const settleLeads = statement(
  '',
  `update leads set status = 'completed', dial_state = 'done' where campaign_id = $1`,
);
const emptyQueue = statement('', `delete from dial_queue where campaign_id = $1`);

const vacuumLeads = statement('', 'vacuum analyze leads');
const explainTaken = statement('', `explain execute campaign_numbers_taken(1, '{+12025550100}')`);

const database = useTestDatabase();

async function setup(fields: Record<string, unknown> = {}) {
  const arrangement = await arrange(database.db);
  const campaign = await writeCampaign(arrangement, fields);
  return { ...arrangement, campaignId: campaign.id };
}

describe('a file', () => {
  test('into a table that was empty when it was looked through is planned for a full one', async () => {
    await database.db.query(vacuumLeads);
    const narrow = openDatabase({ url: database.url, log: silentLog, poolSize: 1 });
    const { ctx, identity, campaignId } = await setup();
    const made = { ctx: { ...ctx, db: narrow }, identity, campaignId };
    await importCsv(made, `phone\n${numberAt(8_000)}\n`);
    // Of the one connection: what it has planned, it has planned for good.
    const plan = await narrow.query(explainTaken);
    await narrow.close();
    expect(JSON.stringify(plan)).toContain('leads_campaign_id_phone_number_index');
  });

  test('becomes leads in the order of its rows, ready to be dialed, with their variables', async () => {
    const made = await setup();
    const csv = `Name;Telefon;Notes\r\nAda;${numberAt(1)};"a ""b""\nc"\r\nBo;${numberAt(2)};\r\n`;
    const record = await importCsv(made, csv, { mapping: { Name: 'customer_name' } });
    expect(record).toMatchObject({ state: 'finished', rows_read: 2, rows_imported: 2, rows_refused: 0 });
    const leads = await leadNumbers(made);
    expect(leads).toEqual([
      { phoneNumber: numberAt(1), variables: { customer_name: 'Ada', Notes: 'a "b"\nc' } },
      { phoneNumber: numberAt(2), variables: { customer_name: 'Bo', Notes: '' } },
    ]);
    expect(await queueOf(made, made.campaignId)).toHaveLength(2);
  });

  test('with empty cells up to the last column of a spreadsheet is read without them', async () => {
    const made = await setup();
    await importCsv(made, `phone\n${numberAt(4)}${','.repeat(16_384)}\n`);
    expect(await leadNumbers(made)).toEqual([{ phoneNumber: numberAt(4), variables: {} }]);
  });

  test('with thousands of empty lines is stored without a transaction for each of them, and can be sent again', async () => {
    const made = await setup();
    const csv = `phone\n${'\n'.repeat(2_500)}${numberAt(9)}\n${',\n'.repeat(5_000)}`;
    const record = await importCsv(made, csv, {}, 'file-2');
    expect(record).toMatchObject({ state: 'finished', rows_read: 1, rows_imported: 1 });
    expect(await made.ctx.db.query(positionOf, [record.id])).toEqual([{ position: 3000 }]);
    expect(await importCsv(made, csv, {}, 'file-2')).toEqual(record);
    expect(await leadNumbers(made)).toEqual([{ phoneNumber: numberAt(9), variables: {} }]);
  });

  test('with more cells in a row than any lead has is refused', async () => {
    const made = await setup();
    await expect(importCsv(made, `phone,name\n${numberAt(5)}${',x'.repeat(1_000)}\n`)).rejects.toMatchObject({
      kind: 'invalid',
      fields: { file: ['A row of the file has more than 1000 cells.'] },
    });
    expect(await leadNumbers(made)).toEqual([]);
  });

  test('may have no header', async () => {
    const made = await setup();
    const options = { hasHeader: false, mapping: { '2': 'phone_number', '1': 'name' } };
    await importCsv(made, `Ada,${numberAt(3)}\n`, options);
    expect(await leadNumbers(made)).toEqual([{ phoneNumber: numberAt(3), variables: { name: 'Ada' } }]);
  });

  test('may begin with the mark of UTF-8, have empty lines, ragged rows and no last line end', async () => {
    const made = await setup();
    const csv = `\uFEFF\n\nphone,name\n\n${numberAt(4)}\n,,\n${numberAt(5)},Bo,`;
    expect(await importCsv(made, csv)).toMatchObject({ rows_read: 2, rows_imported: 2 });
  });

  test('arrives byte by byte as it does at once', async () => {
    const made = await setup();
    const bytes = Buffer.from(`phone,näme\r\n${numberAt(6)},"Mü,ller"\r\n`);
    const upload = {
      campaignId: made.campaignId,
      options: {},
      bytes: bytesOf([...bytes].map((byte) => Buffer.of(byte))),
    };
    await importLeads(made.ctx, made.identity, upload);
    expect(await leadNumbers(made)).toEqual([{ phoneNumber: numberAt(6), variables: { näme: 'Mü,ller' } }]);
  });

  test.each(['utf8', 'latin1', 'utf16le'] as const)('may be in %s', async (encoding) => {
    const made = await setup();
    const mark = encoding === 'utf16le' ? '\uFEFF' : '';
    await importCsv(made, Buffer.from(`${mark}phone;Straße\n${numberAt(7)};Ö\n`, encoding));
    expect(await leadNumbers(made)).toEqual([{ phoneNumber: numberAt(7), variables: { Straße: 'Ö' } }]);
  });

  test.each([
    ['without a phone number', 'name\nAda\n', 'mapping'],
    ['with nothing in it', '\n \n', 'file'],
    ['of Excel', Buffer.from('PK\u0003\u0004\u0014'), 'file'],
    ['with a quote that is never closed', `phone\n"${'x'.repeat(2000)}`, 'file'],
  ])('%s is refused as a whole', async (_, csv, field) => {
    const made = await setup();
    const refused = importCsv(made, csv);
    await expect(refused).rejects.toMatchObject({
      kind: 'invalid',
      fields: { [field]: [expect.any(String)] },
    });
    expect(await leadsOf(made, made.campaignId)).toBe(0);
  });

  test('the row whose quote is never closed is named', async () => {
    const made = await setup();
    const rows = ['phone;note', `${numberAt(1)};"two\r\nlines"`, `${numberAt(2)};`, `"${numberAt(3)};`];
    const csv = [...rows, ...Array.from({ length: 50 }, (_, place) => `${numberAt(4 + place)};`)].join(
      '\r\n',
    );
    await expect(importCsv(made, csv)).rejects.toMatchObject({
      fields: { file: ['A quote in row 4 is opened and never closed, or the row is longer than 1 MiB.'] },
    });
  });

  test("into another user's campaign is refused before a byte is read", async () => {
    const [made, stranger] = [await setup(), await setup()];
    const upload = { campaignId: stranger.campaignId, options: {}, bytes: cutOff() };
    await expect(importLeads(made.ctx, made.identity, upload)).rejects.toMatchObject({ kind: 'not-found' });
  });
});

describe('duplicates', () => {
  test('within the file, across its stretches, and of leads and contacts are counted and not imported', async () => {
    const made = await setup();
    await writeLead(made, made.campaignId, {
      phone_number: numberAt(9001),
      secondary_contacts: [{ phone_number: numberAt(9002) }],
    });
    const numbers = Array.from({ length: 1500 }, (_, index) => numberAt(index));
    const csv = ['phone', ...numbers, numberAt(3), numberAt(1400), numberAt(9001), numberAt(9002)].join('\n');
    expect(await importCsv(made, csv)).toMatchObject({
      rows_read: 1504,
      rows_imported: 1500,
      rows_duplicate: 4,
      rows_refused: 0,
      refusals: [{ code: 'duplicate', rows: 4 }],
    });
  });

  test('are imported where they are allowed', async () => {
    const made = await setup();
    const csv = `phone\n${numberAt(1)}\n${numberAt(1)}\n`;
    expect(await importCsv(made, csv, { isDuplicateAllowed: true })).toMatchObject({ rows_imported: 2 });
  });

  test('of an import and single leads that are made meanwhile: each number is there once', async () => {
    const made = await setup();
    const numbers = Array.from({ length: 200 }, (_, index) => numberAt(index));
    const singles = numbers.slice(0, 40).map((phone_number) =>
      writeLead(made, made.campaignId, { phone_number }).then(
        () => 1,
        () => 0,
      ),
    );
    const uploads = [1, 2, 3, 4, 5, 6].map(() => importCsv(made, ['phone', ...numbers].join('\n')));
    const imported = (await Promise.all(uploads)).map(({ rows_imported }) => rows_imported);
    const made1 = await Promise.all(singles);
    expect([...imported, ...made1].reduce((sum, count) => sum + count, 0)).toBe(200);
    expect(await leadsOf(made, made.campaignId)).toBe(200);
  });
});

describe('an upload that breaks off', () => {
  const rows = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `${numberAt(from + index)},x`);
  const file = `phone,name\n${rows(0, 2500).join('\n')}\n`;

  /** Once what can be settled of it is. */
  async function breakOff(made: Arrangement & { campaignId: number }, share: number, options = {}) {
    const bytes = Buffer.from(file).subarray(0, Math.floor(file.length * share));
    const stretches = Math.floor((bytes.toString().split('\n').length - 2) / 1000);
    const isSettled = () =>
      expect.poll(
        async () => (await listImports(made.ctx, made.identity, made.campaignId))[0]?.rows_read,
        PATIENCE,
      );
    const cut = cutOff([bytes], () => isSettled().toBe(stretches * 1000));
    const upload = { campaignId: made.campaignId, options, key: 'file-1', bytes: cut };
    await expect(importLeads(made.ctx, made.identity, upload)).rejects.toThrow('cut off');
  }

  const sendAgain = (made: Arrangement & { campaignId: number }, csv = file) =>
    importCsv(made, csv, {}, 'file-1');

  test.each([0.001, 0.3, 0.5, 0.9, 1])(
    'after %f of it leaves whole stretches, and goes on',
    async (share) => {
      const made = await setup();
      await breakOff(made, share);
      expect((await leadsOf(made, made.campaignId)) % 1000).toBe(0);
      const [listed] = await listImports(made.ctx, made.identity, made.campaignId);
      expect(listed).toMatchObject({ state: 'interrupted' });
      const done = await sendAgain(made);
      expect(done).toMatchObject({
        id: listed?.id,
        state: 'finished',
        rows_read: 2500,
        rows_imported: 2500,
        rows_duplicate: 0,
      });
      expect(await leadsOf(made, made.campaignId)).toBe(2500);
    },
  );

  test('goes on without duplicates where they are allowed, too', async () => {
    const made = await setup();
    const options = { isDuplicateAllowed: true };
    await breakOff(made, 0.7, options);
    await importCsv(made, file, options, 'file-1');
    expect(await leadsOf(made, made.campaignId)).toBe(2500);
  });

  test('is answered as before when it was finished already', async () => {
    const made = await setup();
    const first = await sendAgain(made);
    expect(await sendAgain(made)).toEqual(first);
    expect(await leadsOf(made, made.campaignId)).toBe(2500);
  });

  test.each([
    ['other rows where some are settled', file.replace(numberAt(10), numberAt(9000))],
    ['fewer rows', `phone,name\n${rows(0, 900).join('\n')}\n`],
    ['another header', file.replace('name', 'title')],
  ])('does not go on with %s', async (_, other) => {
    const made = await setup();
    await breakOff(made, 0.7);
    const before = await leadsOf(made, made.campaignId);
    expect(before).toBeGreaterThan(0);
    await expect(sendAgain(made, other)).rejects.toMatchObject({ kind: 'invalid' });
    expect(await leadsOf(made, made.campaignId)).toBe(before);
  });

  test('does not go on with more rows once it is finished', async () => {
    const made = await setup();
    await sendAgain(made);
    const longer = sendAgain(made, `${file}${numberAt(8000)},x\n`);
    await expect(longer).rejects.toMatchObject({ kind: 'invalid' });
    expect(await leadsOf(made, made.campaignId)).toBe(2500);
  });

  test('is turned away once another has taken it over', async () => {
    const made = await setup();
    // Where duplicates are refused, a row written twice would not show.
    const options = { isDuplicateAllowed: true };
    const gate = Promise.withResolvers<void>();
    const bytes = Buffer.from(file);
    const slow = importLeads(made.ctx, made.identity, {
      campaignId: made.campaignId,
      options,
      key: 'file-1',
      bytes: bytesOf([bytes.subarray(0, 30_000)], gate.promise, bytes.subarray(30_000)),
    });
    const fate = slow.then(
      () => null,
      (error: unknown) => error,
    );
    await expect
      .poll(async () => (await listImports(made.ctx, made.identity, made.campaignId))[0]?.rows_read, PATIENCE)
      .toBe(1000);
    await importCsv(made, file, options, 'file-1');
    gate.resolve();
    expect(await fate).toMatchObject({ kind: 'conflict' });
    const [listed] = await listImports(made.ctx, made.identity, made.campaignId);
    expect(listed).toMatchObject({ state: 'finished', rows_imported: 2500 });
    expect(await leadsOf(made, made.campaignId)).toBe(2500);
  });

  test('shows as interrupted when its process is gone without a word', async () => {
    const made = await setup();
    const { id } = await importCsv(made, `phone\n${numberAt(1)}\n`);
    await made.ctx.db.query(reopenImport, [id]);
    expect(await findImport(made.ctx, made.identity, id)).toMatchObject({ state: 'running' });
    made.clock.advance(90_001);
    expect(await findImport(made.ctx, made.identity, id)).toMatchObject({ state: 'interrupted' });
  });
});

test('a running campaign is woken by each stretch', async () => {
  const made = await setup();
  await writeLead(made, made.campaignId);
  await startCampaign(made.ctx, made.identity, made.campaignId);
  await made.ctx.db.query(
    statement('', `select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker._private_jobs`),
  );
  await importCsv(made, `phone\n${numberAt(77)}\n`);
  const jobs = statement<{ key: string }>(
    '',
    `select key from graphile_worker.jobs where task_identifier = 'run_campaign'`,
  );
  expect(await made.ctx.db.query(jobs)).toContainEqual({ key: `campaign:${made.campaignId}` });
});

test('a campaign that has called all its leads is not complete during an import', async () => {
  const made = await setup();
  const { id } = await importCsv(made, `phone\n${numberAt(78)}\n`);
  await startCampaign(made.ctx, made.identity, made.campaignId);
  await made.ctx.db.query(reopenImport, [id]);
  await made.ctx.db.query(settleLeads, [made.campaignId]);
  await made.ctx.db.query(emptyQueue, [made.campaignId]);
  const statusAfterLook = async () => {
    await runCampaign(made.ctx, made.campaignId);
    return (await findCampaign(made.ctx, made.identity, made.campaignId)).status;
  };
  expect(await statusAfterLook()).toBe('in-progress');
  // The upload was killed; the campaign does not wait for it.
  made.clock.advance(90_001);
  expect(await statusAfterLook()).toBe('completed');
});
