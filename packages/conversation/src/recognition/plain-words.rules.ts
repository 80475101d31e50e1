/** The words of a text, as the word lists and the rules of turn-taking compare them. */

/** The words in lower case. Apostrophes and hyphens inside words are kept, other punctuation is removed. */
export function plainWords(text: string): string[] {
  const plain = text.toLowerCase().replaceAll('’', "'");
  return plain.match(/[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu) ?? [];
}
