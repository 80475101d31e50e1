import { systemClock } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { statement } from '../statement.ts';

const database = useTestDatabase();

const ensure = statement<{ made: number }>('', 'select parley_ensure_call_partitions($1) as made');
const insertCall = statement(
  '',
  `insert into calls (id, created_at, user_id, assistant_id, assistant_name, type, status, assistant_phone_number,
     client_phone_number, configuration, changed_at, updated_at)
   values ($1, $2, 1, 1, 'A', 'web', 'initiated', '', '', '{}', now(), now())`,
);
const partitionOf = statement<{ partition: string }>(
  '',
  'select tableoid::regclass::text as partition from calls where id = $1',
);

it('the next months have partitions, and a repetition creates none', async () => {
  expect(await database.db.query(ensure, [3])).toEqual([{ made: 0 }]);
});

it('rows in the default partition move when the partition of their month is created', async () => {
  const inSixMonths = new Date(systemClock.now());
  inSixMonths.setUTCMonth(inSixMonths.getUTCMonth() + 6, 15);
  await database.db.query(insertCall, [1, inSixMonths]);
  expect(await database.db.query(partitionOf, [1])).toEqual([{ partition: 'calls_default' }]);

  const [result] = await database.db.query(ensure, [6]);

  expect(result?.made).toBe(6);
  const month = inSixMonths.toISOString().slice(0, 7).replace('-', 'm');
  expect(await database.db.query(partitionOf, [1])).toEqual([{ partition: `calls_y${month}` }]);
});
