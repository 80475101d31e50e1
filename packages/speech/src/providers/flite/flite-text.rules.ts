/**
 * What Flite is given to read. It knows ASCII and English only; other letters are read as nothing at all, so accents
 * and typographic signs are brought back to their plain forms first.
 */

/** Longer texts are cut at sentence ends, so that the first part is heard early and the thread is free in between. */
const LONG_TEXT = 240;

const PLAIN_FORMS: readonly (readonly [RegExp, string])[] = [
  [/\p{M}+/gu, ''], // accents, set free by NFKD
  [/[‘’ʼ]/g, "'"],
  [/[“”„«»]/g, '"'],
  [/[–—]/g, ', '],
  [/…/g, '...'],
  [/€/g, ' euros '],
  [/£/g, ' pounds '],
  [/[^\x20-\x7e]+/g, ' '], // what is left, control characters above all
  [/ {2,}/g, ' '],
];

/**
 * Cleans a text and cuts a long one into sentences.
 *
 * @returns nothing where there is nothing to say
 */
export function toFliteSentences(text: string): string[] {
  const plain = PLAIN_FORMS.reduce(
    (current, [sign, form]) => current.replace(sign, form),
    text.normalize('NFKD'),
  ).trim();
  if (!/[a-z0-9]/i.test(plain)) return [];
  if (plain.length <= LONG_TEXT) return [plain];
  return plain.split(/(?<=[.!?]) /).filter((sentence) => /[a-z0-9]/i.test(sentence));
}
