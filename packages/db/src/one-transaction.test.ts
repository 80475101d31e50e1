import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { DoNotCall, isUniqueViolation, statement, type Transaction, User } from './index.ts';

const database = useTestDatabase();

const insertNumber = statement(
  '',
  `insert into do_not_call (user_id, phone_number, reason, created_at) values ($1, $2, 'sql', now())`,
);
const countNumbers = statement<{ numbers: number }>(
  '',
  'select count(*) as numbers from do_not_call where user_id = $1',
);
const addJob = statement(
  '',
  `select graphile_worker.add_job('one_transaction', json_build_object('userId', $1::bigint)) is not null as is_added`,
);
const countJobs = statement<{ jobs: number }>(
  '',
  `select count(*) as jobs from graphile_worker._private_jobs where (payload ->> 'userId')::bigint = $1`,
);
const xid = statement<{ xid: string }>('', 'select pg_current_xact_id()::text as xid');
const rowVersion = statement<{ xmin: string }>(
  '',
  'select xmin::text from do_not_call where user_id = $1 and phone_number = $2',
);

const FIRST = '+12025550101';
const SECOND = '+12025550102';

let users = 0;

async function makeUser(): Promise<number> {
  users += 1;
  const user = await database.db.transaction(async ({ em }) =>
    em.create(User, {
      uuid: `00000000-0000-4000-8000-${String(users).padStart(12, '0')}`,
      name: 'Ada',
      email: `user-${users}@example.org`,
      role: 'member',
      passwordHash: null,
      defaultCountry: null,
      webhookSecretSealed: 'sealed',
      lastSignInAt: null,
      webhookSecretOldSealed: null,
      webhookSecretOldUntil: null,
      createdAt: new Date('2026-01-31T09:05:00.123Z'),
    }),
  );
  return user.id;
}

function addNumber({ em }: Pick<Transaction, 'em'>, userId: number, phoneNumber = FIRST, reason = 'orm') {
  return em.create(DoNotCall, { userId, phoneNumber, reason, createdAt: new Date() });
}

/** An ORM write, an SQL write and a job. */
async function writeAll(tx: Transaction, userId: number): Promise<void> {
  addNumber(tx, userId);
  await tx.query(insertNumber, [userId, SECOND]);
  await tx.query(addJob, [userId]);
}

async function countAll(userId: number): Promise<{ numbers?: number; jobs?: number }> {
  const [numbers] = await database.db.query(countNumbers, [userId]);
  const [jobs] = await database.db.query(countJobs, [userId]);
  return { ...numbers, ...jobs };
}

describe('a transaction of the ORM, of SQL and of jobs', () => {
  it('commits all of them', async () => {
    const userId = await makeUser();
    await database.db.transaction((tx) => writeAll(tx, userId));
    expect(await countAll(userId)).toEqual({ numbers: 2, jobs: 1 });
  });

  it('rolls all of them back when it fails half-way', async () => {
    const userId = await makeUser();
    const attempt = database.db.transaction(async (tx) => {
      await writeAll(tx, userId);
      throw new Error('stop');
    });
    await expect(attempt).rejects.toThrow('stop');
    expect(await countAll(userId)).toEqual({ numbers: 0, jobs: 0 });
  });

  it('rolls all of them back when the ORM fails at the commit', async () => {
    const userId = await makeUser();
    const attempt = database.db.transaction(async (tx) => {
      await writeAll(tx, userId);
      addNumber(tx, userId, SECOND);
    });
    const error: unknown = await attempt.catch((fault: unknown) => fault);
    expect(isUniqueViolation(error, 'do_not_call_pkey')).toBe(true);
    expect(await countAll(userId)).toEqual({ numbers: 0, jobs: 0 });
  });

  it('is one transaction of Postgres, without savepoints', async () => {
    const userId = await makeUser();
    const { id, version } = await database.db.transaction(async (tx) => {
      const [before] = await tx.query(xid);
      addNumber(tx, userId);
      const [written] = await tx.query(rowVersion, [userId, FIRST]);
      return { id: before?.xid, version: written?.xmin };
    });
    // A row that is written after a savepoint has the id of a subtransaction.
    expect(version).toBe(id);
  });

  it('releases its connection after either end', async () => {
    const userId = await makeUser();
    for (let round = 0; round < 12; round++) {
      const attempt = database.db.transaction(async (tx) => {
        addNumber(tx, userId);
        await tx.query(countNumbers, [userId]);
        throw new Error('stop');
      });
      await expect(attempt).rejects.toThrow('stop');
    }
    expect(await database.db.query(countNumbers, [userId])).toEqual([{ numbers: 0 }]);
  });
});

