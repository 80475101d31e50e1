/** When two texts are the same sentence: docs/decisions/recorded-phrases.md. */

/**
 * The words of a text in a form that can be compared. Case, white space and punctuation do not count, except for question
 * marks, because a question sounds different.
 */
export function comparableText(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/['’]/gu, '')
    .replaceAll(/[^\p{L}\p{M}\p{N}?？]+/gu, ' ')
    .replaceAll(/ ?[?？]+/gu, ' ? ')
    .replaceAll(/ +/gu, ' ')
    .trim();
}
