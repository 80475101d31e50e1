import { statement } from '@parley/db';
import { describe, expect, test } from 'vitest';
import { createTestDatabase, useTestDatabase } from './test-database.ts';

const countUsers = statement<{ count: number }>('test-count-users', 'select count(*) as count from users');
const addUser = statement(
  'test-add-user',
  `insert into users (uuid, name, email, role, webhook_secret_sealed, created_at)
   values (gen_random_uuid(), 'Ada', 'ada@example.com', 'member', 'sealed', now())`,
);

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
