import { expect, expectTypeOf, test } from 'vitest';
import type { Tx } from './transaction.ts';
import { sendTogether } from './send-together.ts';
import { statement, type Statement } from './statement.ts';

const first = statement<{ n: number }>('test_first_step', 'select 1 as n');
const second = statement<{ n: number }>('test_second', 'select 2 as n');
const third = statement<{ n: number }>('test_third', 'select 3 as n');

/** Records the order in which statements are sent; every answer takes a turn of the event loop. */
function setup() {
  const sent: string[] = [];
  const tx: Pick<Tx, 'query'> = {
    async query<Row>({ name }: Statement<Row>): Promise<Row[]> {
      sent.push(name);
      await Promise.resolve();
      return [{ from: name }] as Row[];
    },
  };
  return { tx: tx as Tx, sent };
}

test('steps send their first statements in the written order, before any is answered', async () => {
  const { tx, sent } = setup();
  const twice = async (tx: Tx) => {
    await tx.query(first);
    return tx.query(third);
  };
  const results = await sendTogether(tx, [twice, (tx) => tx.query(second)]);
  expect(sent).toEqual(['test_first_step', 'test_second', 'test_third']);
  expect(results).toEqual([[{ from: 'test_third' }], [{ from: 'test_second' }]]);
});

test('a step that awaits something before its first statement is refused', async () => {
  const { tx, sent } = setup();
  const late = async (tx: Tx) => {
    await Promise.resolve();
    return tx.query(first);
  };
  await expect(sendTogether(tx, [late, (tx) => tx.query(second)])).rejects.toThrow(
    'Statement test_first_step was sent out of order',
  );
  expect(sent).toEqual(['test_second']);
});

test('the last step may await something first, because no order depends on it', async () => {
  const { tx, sent } = setup();
  await sendTogether(tx, [
    (tx) => tx.query(first),
    async (tx) => {
      await Promise.resolve();
      return tx.query(second);
    },
  ]);
  expect(sent).toEqual(['test_first_step', 'test_second']);
});

test('the order is checked across steps that are nested', async () => {
  const { tx } = setup();
  const late = async (tx: Tx) => {
    await Promise.resolve();
    return sendTogether(tx, [(tx) => tx.query(first)]);
  };
  await expect(sendTogether(tx, [late, (tx) => tx.query(second)])).rejects.toThrow('test_first_step');
});

test('a step that is left out resolves to undefined', async () => {
  const { tx, sent } = setup();
  const isWanted = sent.length > 0;
  const [skipped, rows] = await sendTogether(tx, [
    isWanted && ((tx: Tx) => tx.query(first)),
    (tx) => tx.query(second),
  ]);
  expectTypeOf(skipped).toEqualTypeOf<{ n: number }[] | undefined>();
  expectTypeOf(rows).toEqualTypeOf<{ n: number }[]>();
  expect(skipped).toBeUndefined();
  expect(sent).toEqual(['test_second']);
});

test('a failure is reported once every step has ended', async () => {
  const { tx, sent } = setup();
  const failing = async (tx: Tx) => {
    await tx.query(first);
    throw new Error('refused');
  };
  const slow = async (tx: Tx) => {
    await tx.query(second);
    await Promise.resolve();
    await Promise.resolve();
    return tx.query(third);
  };
  await expect(sendTogether(tx, [failing, slow])).rejects.toThrow('refused');
  expect(sent).toContain('test_third');
});
