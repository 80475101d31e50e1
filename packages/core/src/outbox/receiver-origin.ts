/**
 * Which receiver an address belongs to: scheme, host and port. Said once, in SQL, because some statements change
 * addresses without anybody seeing them. Only fairness hangs on it, never whether an address may be reached.
 */

/** @param url - SQL of an address */
export function originSql(url: string): string {
  return `coalesce(lower(substring(${url} from '^[^:]+://[^/?#]+')), ${url})`;
}
