/** Records which statements a use case sends, in the order in which Postgres receives them. */
import type { Statement, Transaction, Tx } from '@parley/db';
import type { CoreContext } from '../src/index.ts';

/** A context whose statements are recorded by name; each transaction begins with `begin`. */
export function recordStatements(ctx: CoreContext): { ctx: CoreContext; names: string[] } {
  const names: string[] = [];
  const db = Object.create(ctx.db) as CoreContext['db'];
  db.query = recordedQuery(ctx.db, names);
  db.transaction = (work) =>
    ctx.db.transaction((tx) => {
      names.push('begin');
      const recorded = Object.create(tx) as Transaction;
      recorded.query = recordedQuery(tx, names);
      return work(recorded);
    });
  return { ctx: { ...ctx, db }, names };
}

function recordedQuery(tx: Tx, names: string[]): Tx['query'] {
  return async <Row>(sql: Statement<Row>, values?: Parameters<Tx['query']>[1]): Promise<Row[]> => {
    names.push(sql.name);
    return tx.query(sql, values);
  };
}
