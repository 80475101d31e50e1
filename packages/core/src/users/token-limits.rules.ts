/** Whether a token may call a number. */

/** Ends an entry that is the beginning of numbers. */
const ANY = '*';

/**
 * @param allowed - E.164, or the beginning of one and `*`; null: all numbers
 * @param number - E.164
 */
export function mayCallNumber(allowed: readonly string[] | null | undefined, number: string): boolean {
  if (!allowed) return true;
  return allowed.some((entry) =>
    entry.endsWith(ANY) ? number.startsWith(entry.slice(0, -ANY.length)) : entry === number,
  );
}
