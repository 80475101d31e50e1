import { expect, test } from 'vitest';
import { findSlowness } from './slow-expressions.ts';

const slow: readonly [string, RegExp, string][] = [
  ['nested quantifiers', /^(a+)+$/, 'exponential backtracking'],
  ['two adjacent quantifiers for the same characters', /^\s*\n\s*x$/, 'polynomial backtracking'],
  ['a quantifier at the start of a search', /\s+$/, 'polynomial backtracking'],
  ['lines that a multiline search can start on', /^\s*Signal\s*=/m, 'polynomial backtracking'],
  ['a start that can repeat before the end is missing', /sips?:([^@;>]*)@/, 'quadratic search'],
];

test.each(slow)('%s: %s is slow', (_name, { source, flags }, reason) => {
  expect(findSlowness(source, flags)).toContain(reason);
});

const fast: readonly [string, RegExp][] = [
  ['an anchored class', /^[a-z]+$/],
  ['a quantifier that can start only once in a run', /(?<!\/)\/+$/],
  ['a bounded part', /sips?:([^@;>]{0,64})@/],
  ['characters beyond the basic plane', /^\p{Emoji_Presentation}+x/u],
];

test.each(fast)('%s: %s is not', (_name, { source, flags }) => {
  expect(findSlowness(source, flags)).toBeNull();
});
