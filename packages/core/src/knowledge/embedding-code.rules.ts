/**
 * Embeddings as they are stored and compared: the numbers as signed bytes, and a code of 512 bits by which a search finds
 * candidates among all passages of a knowledge base. Each bit of the code is the sign of the embedding's projection on a
 * pseudo-random direction, so that the share of different bits of two codes estimates the angle between the embeddings
 * (M. Charikar, Similarity estimation techniques from rounding algorithms, 2002). The directions are the rows of a
 * Hadamard matrix after random changes of signs, because these projections need no multiplication and no stored matrix.
 *
 * Stored codes depend on everything here: a change makes it necessary to embed all passages again.
 */

/** Bits of a code; the column has the same length. */
export const CODE_BITS = 512;
/** Numbers of an embedding. Models have 256 to 4096. */
export const MIN_NUMBERS = 8;
export const MAX_NUMBERS = 4096;

/** Rounds of sign changes and transforms; two spread also an embedding with few large numbers over all projections. */
const ROUNDS = 2;
const BYTE = 127;

/** The column `bit(512)` as text. */
export function codeOf(vector: Float32Array): string {
  const projected = projections(vector);
  let bits = '';
  for (let place = 0; place < CODE_BITS; place += 1) bits += (projected[place] ?? 0) > 0 ? '1' : '0';
  return bits;
}

/** Signed bytes in proportion to the numbers; the largest is 127. */
export function bytesOf(vector: Float32Array): Buffer {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const scale = largest === 0 ? 0 : BYTE / largest;
  return Buffer.from(Int8Array.from(vector, (value) => Math.round(value * scale)).buffer);
}

/**
 * The cosine of the angle between a question and a stored embedding.
 *
 * @returns -1 for embeddings of different lengths, which a server has made with another model of the same name
 */
export function similarity(question: Float32Array, stored: Uint8Array): number {
  if (stored.length !== question.length) return -1;
  const bytes = new Int8Array(stored.buffer, stored.byteOffset, stored.length);
  let product = 0;
  let own = 0;
  let other = 0;
  for (let place = 0; place < bytes.length; place += 1) {
    const one = question[place] ?? 0;
    const two = bytes[place] ?? 0;
    product += one * two;
    own += one * one;
    other += two * two;
  }
  return own === 0 || other === 0 ? -1 : product / Math.sqrt(own * other);
}

/** The first ones of {@link CODE_BITS}, and more for longer embeddings. */
function projections(vector: Float32Array): Float32Array {
  let length = CODE_BITS;
  while (length < vector.length) length *= 2;
  const values = new Float32Array(length);
  values.set(vector);
  let state = 1;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let place = 0; place < length; place += 1) {
      // Numerical Recipes' linear congruential generator; its highest bit is the sign.
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      if (state >= 2 ** 31) values[place] = -(values[place] ?? 0);
    }
    transform(values);
  }
  return values;
}

/** The Walsh-Hadamard transform in place, without its factor, which does not change signs. */
function transform(values: Float32Array): void {
  for (let half = 1; half < values.length; half *= 2)
    for (let start = 0; start < values.length; start += 2 * half)
      for (let place = start; place < start + half; place += 1) {
        const one = values[place] ?? 0;
        const two = values[place + half] ?? 0;
        values[place] = one + two;
        values[place + half] = one - two;
      }
}
