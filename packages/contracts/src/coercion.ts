/**
 * What clients send is not always typed as the specification has it: numbers and booleans arrive as strings, empty
 * query values mean "not given", and a list stands for an object. These pure functions turn such values into the
 * typed ones and leave everything else as it is, for the schema behind them to refuse.
 */

/** `"5"` to 5. Other strings stay, so that the schema can say "must be an integer". */
export function toInteger(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : value;
}

/** `"0.5"` to 0.5. Hexadecimal, `Infinity` and the empty string stay strings. */
export function toNumber(value: unknown): unknown {
  const isNumeric = typeof value === 'string' && value.length <= LONGEST_NUMBER && NUMERIC.test(value.trim());
  return isNumeric ? Number(value) : value;
}

/** Read in one way only, so that no text takes longer than it is long. */
const NUMERIC = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** Characters; a number that says anything is shorter. */
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

/** An empty string where nothing was meant: an empty query value, an empty form field. */
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
 * Lists where an object is meant: an empty one is an empty object, a list of objects is merged from left to right.
 * Keys such as `__proto__` are plain data throughout.
 */
export function toObject(value: unknown): unknown {
  if (!Array.isArray(value) || !value.every(isPlainObject)) return value;
  return Object.fromEntries(value.flatMap((part) => Object.entries(part)));
}

/** Postgres stores neither NUL nor half a surrogate pair, so neither may come in. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Deeper JSON than this is refused: nobody sends it in good faith, and recursive code would overflow. */
const MAX_DEPTH = 64;

/** A list or object inside a JSON value. Paths are put together only for an offender: there may be 300,000 places. */
interface Place {
  value: object;
  key: string;
  parent: Place | null;
  depth: number;
}

function pathOf(place: Place): string[] {
  const path: string[] = [];
  for (let at = place; at.parent; at = at.parent) path.unshift(at.key);
  return path;
}

/**
 * Looks through a JSON value for text that cannot be stored, and for excessive depth. Does not recurse.
 *
 * @returns the path of the first offender, or null when all is well
 */
export function findUnstorable(value: unknown): string[] | null {
  if (typeof value === 'string') return isStorableText(value) ? null : [];
  if (typeof value !== 'object' || value === null) return null;
  const pending: Place[] = [{ value, key: '', parent: null, depth: 0 }];
  for (let place = pending.pop(); place; place = pending.pop()) {
    if (place.depth >= MAX_DEPTH) return pathOf(place).slice(0, 1);
    const fault = lookInside(place, pending);
    if (fault) return fault;
  }
  return null;
}

/** Judges the texts of one place and notes the places inside it. */
function lookInside(place: Place, pending: Place[]): string[] | null {
  const parts = place.value as Record<string, unknown>;
  for (const key in parts) {
    if (!isStorableText(key)) return pathOf(place);
    const part = parts[key];
    if (typeof part === 'string') {
      if (!isStorableText(part)) return [...pathOf(place), key];
    } else if (typeof part === 'object' && part !== null) {
      pending.push({ value: part, key, parent: place, depth: place.depth + 1 });
    }
  }
  return null;
}
