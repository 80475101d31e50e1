/** Rows of words by language: which row a call uses. */

/**
 * The row of the call's language.
 *
 * @param language - BCP 47 or a two-letter code; only its first part counts
 * @returns `otherwise` for a language without a row
 */
export function rowOf<Row>(rows: Readonly<Record<string, Row>>, language: string, otherwise: Row): Row {
  const base = language.toLowerCase().split(/[-_]/u)[0] ?? '';
  return (Object.hasOwn(rows, base) ? rows[base] : undefined) ?? otherwise;
}
