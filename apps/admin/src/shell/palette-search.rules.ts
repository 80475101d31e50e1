/** What the command palette finds for a text. */

/** Entries of one kind that are shown. */
const MOST_SHOWN = 6;
/** Fewer digits are part of too many numbers. */
const FEWEST_DIGITS = 3;
/** Ids of the database have at most 15 digits. */
const ID = /^#?(\d{1,15})$/;

/** Those whose name contains every word of the text, in any case; the first ones without a text. */
export function matching<Entry extends { name: string }>(entries: readonly Entry[], text: string): Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
  return found.slice(0, MOST_SHOWN);
}

/** The id that the text may be; null: none. */
export function idIn(text: string): number | null {
  const digits = ID.exec(text.trim())?.[1];
  return digits === undefined || Number(digits) === 0 ? null : Number(digits);
}

/** The part of a phone number that the text may be; null: none. */
export function numberIn(text: string): string | null {
  const digits = text.replace(/\D/g, '');
  return /^[\d\s()+./-]+$/.test(text.trim()) && digits.length >= FEWEST_DIGITS ? digits : null;
}
