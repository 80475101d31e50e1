/**
 * Clients do not always send the documented types: numbers and booleans arrive as strings, an empty query value means
 * "absent", and a list can mean an object. These pure functions convert such values, and leave all others unchanged for
 * the schema to reject.
 */

/** `"5"` to 5. Other strings are unchanged, so that the schema reports "must be an integer". */
export function toInteger(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : value;
}

/** `"0.5"` to 0.5. Hexadecimal numbers, `Infinity` and the empty string remain strings. */
export function toNumber(value: unknown): unknown {
  const isNumeric = typeof value === 'string' && value.length <= LONGEST_NUMBER && NUMERIC.test(value.trim());
  return isNumeric ? Number(value) : value;
}

/** Unambiguous, so that matching takes linear time. */
const NUMERIC = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** Characters; no meaningful number is longer. */
const LONGEST_NUMBER = 400;

const BOOLEANS = new Map<unknown, boolean>([
  [1, true],
  ['1', true],
  ['true', true],
  [0, false],
  ['0', false],
  ['false', false],
]);

/** `"true"`, `"1"`, 1 and their opposites to booleans. */
export function toBoolean(value: unknown): unknown {
  return BOOLEANS.get(value) ?? value;
}

/** An empty string that means "absent": an empty query value, an empty form field. */
export function emptyToUndefined(value: unknown): unknown {
  return value === '' ? undefined : value;
}

/** An empty string in a field that may be null. */
export function emptyToNull(value: unknown): unknown {
  return typeof value === 'string' && value.trim() === '' ? null : value;
}

/** True for `{}` and the like, not for null or lists. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Lists that mean an object: an empty list is an empty object, a list of objects is merged from left to right.
 * Keys such as `__proto__` are plain data throughout.
 */
export function toObject(value: unknown): unknown {
  if (!Array.isArray(value) || !value.every(isPlainObject)) return value;
  return Object.fromEntries(value.flatMap((part) => Object.entries(part)));
}

/** Postgres can store neither NUL nor unpaired surrogates. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Deeper JSON is refused, because recursive code could overflow the stack. */
const MAX_DEPTH = 64;

/** A list or object inside a JSON value. Paths are built for an invalid value only: there may be 300,000 nodes. */
interface Node {
  value: object;
  key: string;
  parent: Node | null;
  depth: number;
}

function pathOf(node: Node): string[] {
  const path: string[] = [];
  for (let at = node; at.parent; at = at.parent) path.unshift(at.key);
  return path;
}

/**
 * Searches a JSON value for text that cannot be stored, and for excessive depth. Does not recurse.
 *
 * @returns the path of the first invalid value, or null
 */
export function findUnstorable(value: unknown): string[] | null {
  if (typeof value === 'string') return isStorableText(value) ? null : [];
  if (typeof value !== 'object' || value === null) return null;
  const pending: Node[] = [{ value, key: '', parent: null, depth: 0 }];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.depth >= MAX_DEPTH) return pathOf(node).slice(0, 1);
    const fault = checkInside(node, pending);
    if (fault) return fault;
  }
  return null;
}

/** Checks the texts of one node and collects its children. */
function checkInside(node: Node, pending: Node[]): string[] | null {
  const parts = node.value as Record<string, unknown>;
  for (const key in parts) {
    if (!isStorableText(key)) return pathOf(node);
    const part = parts[key];
    if (typeof part === 'string') {
      if (!isStorableText(part)) return [...pathOf(node), key];
    } else if (typeof part === 'object' && part !== null) {
      pending.push({ value: part, key, parent: node, depth: node.depth + 1 });
    }
  }
  return null;
}
