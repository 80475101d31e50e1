/** A migration that has to wait for a table does not stop the others that use it. */
import { captureLog, createTestDatabase } from '@parley/testkit';
import { expect, inject, it, onTestFinished } from 'vitest';
import { migrate, statement } from './index.ts';

const countTrunks = statement<{ trunks: number }>('', 'select count(*) as trunks from trunks');
const countColumns = statement<{ columns: number }>(
  '',
  `select count(*) as columns from information_schema.columns
   where table_name = 'trunks' and column_name = 'rtp_timeout_seconds'`,
);

it('waits for a long transaction without stopping the readers behind it', { timeout: 240_000 }, async () => {
  const database = await createTestDatabase(inject('postgresUrl'));
  onTestFinished(() => database.drop());
  const { db, url } = database;
  await db.query(statement('', 'alter table trunks drop column rtp_timeout_seconds'));
  await db.query(statement('', `delete from mikro_orm_migrations where name = '12-rtp-timeout'`));
  const { log, messages } = captureLog();
  const tries = (): number => messages().filter((text) => text.includes('tries again')).length;
  let migrated: Promise<void> | undefined;
  await db.transaction(async (tx) => {
    await tx.query(countTrunks);
    migrated = migrate(url, log);
    // Awaited below; a failure meanwhile must not end the process.
    migrated.catch(() => undefined);
    await expect.poll(tries, { timeout: 120_000 }).toBeGreaterThan(1);
    // Behind a statement that waits without a limit, this read would wait for the end of the transaction around it.
    expect(await db.query(countTrunks)).toEqual([{ trunks: 0 }]);
    expect(await db.query(countColumns)).toEqual([{ columns: 0 }]);
  });
  await migrated;
  expect(await db.query(countColumns)).toEqual([{ columns: 1 }]);
});
