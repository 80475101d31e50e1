import { createTestDatabase, takeTestDatabase } from '@parley/testkit';
import { silentLog } from '@parley/runtime';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { migrate, statement } from './index.ts';
import { migrations } from './migrations/all.ts';
import { createOrm } from './orm.ts';

const monthlyPartitions = statement<{ name: string }>(
  '',
  `select inhrelid::regclass::text as name from pg_inherits
   where inhparent in ('calls'::regclass, 'call_events'::regclass) and inhrelid::regclass::text not like '%_default'
   order by 1`,
);

describe('the schema', () => {
  it('is the same in the entities and in the migrations', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    // The entities know only the default partitions; the months come and go.
    for (const { name } of await database.db.query(monthlyPartitions)) {
      await database.db.query(statement('', `drop table ${name}`));
    }
    // Nor do they know triggers: the migration says what those do.
    for (const name of ['calls_count_insert', 'calls_count_update', 'calls_count_delete']) {
      await database.db.query(statement('', `drop trigger ${name} on calls`));
    }
    for (const name of ['leads_count_insert', 'leads_count_update', 'leads_count_delete']) {
      await database.db.query(statement('', `drop trigger ${name} on leads`));
    }
    for (const name of ['audit_entries_append_only', 'audit_entries_no_truncate'])
      await database.db.query(statement('', `drop trigger ${name} on audit_entries`));
    const orm = createOrm(database.url, { poolSize: 1, log: silentLog });
    try {
      const update = await orm.schema.getUpdateSchemaSQL();
      expect(update.replace(`set names 'utf8';`, '').trim()).toBe('');
    } finally {
      await orm.close(true);
    }
  });

  it('has every language once, and the built-in voices and model', async () => {
    const database = await takeTestDatabase();
    const counts = statement<{ languages: number; names: number; voices: number; models: number }>(
      '',
      `select (select count(*) from languages) as languages, (select count(distinct iso_2) from languages) as names,
         (select count(*) from voices) as voices, (select count(*) from llm_models) as models`,
    );
    const [row] = await database.db.query(counts);
    expect(row).toEqual({ languages: row?.names, names: row?.languages, voices: 3, models: 1 });
    expect(row?.languages).toBeGreaterThan(50);
  });
});

describe('migrating', () => {
  it('is safe in three processes at once, and repeating it changes nothing', async () => {
    const fresh = await createEmptyDatabase();
    try {
      await Promise.all([migrate(fresh.url), migrate(fresh.url), migrate(fresh.url)]);
      await migrate(fresh.url);
      const applied = statement<{ name: string }>('', `select name from mikro_orm_migrations order by id`);
      const names = (await fresh.db.query(applied)).map((row) => row.name);
      expect(names).toHaveLength(new Set(names).size);
      expect(names[0]).toBe('01-tables');
    } finally {
      await fresh.drop();
    }
  });

  it('keeps the data of an installation that was made before the first release', async () => {
    const preview = await createEmptyDatabase();
    const { url, db } = preview;
    try {
      await migrate(url, silentLog, '02-lookup-seed');
      await db.query(statement('', `update languages set name = 'English, as before' where iso_2 = 'en'`));
      await db.query(statement('', `delete from mikro_orm_migrations`));
      await db.query(
        statement(
          '',
          `insert into mikro_orm_migrations (name, executed_at)
           values ('01-users', now()), ('24-call-day-counts', now())`,
        ),
      );
      await migrate(url);
      const applied = statement<{ name: string }>('', `select name from mikro_orm_migrations order by id`);
      expect(await db.query(applied)).toEqual(migrations.map(({ name }) => ({ name })));
      const english = statement<{ name: string }>('', `select name from languages where iso_2 = 'en'`);
      expect(await db.query(english)).toEqual([{ name: 'English, as before' }]);
    } finally {
      await preview.drop();
    }
  });
});

/** A database of the run's server with nothing in it. */
async function createEmptyDatabase() {
  const database = await createTestDatabase(inject('postgresUrl'));
  await database.db.query(statement('', 'drop schema public cascade'));
  await database.db.query(statement('', 'create schema public'));
  await database.db.query(statement('', 'drop schema graphile_worker cascade'));
  return database;
}
