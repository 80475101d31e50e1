/** Splits pasted text into numbers, and into parts that the server accepts. The server validates the numbers. */

/** Numbers on separate lines or separated by commas or semicolons, without duplicates. */
export function pastedNumbers(text: string): string[] {
  const parts = text.split(/[\n,;]/).map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== ''))];
}

/** @param size - the maximum of one part */
export function inParts(numbers: readonly string[], size: number): string[][] {
  const count = Math.ceil(numbers.length / size);
  return Array.from({ length: count }, (_, part) => numbers.slice(part * size, (part + 1) * size));
}

/** A part of a number in its stored form, without separators. */
export function searchedPart(text: string): string {
  return text.replace(/[\s().\-/]/g, '');
}
