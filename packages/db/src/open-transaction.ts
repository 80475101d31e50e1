/** One open transaction on one connection, for SQL statements and for the ORM's entity manager. */
import { FlushMode, type MikroORM, type SqlEntityManager } from '@mikro-orm/postgresql';
import type { PoolClient } from 'pg';
import type { Transaction } from './transaction.ts';
import { queriesOn } from './orm-connection.ts';
import { runStatement } from './statement.ts';

/** A transaction, with the means to end it. */
export interface OpenTransaction {
  tx: Transaction;
  /** The work to do after the commit. */
  afterwards: (() => Promise<void>)[];
  /** After a failure, concurrent statements of the transaction must not run on the connection when it is reused. */
  end(): void;
}

/**
 * SQL and the ORM see each other's changes: changes through `em` are written before the next statement of either kind.
 * `em` is created at its first use, so that a transaction with SQL only does not pay for it.
 */
export function openTransaction(client: PoolClient, orm: () => MikroORM): OpenTransaction {
  const afterwards: OpenTransaction['afterwards'] = [];
  let em: SqlEntityManager | undefined;
  let flushed = Promise.resolve();
  let isOver = false;

  function refuseWhenOver(): void {
    if (isOver) throw new Error('The transaction is over');
  }
  /** Each flush waits for the previous one, so that statements keep their order. */
  function flush(): Promise<void> {
    flushed = flushed.then(() => em?.flush());
    return flushed;
  }
  const tx: Transaction = {
    async query(sql, values = []) {
      refuseWhenOver();
      // Without an entity manager nothing is awaited here, so that statements can be sent together.
      if (em) await flush();
      return runStatement(client, sql, values);
    },
    get em() {
      return (em ??= entityManager(orm(), client, refuseWhenOver));
    },
    afterCommit: (work) => {
      afterwards.push(work);
    },
    async join(work) {
      const result = await work(tx);
      if (em) await flush();
      return result;
    },
  };
  return { tx, afterwards, end: () => (isOver = true) };
}

/** With this transaction context, the ORM begins and commits no transaction. */
function entityManager(orm: MikroORM, client: PoolClient, refuseWhenOver: () => void): SqlEntityManager {
  const em = orm.em.fork({ flushMode: FlushMode.ALWAYS });
  em.setTransactionContext(
    queriesOn(async (text) => {
      refuseWhenOver();
      return client.query(text);
    }),
  );
  return em;
}
