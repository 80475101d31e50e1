/**
 * Finds what belongs to a path. Patterns are those of the contract: fixed words, and `:name` for one part. As existing
 * clients expect, case does not matter and one slash at the end is allowed. A fixed path goes before a pattern.
 */

/** What was found, and what stood at the names of its pattern, decoded. */
export interface FoundRoute<Value> {
  value: Value;
  params: Record<string, string>;
}

/** Values by path. */
export interface RouteTable<Value> {
  /**
   * @param path - without query
   * @throws URIError for a part that cannot be decoded
   */
  find(path: string): FoundRoute<Value> | null;
}

interface Pattern<Value> {
  parts: string[];
  value: Value;
}

const NO_PARAMS: Record<string, string> = Object.freeze({});

/** @param values - by their patterns, such as `/api/user/calls/:id` */
export function createRouteTable<Value>(values: ReadonlyMap<string, Value>): RouteTable<Value> {
  const fixed = new Map<string, Value>();
  const patterns = new Map<number, Pattern<Value>[]>();
  for (const [path, value] of values) {
    const parts = path.split('/');
    if (!path.includes('/:')) fixed.set(path.toLowerCase(), value);
    else patterns.set(parts.length, [...(patterns.get(parts.length) ?? []), { parts, value }]);
  }
  return {
    find(path) {
      const wanted = path.endsWith('/') ? path.slice(0, -1) : path;
      const value = fixed.get(wanted) ?? fixed.get(wanted.toLowerCase());
      if (value !== undefined) return { value, params: NO_PARAMS };
      const parts = wanted.split('/');
      for (const pattern of patterns.get(parts.length) ?? []) {
        if (fits(pattern.parts, parts))
          return { value: pattern.value, params: paramsOf(pattern.parts, parts) };
      }
      return null;
    },
  };
}

function fits(pattern: readonly string[], parts: readonly string[]): boolean {
  return pattern.every((word, place) => {
    const part = parts[place] ?? '';
    return word.startsWith(':') ? part !== '' : word.toLowerCase() === part.toLowerCase();
  });
}

function paramsOf(pattern: readonly string[], parts: readonly string[]): Record<string, string> {
  const pairs = pattern.flatMap((word, place) =>
    word.startsWith(':') ? [[word.slice(1), decodeURIComponent(parts[place] ?? '')] as const] : [],
  );
  return Object.fromEntries(pairs);
}
