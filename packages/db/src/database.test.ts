import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { silentLog } from '@parley/runtime';
import { isUniqueViolation, json, openDatabase, statement } from './index.ts';

const database = useTestDatabase();

const makeTable = statement(
  '',
  'create table if not exists counters (id bigint primary key, total_count bigint not null)',
);
const insert = statement<{ totalCount: number }>(
  'test_insert_counter',
  'insert into counters (id, total_count) values ($1, $2) returning total_count',
);
const select = statement<{ totalCount: number }>(
  'test_select_counter',
  'select total_count from counters where id = $1',
);
const increment = statement(
  'test_increment',
  'update counters set total_count = total_count + 1 where id = $1',
);

describe('a statement', () => {
  it('answers with camelCase names, numbers for bigint and numeric, Dates and Buffers', async () => {
    const kinds = statement<Record<string, unknown>>(
      'test_kinds',
      `select 9007199254740991::bigint as big_id, 0.25::numeric as unit_price, $1::jsonb as some_json,
         '2026-01-31 09:05:00+00'::timestamptz as created_at, '\\x00ff'::bytea as url_secret, null as nothing_at_all`,
    );
    const [row] = await database.db.query(kinds, [json({ a: [1] })]);
    expect(row).toEqual({
      bigId: 9007199254740991,
      unitPrice: 0.25,
      someJson: { a: [1] },
      createdAt: new Date('2026-01-31T09:05:00Z'),
      urlSecret: Buffer.from([0, 255]),
      nothingAtAll: null,
    });
  });

  it('binds text with quotes and line breaks as it is', async () => {
    const echo = statement<{ text: string }>('test_echo', 'select $1::text as text');
    const text = `'; drop table users; --\n"é😀"`;
    expect(await database.db.query(echo, [text])).toEqual([{ text }]);
  });
});

describe('a transaction', () => {
  it('leaves nothing behind when its work throws', async () => {
    await database.db.query(makeTable);
    const attempt = database.db.transaction(async (tx) => {
      await tx.query(insert, [1, 1]);
      throw new Error('stop');
    });
    await expect(attempt).rejects.toThrow('stop');
    expect(await database.db.query(select, [1])).toEqual([]);
  });

  it('is tried again when it was the victim of a deadlock', async () => {
    await database.db.query(makeTable);
    await database.db.query(insert, [10, 0]);
    await database.db.query(insert, [11, 0]);
    const bothHoldOne = meeting(2);
    const crossing = (first: number, second: number) => {
      let isFirstTry = true;
      return database.db.transaction(async (tx) => {
        await tx.query(increment, [first]);
        if (isFirstTry) await bothHoldOne();
        isFirstTry = false;
        await tx.query(increment, [second]);
      });
    };
    await Promise.all([crossing(10, 11), crossing(11, 10)]);
    expect(await database.db.query(select, [10])).toEqual([{ totalCount: 2 }]);
    expect(await database.db.query(select, [11])).toEqual([{ totalCount: 2 }]);
  });

  it('what travels together runs in its order, each statement seeing what the one before has done', async () => {
    const { db } = database;
    await db.query(makeTable);
    const counts = await db.transaction(async (tx) => {
      const [, , rows] = await Promise.all([
        tx.query(insert, [70, 0]),
        tx.query(increment, [70]),
        tx.query(select, [70]),
      ]);
      return rows;
    });
    expect(counts).toEqual([{ totalCount: 1 }]);
  });

  it('does what is to follow once it is committed, and nothing of it when it is not', async () => {
    const { db } = database;
    await db.query(makeTable);
    const seen: unknown[] = [];
    await db.transaction(async (tx) => {
      tx.afterCommit(async () => void seen.push(await db.query(select, [71])));
      await tx.query(insert, [71, 5]);
    });
    expect(seen).toEqual([[{ totalCount: 5 }]]);
    const failing = db.transaction(async (tx) => {
      tx.afterCommit(async () => void seen.push('never'));
      await tx.query(insert, [71, 6]);
    });
    await expect(failing).rejects.toThrow('counters_pkey');
    expect(seen).toHaveLength(1);
  });

  it('lets nothing of its work run after its end', async () => {
    const { db } = database;
    await db.query(makeTable);
    const late = Promise.withResolvers<unknown>();
    const failing = db.transaction(async (tx) => {
      const slow = async (): Promise<void> => {
        await expect(failing).rejects.toThrow('broken');
        late.resolve(await tx.query(insert, [72, 0]).catch((error: unknown) => error));
      };
      await Promise.all([slow(), Promise.reject(new Error('broken'))]);
    });
    await expect(failing).rejects.toThrow('broken');
    expect(String(await late.promise)).toContain('The transaction is over');
    expect(await db.query(select, [72])).toEqual([]);
  });

  it('tells which unique index was violated', async () => {
    await database.db.query(makeTable);
    await database.db.query(insert, [20, 0]);
    const error: unknown = await database.db.query(insert, [20, 0]).catch((fault: unknown) => fault);
    expect(isUniqueViolation(error, 'counters_pkey')).toBe(true);
    expect(isUniqueViolation(error, 'another_index')).toBe(false);
    expect(isUniqueViolation(new Error('no'))).toBe(false);
  });
});

/** Resolves for everybody once `size` have come. */
function meeting(size: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let present = 0;
  return () => {
    present += 1;
    if (present === size) resolve();
    return promise;
  };
}

describe('a connection', () => {
  const settings = statement<{ planCacheMode: string; jit: string; statementTimeout: string }>(
    'test_settings',
    `select current_setting('plan_cache_mode') as plan_cache_mode, current_setting('jit') as jit,
       current_setting('statement_timeout') as statement_timeout`,
  );

  it('plans once, compiles nothing and waits for nothing for ever', async () => {
    const db = openDatabase({ url: database.url, log: silentLog, poolSize: 1 });
    try {
      const expected = { planCacheMode: 'force_generic_plan', jit: 'off', statementTimeout: '30s' };
      expect(await db.query(settings)).toEqual([expected]);
    } finally {
      await db.close();
    }
  });
});
