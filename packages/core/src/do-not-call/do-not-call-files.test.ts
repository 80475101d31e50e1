import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange } from '../../test/arrange.ts';
import { addToDoNotCallList, listDoNotCall } from './do-not-call-list.ts';
import { exportDoNotCall } from './export-do-not-call.ts';
import { importDoNotCall } from './import-do-not-call.ts';

const database = useTestDatabase();

async function setup() {
  const { ctx, identity } = await arrange(database.db);
  const add = (phoneNumber: string, reason?: string) =>
    addToDoNotCallList(ctx, identity, { phoneNumber, reason });
  const importFile = (text: string) => importDoNotCall(ctx, identity, piecesOf(text));
  const exportList = async (phoneNumber?: string) => {
    let file = '';
    for await (const piece of exportDoNotCall(ctx, identity, { phoneNumber })) file += piece;
    return file;
  };
  const list = async () => (await listDoNotCall(ctx, identity, { page: 1, perPage: 100 })).rows;
  return { ctx, add, importFile, exportList, list };
}

async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

/** More than one batch. */
const MANY = 1001;
const numberOf = (index: number): string => `+1202556${String(index).padStart(4, '0')}`;

describe('a file of the do-not-call list', () => {
  it('has all entries in the order of the numbers, and only those of the account and the search', async () => {
    const { ctx, add, exportList } = await setup();
    await add('+12025550172', '=1+1');
    await add('+12025550171', 'asked, twice');
    const other = await arrange(ctx.db);
    await addToDoNotCallList(other.ctx, other.identity, { phoneNumber: '+12025550173' });
    expect((await exportList()).split('\r\n')).toEqual([
      'phone_number,reason,created_at,call_id',
      expect.stringMatching(/^'\+12025550171,"asked, twice",\d{4}-.*Z,$/),
      expect.stringMatching(/^'\+12025550172,'=1\+1,/),
      '',
    ]);
    expect(await exportList('50172')).not.toContain('50171');
  });

  it('is added with reasons; refused rows are counted and shown, and known numbers keep their reason', async () => {
    const { add, importFile, list } = await setup();
    await add('+12025550171', 'asked us to');
    const file =
      'Phone,Reason\n+12025550171,\nhello,none\n"+1 (202) 555-0172",Letter\n,\n+12025550172,Letter of May\n';
    expect(await importFile(file)).toEqual({
      rows: 4,
      added: 1,
      already_listed: 1,
      refused: 1,
      examples: [{ row: 3, value: 'hello', message: 'This is not a possible phone number.' }],
    });
    const found = (await list()).map(({ phoneNumber, reason }) => [phoneNumber, reason]);
    expect(Object.fromEntries(found)).toEqual({
      '+12025550171': 'asked us to',
      '+12025550172': 'Letter of May',
    });
  });

  it('of many entries comes back as it was exported', async () => {
    const { importFile, exportList } = await setup();
    const rows = Array.from({ length: MANY }, (_, index) => `${numberOf(index)},${index}`);
    await importFile(`phone,reason\n${rows.join('\n')}\n`);
    const file = await exportList();
    expect(file.trim().split('\r\n')).toHaveLength(MANY + 1);
    const back = await setup();
    expect(await back.importFile(file)).toMatchObject({ rows: MANY, added: MANY, refused: 0 });
    expect(new Set((await back.exportList()).split('\r\n').map((line) => line.split(',')[1]))).toEqual(
      new Set(file.split('\r\n').map((line) => line.split(',')[1])),
    );
    expect(await back.importFile(file)).toMatchObject({ added: 0, already_listed: MANY });
  });

  it.each([
    ['', 'The file is empty.'],
    ['name\nAda\n', 'No column holds the phone number. The file has: name'],
  ])('that says %j is refused', async (text, message) => {
    const { importFile } = await setup();
    await expect(importFile(text)).rejects.toMatchObject({
      kind: 'invalid',
      fields: expect.toSatisfy((fields: object) => Object.values(fields).flat().includes(message)),
    });
  });

  it('cuts a reason that is too long, because the number matters more', async () => {
    const { importFile, list } = await setup();
    await importFile(`phone,reason\n+12025550174,${'x'.repeat(300)}\n`);
    expect((await list())[0]?.reason).toBe('x'.repeat(255));
  });
});
