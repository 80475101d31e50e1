/** What use cases see of the database: statements and entities, alone or within one transaction. */
import type { EntityReader, EntityWriter } from './entity-manager.ts';
import type { SqlValue } from './sql-values.ts';
import type { Statement } from './statement.ts';

/** Where statements run: one transaction, or each by itself. Those that are asked for together, without waiting in between, travel together, in that order. */
export interface Tx {
  /** The SQL way. Inside a transaction it first writes what was changed through `em`. */
  query<Row>(sql: Statement<Row>, values?: readonly SqlValue[]): Promise<Row[]>;
  /**
   * The ORM's way. Inside a transaction it is one manager with one identity map. Outside, every access makes a new one,
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
   * Runs `work` after the commit, and never after a rollback. `transaction` resolves when it is done. It must not reject.
   */
  afterCommit(work: () => Promise<void>): void;
  /** Runs `work` as a part of this transaction. What it changes through `em` is written when it resolves. */
  join<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
}
