/**
 * Prepares text for Flite, which supports ASCII and English only and skips other letters. Accents and typographic characters
 * are therefore replaced by their plain forms.
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
 * @returns an empty list if there is nothing to say
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
