import { useTestDatabase } from '@parley/testkit';
import { expect, test } from 'vitest';
import { arrange } from '../../test/arrange.ts';
import { importCsv } from '../../test/arrange-imports.ts';
import { writeCampaign } from '../../test/arrange-leads.ts';
import { reportImport } from '../index.ts';

const database = useTestDatabase();

test('all refused rows are counted, and the first ten thousand are stored', async () => {
  const arrangement = await arrange(database.db);
  const { id: campaignId } = await writeCampaign(arrangement, {});
  const made = { ...arrangement, campaignId };
  const record = await importCsv(made, `phone\n${'1\n'.repeat(11_500)}`);
  expect(record).toMatchObject({ rows_read: 11_500, rows_refused: 11_500 });
  const lines: string[] = [];
  for await (const part of reportImport(made.ctx, made.identity, record.id)) lines.push(part);
  expect(lines.join('').trimEnd().split('\r\n')).toHaveLength(1 + 10_000);
});
