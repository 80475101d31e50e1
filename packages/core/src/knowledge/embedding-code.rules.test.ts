import { expect, test } from 'vitest';
import { bytesOf, CODE_BITS, codeOf, similarity } from './embedding-code.rules.ts';
import { fuseRanks } from './fuse-ranks.rules.ts';

/** A vector whose numbers look random and are the same in every run. */
function vectorOf(seed: number, length = 768): Float32Array {
  let state = seed;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 22_695_477) + 1) >>> 0;
    return state / 2 ** 31 - 1;
  });
}
const mix = (one: Float32Array, other: Float32Array, share: number): Float32Array =>
  one.map((value, place) => value * (1 - share) + (other[place] ?? 0) * share);
const differing = (one: string, other: string): number =>
  Array.from({ length: one.length }, (_, place) => place).filter((place) => one[place] !== other[place])
    .length;

test.each([64, 768, 1536])('the bits that differ estimate the angle (%i numbers)', (length) => {
  const one = vectorOf(1, length);
  for (const share of [0.1, 0.3, 0.5, 1]) {
    const other = mix(one, vectorOf(2, length), share);
    const angle = Math.acos(similarity(one, bytesOf(other)));
    const estimate = (differing(codeOf(one), codeOf(other)) / CODE_BITS) * Math.PI;
    expect(Math.abs(estimate - angle)).toBeLessThan(0.25);
  }
});

test('an embedding with one large number has a code as informative as others', () => {
  const one = vectorOf(1).fill(0, 1);
  const other = vectorOf(1).fill(0, 1);
  other[0] = 0;
  other[5] = 1;
  expect(Math.abs(differing(codeOf(one), codeOf(other)) - CODE_BITS / 2)).toBeLessThan(80);
});

test('bytes keep the direction', () => {
  const one = vectorOf(3);
  expect(similarity(one, bytesOf(one))).toBeGreaterThan(0.999);
  expect(similarity(one, bytesOf(one.map((value) => -value)))).toBeLessThan(-0.999);
});

test('embeddings of different lengths, and those without a direction, are far from everything', () => {
  expect(similarity(vectorOf(1), bytesOf(vectorOf(1, 512)))).toBe(-1);
  expect(similarity(vectorOf(1), bytesOf(new Float32Array(768)))).toBe(-1);
});

test('a passage that is in both lists is before those that lead one', () => {
  expect(
    fuseRanks(
      [
        [1, 2, 3],
        [4, 2, 5],
      ],
      3,
    ),
  ).toEqual([2, 1, 4]);
  expect(fuseRanks([[7, 8], []], 5)).toEqual([7, 8]);
});
