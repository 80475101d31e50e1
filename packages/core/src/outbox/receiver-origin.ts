/**
 * The receiver of an address: scheme, host and port. In SQL, because statements change many addresses at once. It
 * determines fairness only, never whether an address may be reached.
 */

/** @param url - SQL of an address */
export function originSql(url: string): string {
  return `coalesce(lower(substring(${url} from '^[^:]+://[^/?#]+')), ${url})`;
}
