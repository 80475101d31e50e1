import { expect, test } from 'vitest';
import { findUnstorable, toBoolean, toInteger, toNumber, toObject } from './coercion.ts';

test.each([
  ['5', 5],
  ['-5', -5],
  [' 12 ', 12],
  ['5.0', '5.0'],
  ['', ''],
  ['0x10', '0x10'],
  ['1e3', '1e3'],
  [true, true],
  [null, null],
])('toInteger(%j) is %j', (given, expected) => {
  expect(toInteger(given)).toBe(expected);
});

test.each([
  ['0.5', 0.5],
  ['.5', 0.5],
  ['1e-1', 0.1],
  ['Infinity', 'Infinity'],
  ['0x1', '0x1'],
  ['', ''],
  ['1,5', '1,5'],
])('toNumber(%j) is %j', (given, expected) => {
  expect(toNumber(given)).toBe(expected);
});

test.each([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
  [1, true],
  [0, false],
  [false, false],
  ['yes', 'yes'],
  [2, 2],
])('toBoolean(%j) is %j', (given, expected) => {
  expect(toBoolean(given)).toBe(expected);
});

test('an empty list is an empty object, and a list of objects is merged from left to right', () => {
  expect(toObject([])).toEqual({});
  expect(toObject([{ a: 1, b: 1 }, { b: 2 }])).toEqual({ a: 1, b: 2 });
  expect(toObject([1])).toEqual([1]);
  expect(toObject('text')).toBe('text');
});

test('keys such as __proto__ are plain data', () => {
  const merged = toObject([JSON.parse('{"__proto__":{"polluted":true}}')]);
  expect(JSON.stringify(merged)).toBe('{"__proto__":{"polluted":true}}');
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
});

test.each([
  ['a NUL byte in a value', { a: { b: 'x\0' } }, ['a', 'b']],
  ['half a surrogate pair in a list', { a: ['ok', '\ud800'] }, ['a', '1']],
  ['a NUL byte in a key', { variables: { 'x\0': 1 } }, ['variables']],
  ['nothing wrong', { a: ['ok', { b: '😀' }], c: null }, null],
])('findUnstorable finds %s', (_name, body, path) => {
  expect(findUnstorable(body)).toEqual(path);
});

test('a value nested a hundred thousand deep is refused without overflowing the stack', () => {
  const body: unknown = JSON.parse(`{"variables":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
  expect(findUnstorable(body)).toEqual(['variables']);
});
