/** What the rules need to know about languages: tables by language, and words of a text. */

/**
 * The row of the call's language.
 *
 * @param language - BCP 47 or a two-letter code; only its first part counts
 * @returns `otherwise` if the language has no row
 */
export function rowOf<Row>(rows: Readonly<Record<string, Row>>, language: string, otherwise: Row): Row {
  const base = language.toLowerCase().split(/[-_]/u)[0] ?? '';
  return (Object.hasOwn(rows, base) ? rows[base] : undefined) ?? otherwise;
}

/** Words are separated by white space. */
export function countWords(text: string): number {
  return text.match(/\S+/gu)?.length ?? 0;
}
