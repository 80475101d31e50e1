import { statement, type Tx } from '@parley/db';
import { Client } from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { giveBack, takeDatabase } from './reused-databases.ts';
import { createTestDatabase, databasesOf, useTestDatabase } from './test-database.ts';

const countUsers = statement<{ count: number }>('', 'select count(*) as count from users');
const countVoices = statement<{ count: number }>('', 'select count(*) as count from voices');
const removeVoices = statement('', 'delete from voices');
const addUser = statement<{ id: number }>(
  '',
  `insert into users (uuid, name, email, role, webhook_secret_sealed, created_at)
   values (gen_random_uuid(), 'Ada', 'ada@example.com', 'member', 'sealed', now()) returning id`,
);

const addUserAgain = statement('', addUser.text.replace('ada@', 'eva@'));

const pagesOfUsers = statement<{ bytes: number }>('', `select pg_relation_size('users')::int as bytes`);
const addManyUsers = statement(
  '',
  addUser.text
    .replace("'ada@example.com'", "n || '@example.com'")
    .replace('values (', 'select ')
    .replace(') returning id', ' from generate_series(1, 5000) n'),
);

const rowsOf = async (tx: Tx) => [...(await tx.query(countUsers)), ...(await tx.query(countVoices))];

describe('a test database', () => {
  const shared = useTestDatabase();

  test('is migrated and empty', async () => {
    expect(await shared.db.query(countUsers)).toEqual([{ count: 0 }]);
  });

  test('is separate from every other one', async () => {
    const other = await createTestDatabase();
    await other.db.query(addUser);
    expect(await other.db.query(countUsers)).toEqual([{ count: 1 }]);
    expect(await shared.db.query(countUsers)).toEqual([{ count: 0 }]);
    await other.drop();
  });

  test('can be dropped while connections are open', async () => {
    const other = await createTestDatabase();
    await other.drop();
    const again = await createTestDatabase();
    await again.drop();
    await expect(other.db.ping()).rejects.toThrow('pool');
  });
});

describe('a database that was used before', () => {
  const source = databasesOf(inject('postgresUrl'));
  const take = () => takeDatabase(source);

  test('has the rows of the migrations, no others, and its first ids again', async () => {
    const database = await take();
    const before = await rowsOf(database.db);
    const ids = await database.db.query(addUser);
    await database.db.query(removeVoices);
    await giveBack(database, source);
    const again = await take();
    onTestFinished(() => giveBack(again, source));
    expect(again.url).toBe(database.url);
    expect(await rowsOf(again.db)).toEqual(before);
    expect(await again.db.query(addUser)).toEqual(ids);
  });

  test('has no trace of many rows', async () => {
    const database = await take();
    const [before] = await database.db.query(pagesOfUsers);
    await database.db.query(addManyUsers);
    await giveBack(database, source);
    const again = await take();
    onTestFinished(() => giveBack(again, source));
    expect(again.url).toBe(database.url);
    expect((await again.db.query(pagesOfUsers))[0]?.bytes).toBeLessThanOrEqual((before?.bytes ?? 0) + 16_384);
  });

  test('has no connection that another test has opened', async () => {
    const database = await take();
    const client = new Client({ connectionString: database.url });
    const lost = new Promise((resolve) => client.on('error', resolve));
    await client.connect();
    await giveBack(database, source);
    await lost;
  });

  test('is not reached by what another test has left running', async () => {
    const database = await take();
    const lateAdd = async () => {
      await giveBack(database, source);
      return database.db.query(addUser);
    };
    await expect(lateAdd()).rejects.toThrow('another test file');
    expect(() => database.db.em).toThrow('another test file');
  });

  test('is emptied after a transaction that still runs', async () => {
    const database = await take();
    const [before] = await database.db.query(countUsers);
    const { promise: pause, resolve: goOn } = Promise.withResolvers<void>();
    const adding = database.db.transaction(async (tx) => {
      await tx.query(addUser);
      await pause;
      await tx.query(addUserAgain);
    });
    const returned = giveBack(database, source);
    goOn();
    await Promise.all([adding, returned]);
    const again = await take();
    onTestFinished(() => giveBack(again, source));
    expect(await again.db.query(countUsers)).toEqual([before]);
  });

  test('is another one where a test has changed the schema', async () => {
    const database = await take();
    await database.db.query(statement('', 'create table leftover ()'));
    await giveBack(database, source);
    const next = await take();
    onTestFinished(() => giveBack(next, source));
    expect(next.url).not.toBe(database.url);
  });
});
