import { expect, test } from 'vitest';
import { findLayerFaults } from './layer-faults.ts';

const layers = { 'packages/shop': [['orders'], ['stock', 'prices'], ['money.ts']] };

function judge(imports: readonly [string, string][]): string[] {
  const edges = imports.map(([from, to]) => ({
    from: `packages/shop/src/${from}`,
    to: `packages/shop/src/${to}`,
    line: 1,
  }));
  const sources = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  return findLayerFaults(sources, edges, layers);
}

test('imports within a folder, within a layer and downward are allowed', () => {
  const faults = judge([
    ['orders/place.ts', 'orders/order.ts'],
    ['orders/place.ts', 'stock/take.ts'],
    ['stock/take.ts', 'prices/price.ts'],
    ['prices/price.ts', 'money.ts'],
  ]);
  expect(faults).toEqual([]);
});

test('an import of a higher layer is a fault', () => {
  expect(judge([['stock/take.ts', 'orders/order.ts']])).toEqual([
    'Upward import: packages/shop/src/stock/take.ts:1 imports packages/shop/src/orders/order.ts',
  ]);
});

test('a test may import from any layer', () => {
  expect(judge([['stock/take.test.ts', 'orders/order.ts']])).toEqual([]);
});

test('a folder that the table does not name is a fault', () => {
  expect(judge([['returns/refund.ts', 'money.ts']])).toEqual([
    'Folder without a layer: packages/shop/src/returns (packages/shop/src/returns/refund.ts)',
  ]);
});

test('a cycle of files of any length is a fault', () => {
  const faults = judge([
    ['orders/a.ts', 'orders/b.ts'],
    ['orders/b.ts', 'orders/c.ts'],
    ['orders/c.ts', 'orders/a.ts'],
  ]);
  expect(faults).toEqual([
    'Import cycle: packages/shop/src/orders/a.ts, packages/shop/src/orders/b.ts, packages/shop/src/orders/c.ts',
  ]);
});

test('two folders of one layer may not import each other', () => {
  const faults = judge([
    ['stock/a.ts', 'prices/a.ts'],
    ['prices/b.ts', 'stock/b.ts'],
  ]);
  expect(faults).toEqual(['Cycle of folders: packages/shop/src/prices, packages/shop/src/stock']);
});