describe('statements and the entity manager of one transaction', () => {
  it('see the writes of each other, in the order of the code', async () => {
    const userId = await makeUser();
    await database.db.transaction(async (tx) => {
      const number = addNumber(tx, userId);
      expect(await tx.query(countNumbers, [userId])).toEqual([{ numbers: 1 }]);
      await tx.query(insertNumber, [userId, SECOND]);
      expect(await tx.em.count(DoNotCall, { userId })).toBe(2);
      number.reason = 'changed';
      expect(await tx.em.count(DoNotCall, { userId, reason: 'changed' })).toBe(1);
      tx.em.remove(number);
      expect(await tx.query(countNumbers, [userId])).toEqual([{ numbers: 1 }]);
    });
  });

  it('keep the order of statements that are sent together', async () => {
    const userId = await makeUser();
    const counts = await database.db.transaction(async (tx) => {
      addNumber(tx, userId);
      const [, counted] = await Promise.all([
        tx.query(insertNumber, [userId, SECOND]),
        tx.query(countNumbers, [userId]),
      ]);
      return counted;
    });
    expect(counts).toEqual([{ numbers: 2 }]);
  });

  it('share no identity map with another transaction or with reads outside', async () => {
    const userId = await makeUser();
    const key = { userId, phoneNumber: FIRST };
    await database.db.transaction(async (tx) => void addNumber(tx, userId));
    await database.db.transaction(async (one) => {
      const mine = await one.em.findOneOrFail(DoNotCall, key);
      mine.reason = 'mine';
      await one.em.flush();
      await database.db.transaction(async (other) => {
        const theirs = await other.em.findOneOrFail(DoNotCall, key);
        expect(theirs).not.toBe(mine);
        expect(theirs.reason).toBe('orm');
      });
      const outside = await database.db.em.findOneOrFail(DoNotCall, key);
      expect(outside.reason).toBe('orm');
    });
    expect((await database.db.em.findOneOrFail(DoNotCall, key)).reason).toBe('mine');
  });

  it('throw after the end', async () => {
    const em = await database.db.transaction(async (tx) => tx.em);
    await expect(em.count(User)).rejects.toThrow('The transaction is over');
  });

  it('are written at the end of a joined part, so that the part can handle its errors', async () => {
    const userId = await makeUser();
    await database.db.transaction(async (tx) => void addNumber(tx, userId, SECOND));
    const error: unknown = await database.db
      .transaction(async (tx) => {
        const joined = await tx.join(async (part) => addNumber(part, userId, FIRST));
        expect(await tx.em.count(DoNotCall, { phoneNumber: joined.phoneNumber, userId })).toBe(1);
        await tx.join(async (part) => addNumber(part, userId, SECOND));
        expect.unreachable();
      })
      .catch((fault: unknown) => fault);
    expect(isUniqueViolation(error)).toBe(true);
  });

  it('start with no changes when a deadlock makes the transaction run again', async () => {
    const userId = await makeUser();
    let tries = 0;
    await database.db.transaction(async (tx) => {
      tries += 1;
      addNumber(tx, userId);
      if (tries === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    });
    expect(await database.db.query(countNumbers, [userId])).toEqual([{ numbers: 1 }]);
  });
});

describe('values of an entity', () => {
  it('are those that an SQL statement reads and writes', async () => {
    const userId = await makeUser();
    const sql = statement<Record<string, unknown>>('', 'select * from users where id = $1');
    const [row] = await database.db.query(sql, [userId]);
    const user = await database.db.em.findOneOrFail(User, userId);
    expect({ ...user }).toEqual(row);
    expect(user.createdAt).toEqual(new Date('2026-01-31T09:05:00.123Z'));
  });

  it('change nothing when they are only read', async () => {
    const userId = await makeUser();
    const version = statement<{ xmin: string }>('', 'select xmin::text from users where id = $1');
    const before = await database.db.query(version, [userId]);
    await database.db.transaction(async ({ em }) => void (await em.find(User, {})));
    expect(await database.db.query(version, [userId])).toEqual(before);
  });

  it('may hold quotes, backslashes, placeholders and line breaks', async () => {
    const userId = await makeUser();
    const reason = `'; drop table users; --\n"é😀" \\' ? ?? $1 :name`;
    await database.db.transaction(async (tx) => void addNumber(tx, userId, FIRST, reason));
    const key = { userId, phoneNumber: FIRST };
    expect((await database.db.em.findOneOrFail(DoNotCall, { ...key, reason })).reason).toBe(reason);
  });
});

describe('a text with NUL, which Postgres cannot store', () => {
  const nameOf = async (userId: number) => (await database.db.em.findOneOrFail(User, { id: userId })).name;

  it('is stored by the ORM with U+FFFD in its place, new or changed, and is searched for in the same way', async () => {
    const userId = await makeUser();
    await database.db.transaction(async ({ em }) => {
      (await em.findOneOrFail(User, { id: userId })).name = "Ada\0 O'Hara";
    });
    expect(await nameOf(userId)).toBe("Ada\u{FFFD} O'Hara");
    await database.db.transaction(async ({ em }) => {
      em.create(DoNotCall, { userId, phoneNumber: FIRST, reason: 'a\0b', createdAt: new Date() });
    });
    expect(await database.db.em.findOneOrFail(DoNotCall, { userId, reason: 'a\0b' })).toMatchObject({
      reason: 'a\u{FFFD}b',
    });
  });
});
