import { expect, test } from 'vitest';
import { json, statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { arrange } from '../../test/arrange.ts';
import { leadsOf, queueOf, writeCampaign, writeLead } from '../../test/arrange-leads.ts';
import { cutOff, importCsv, numberAt } from '../../test/arrange-imports.ts';
import {
  deleteCampaign,
  findImport,
  importLeads,
  listImports,
  removeImportedLeads,
  reportImport,
  undoImport,
  updateLead,
} from '../index.ts';

/** For the slowest machine; a healthy one needs milliseconds. */
const PATIENCE = { timeout: 25_000 };

const database = useTestDatabase();

async function setup() {
  const arrangement = await arrange(database.db);
  const campaign = await writeCampaign(arrangement);
  return { ...arrangement, campaignId: campaign.id };
}

type Made = Awaited<ReturnType<typeof setup>>;

const file = (rows: number) =>
  ['phone', ...Array.from({ length: rows }, (_, index) => numberAt(index))].join('\n');

const setDialState = statement(
  '',
  `update leads set dial_state = $2, attempts = $3 where campaign_id = $1 and phone_number = $4`,
);

async function reportOf({ ctx, identity }: Made, id: number): Promise<string> {
  let text = '';
  for await (const piece of reportImport(ctx, identity, id)) text += piece;
  return text;
}

test('an undone import is gone with its places in the queue; other leads stay', async () => {
  const made = await setup();
  await writeLead(made, made.campaignId);
  const { id } = await importCsv(made, file(6000));
  const undone = await undoImport(made.ctx, made.identity, id);
  expect(undone.record).toMatchObject({ state: 'undone', leads_removed: 6000 });
  expect(undone.leadsKept).toBe(0);
  expect(await leadsOf(made, made.campaignId)).toBe(1);
  expect(await queueOf(made, made.campaignId)).toHaveLength(1);
});

test('leads that were called, or are being called, stay and are counted', async () => {
  const made = await setup();
  const { id } = await importCsv(made, file(10));
  const { ctx } = made;
  await ctx.db.query(setDialState, [made.campaignId, 'dialing', 0, numberAt(1)]);
  await ctx.db.query(setDialState, [made.campaignId, 'waiting-to-retry', 1, numberAt(2)]);
  await ctx.db.query(setDialState, [made.campaignId, 'done', 1, numberAt(3)]);
  await ctx.db.query(setDialState, [made.campaignId, 'blocked', 0, numberAt(4)]);
  const undone = await undoImport(ctx, made.identity, id);
  expect(undone).toMatchObject({ leadsKept: 3, record: { leads_removed: 7 } });
});

test('a lead that the dialer holds at the moment stays', async () => {
  const made = await setup();
  const { id } = await importCsv(made, file(3));
  const lock = statement('', `select id from leads where phone_number = $1 and import_id = $2 for update`);
  const undone = await made.ctx.db.transaction(async (tx) => {
    await tx.query(lock, [numberAt(1), id]);
    return undoImport(made.ctx, made.identity, id);
  });
  expect(undone).toMatchObject({ leadsKept: 1, record: { state: 'undone', leads_removed: 2 } });
});

test('leads that were moved or changed since are removed if they were not called', async () => {
  const made = await setup();
  const { id } = await importCsv(made, file(2));
  const first = statement<{ id: number }>('', `select id from leads where import_id = $1 limit 1`);
  const [lead] = await made.ctx.db.query(first, [id]);
  await updateLead(made.ctx, made.identity, { id: lead?.id ?? 0, changes: { variables: { a: 'b' } } });
  expect(await undoImport(made.ctx, made.identity, id)).toMatchObject({ leadsKept: 0 });
});

test('undoing twice, or by the job as well, changes nothing more', async () => {
  const made = await setup();
  const { id } = await importCsv(made, file(5));
  const [first] = await Promise.all([
    undoImport(made.ctx, made.identity, id),
    removeImportedLeads(made.ctx, id),
  ]);
  expect(first.record.leads_removed).toBe(5);
  expect(await undoImport(made.ctx, made.identity, id)).toMatchObject({ record: { leads_removed: 5 } });
});

test('an undoing that broke off is finished by its job', async () => {
  const made = await setup();
  const { id } = await importCsv(made, file(5));
  await made.ctx.db.query(statement('', `update lead_imports set state = 'undoing' where id = $1`), [id]);
  await removeImportedLeads(made.ctx, id);
  expect(await findImport(made.ctx, made.identity, id)).toMatchObject({ state: 'undone', leads_removed: 5 });
});

test('the job does not change an import that is not being undone', async () => {
  const made = await setup();
  const { id } = await importCsv(made, file(5));
  await removeImportedLeads(made.ctx, id);
  expect(await leadsOf(made, made.campaignId)).toBe(5);
});

test('after it, the same file under the same key is a new import', async () => {
  const made = await setup();
  const { id } = await importCsv(made, file(5), {}, 'key');
  await undoImport(made.ctx, made.identity, id);
  const again = await importCsv(made, file(5), {}, 'key');
  expect(again).toMatchObject({ rows_imported: 5 });
  expect(again.id).not.toBe(id);
});

test('an upload in progress is refused, and none of its leads remain', async () => {
  const made = await setup();
  const { ctx, identity, campaignId } = made;
  const upload = importLeads(ctx, identity, {
    campaignId,
    options: {},
    bytes: cutOff([Buffer.from(file(2500))], async () => {
      const imports = () => listImports(ctx, identity, campaignId);
      await expect.poll(async () => (await imports())[0]?.rows_read, PATIENCE).toBe(2000);
      await undoImport(ctx, identity, (await imports())[0]?.id ?? 0);
    }),
  });
  await expect(upload).rejects.toThrow();
  expect(await leadsOf(made, campaignId)).toBe(0);
  expect((await listImports(ctx, identity, campaignId))[0]).toMatchObject({
    state: 'undone',
    leads_removed: 2000,
  });
});

test('the report names every row that made no lead, with its reason, and no formula', async () => {
  const made = await setup();
  const csv = `phone,name\n${numberAt(1)},Ada\n\n=1+1,Bo\n,Cy\n${numberAt(1)},Di\n`;
  const { id, refusals } = await importCsv(made, csv);
  expect(refusals).toEqual(
    expect.arrayContaining([
      { code: 'phone_number_invalid', rows: 1 },
      { code: 'phone_number_missing', rows: 1 },
      { code: 'duplicate', rows: 1 },
    ]),
  );
  expect((await reportOf(made, id)).split('\r\n')).toEqual([
    'row,column,reason,message,value',
    "4,phone,phone_number_invalid,This is not a possible phone number.,'=1+1",
    '5,phone,phone_number_missing,There is no phone number.,',
    `6,,duplicate,The campaign or an earlier row has this number already.,'${numberAt(1)}`,
    '',
  ]);
});

test('the report goes with the import that is undone, and with its campaign', async () => {
  const made = await setup();
  const [undone, deleted] = [await importCsv(made, 'phone\nx\n'), await importCsv(made, 'phone\ny\n')];
  await undoImport(made.ctx, made.identity, undone.id);
  expect((await reportOf(made, undone.id)).split('\r\n')).toHaveLength(2);
  await deleteCampaign(made.ctx, made.identity, made.campaignId);
  const left = statement<{ rows: number }>(
    '',
    `select count(*) as rows from lead_import_errors where import_id in (select jsonb_array_elements_text($1)::bigint)`,
  );
  expect(await made.ctx.db.query(left, [json([undone.id, deleted.id])])).toEqual([{ rows: 0 }]);
});
