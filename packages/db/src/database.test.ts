import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { silentLog } from '@parley/runtime';
import { isUniqueViolation, json, openDatabase, statement, type Db, type Tx } from './index.ts';

const database = useTestDatabase();

const makeTable = statement(
  '',
  'create table if not exists counters (id bigint primary key, total_count bigint not null)',
);
const insert = statement<{ totalCount: number }>(
  '',
  'insert into counters (id, total_count) values ($1, $2) returning total_count',
);
const select = statement<{ totalCount: number }>('', 'select total_count from counters where id = $1');
const increment = statement('', 'update counters set total_count = total_count + 1 where id = $1');

describe('a statement', () => {
  it('answers with camelCase names, numbers for bigint and numeric, Dates and Buffers', async () => {
    const kinds = statement<Record<string, unknown>>(
      '',
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

  it('binds text with quotes and line breaks unchanged', async () => {
    const echo = statement<{ text: string }>('', 'select $1::text as text');
    const text = `'; drop table users; --\n"é😀"`;
    expect(await database.db.query(echo, [text])).toEqual([{ text }]);
  });
});

describe('a transaction', () => {
  it('rolls back when its work throws', async () => {
    await database.db.query(makeTable);
    const attempt = database.db.transaction(async (tx) => {
      await tx.query(insert, [1, 1]);
      throw new Error('stop');
    });
    await expect(attempt).rejects.toThrow('stop');
    expect(await database.db.query(select, [1])).toEqual([]);
  });

  it('is retried after a deadlock', async () => {
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

  it('statements sent together run in their order, and each sees the changes of the previous ones', async () => {
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

  it('runs follow-up work after the commit and never after a rollback', async () => {
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

  it('refuses statements after its end', async () => {
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

  it('identifies the violated unique index', async () => {
    await database.db.query(makeTable);
    await database.db.query(insert, [20, 0]);
    const error: unknown = await database.db.query(insert, [20, 0]).catch((fault: unknown) => fault);
    expect(isUniqueViolation(error, 'counters_pkey')).toBe(true);
    expect(isUniqueViolation(error, 'another_index')).toBe(false);
    expect(isUniqueViolation(new Error('no'))).toBe(false);
  });
});

describe('concurrent statements', () => {
  const echo = statement<{ number: number }>('', 'select $1::bigint as number');
  const divide = statement<{ result: number }>('', 'select 10 / $1::int as result');

  it('each return their own rows, in a transaction and outside of one', async () => {
    const numbers = Array.from({ length: 30 }, (_, number) => number);
    const askAll = (tx: Tx) => Promise.all(numbers.map((number) => tx.query(echo, [number])));
    const expected = numbers.map((number) => [{ number }]);
    expect(await askAll(database.db)).toEqual(expected);
    expect(await database.db.transaction(askAll)).toEqual(expected);
  });

  it('fail together and can be repeated', async () => {
    await database.db.query(makeTable);
    await onOneConnection(async (db) => {
      const attempt = db.transaction((tx) =>
        Promise.all([tx.query(insert, [41, 1]), tx.query(divide, [0]), tx.query(echo, [1])]),
      );
      await expect(attempt).rejects.toThrow('division by zero');
      expect(await db.query(select, [41])).toEqual([]);
      const again = await db.transaction((tx) => Promise.all([tx.query(divide, [5]), tx.query(echo, [1])]));
      expect(again).toEqual([[{ result: 2 }], [{ number: 1 }]]);
    });
  });

  it('can be repeated with values if the first execution bound none', async () => {
    await onOneConnection(async (db) => {
      const attempt = db.transaction((tx) => tx.query(echo, ['no number']));
      await expect(attempt).rejects.toThrow('invalid input syntax');
      expect(await db.transaction((tx) => tx.query(echo, [1]))).toEqual([{ number: 1 }]);
    });
  });
});

async function onOneConnection(work: (db: Db) => Promise<void>): Promise<void> {
  const db = openDatabase({ url: database.url, log: silentLog, poolSize: 1 });
  try {
    await work(db);
  } finally {
    await db.close();
  }
}

/** A barrier: resolves once `size` callers wait. */
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
    '',
    `select current_setting('plan_cache_mode') as plan_cache_mode, current_setting('jit') as jit,
       current_setting('statement_timeout') as statement_timeout`,
  );

  const myProcess = statement<{ pid: number }>('', 'select pg_backend_pid() as pid');
  const end = statement('', 'select pg_terminate_backend($1)');

  it('that is lost between two statements fails its transaction only', async () => {
    const { promise: wasLost, resolve: lose } = Promise.withResolvers<void>();
    const attempt = database.db.transaction(async (tx) => {
      const [mine] = await tx.query(myProcess);
      await database.db.query(end, [mine?.pid ?? 0]);
      // Postgres has confirmed the termination and may not have completed it yet.
      while (await isThere(mine?.pid ?? 0)) continue;
      lose();
      await tx.query(myProcess);
    });
    await expect(attempt).rejects.toThrow();
    await wasLost;
    expect(await database.db.query(myProcess)).toHaveLength(1);
  });

  it('uses generic plans, no JIT compilation, and time limits', async () => {
    const expected = { planCacheMode: 'force_generic_plan', jit: 'off', statementTimeout: '30s' };
    await onOneConnection(async (db) => expect(await db.query(settings)).toEqual([expected]));
  });
});

async function isThere(pid: number): Promise<boolean> {
  const find = statement('', 'select 1 from pg_stat_activity where pid = $1');
  return (await database.db.query(find, [pid])).length > 0;
}
