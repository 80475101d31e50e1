/**
 * Statements that are sent together: the steps of one transaction that do not depend on each other's answers share a
 * round trip. The order of the steps is the order in which Postgres runs their first statements, and so the order in which
 * row locks are taken. docs/decisions/statements-together.md
 */
import type { Tx } from './transaction.ts';

/** A part of a transaction. It sends its first statement before it awaits anything. */
type Step<T extends Tx> = (tx: T) => Promise<unknown>;

/** A step that is left out resolves to `undefined`. */
type Skipped = false | null | undefined;

type Results<Steps extends readonly unknown[]> = {
  -readonly [Index in keyof Steps]: Steps[Index] extends infer Each
    ? Each extends (...input: never[]) => Promise<infer Result>
      ? Result
      : undefined
    : never;
};

/**
 * Runs steps in one round trip where possible, in the order given.
 *
 * @returns the results, in the order of the steps, once every step has ended
 * @throws Error when a step sends its first statement after a later step has sent one: it awaited something first, so the
 *   order of the statements, and of the locks that they take, is not the written one
 * @throws the first rejection of a step, once every step has ended
 */
export async function sendTogether<T extends Tx, const Steps extends readonly (Step<T> | Skipped)[]>(
  tx: T,
  steps: Steps,
): Promise<Results<Steps>> {
  const order = { furthest: -1 };
  const running = steps.map(async (step, index) => (step ? step(orderedTx(tx, index, order)) : undefined));
  try {
    return (await Promise.all(running)) as Results<Steps>;
  } catch (error) {
    // No step may still be sending statements while the caller rolls back.
    await Promise.allSettled(running);
    throw error;
  }
}

/** @param order - `furthest` is the last step that has sent a statement so far */
function orderedTx<T extends Tx>(tx: T, index: number, order: { furthest: number }): T {
  let hasSent = false;
  const ordered = Object.create(tx) as T;
  ordered.query = async (sql, values) => {
    if (!hasSent && order.furthest > index)
      throw new Error(
        `Statement ${sql.name} was sent out of order: its step must send it before it awaits anything`,
      );
    hasSent = true;
    order.furthest = Math.max(order.furthest, index);
    return tx.query(sql, values);
  };
  return ordered;
}
