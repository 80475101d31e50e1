/** The database interface of use cases: statements and entities, alone or within one transaction. */
import type { EntityReader, EntityWriter } from './entity-manager.ts';
import type { SqlValue } from './sql-values.ts';
import type { Statement } from './statement.ts';

/** Runs statements in one transaction, or each in its own. Statements without an await between them are sent together, in their order. */
export interface Tx {
  /** Runs SQL. Inside a transaction it first writes the changes of `em`. */
  query<Row>(sql: Statement<Row>, values?: readonly SqlValue[]): Promise<Row[]>;
  /**
   * The entity manager of the ORM. Inside a transaction it has one identity map. Outside, every access creates a new one,
   * which can only read.
   */
  readonly em: EntityReader;
}

/** One open transaction. */
export interface Transaction extends Tx {
  /**
   * Changes are written before the next query of either kind and before the commit. `nativeUpdate`, `nativeDelete` and
   * `upsert` are sent at once, and write no other changes.
   */
  readonly em: EntityWriter;
  /**
   * Runs `work` after the commit, and never after a rollback. `transaction` resolves after it. It must not reject.
   */
  afterCommit(work: () => Promise<void>): void;
  /** Runs `work` as a part of this transaction. Its changes through `em` are written when it resolves. */
  join<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
}
