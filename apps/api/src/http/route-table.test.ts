import { expect, test } from 'vitest';
import { createRouteTable } from './route-table.ts';

const table = createRouteTable(
  new Map([
    ['/api/calls', 'list'],
    ['/api/calls/:id', 'one'],
    ['/api/calls/outbound', 'outbound'],
    ['/api/calls/:id/hang-up', 'hang up'],
    ['/api/:group/:id/words', 'words'],
  ]),
);

test.each<[string, string | null, Record<string, string>]>([
  ['/api/calls', 'list', {}],
  ['/api/calls/', 'list', {}],
  ['/API/Calls', 'list', {}],
  ['/api/calls//', null, {}],
  ['//api/calls', null, {}],
  ['/api/call', null, {}],
  ['/api/calls/7', 'one', { id: '7' }],
  ['/api/calls/7/', 'one', { id: '7' }],
  ['/api/CALLS/Seven', 'one', { id: 'Seven' }],
  ['/api/calls/a%2Fb%20c', 'one', { id: 'a/b c' }],
  ['/api/calls/outbound', 'outbound', {}],
  ['/api/calls/7/hang-up', 'hang up', { id: '7' }],
  ['/api/calls/7/hang', null, {}],
  ['/api/x/y/words', 'words', { group: 'x', id: 'y' }],
  ['/api/calls/__proto__', 'one', { id: '__proto__' }],
  ['', null, {}],
  ['/', null, {}],
])('%s', (path, value, params) => {
  const found = table.find(path);
  expect(found?.value ?? null).toBe(value);
  expect(found?.params ?? {}).toEqual(params);
});

test('what cannot be decoded is the fault of the address', () => {
  expect(() => table.find('/api/calls/%E0%A4%A')).toThrow(URIError);
});
