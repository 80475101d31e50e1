/**
 * Validates the arguments of a tool call against the tool's JSON schema, and removes undeclared properties. Supports the
 * part of JSON Schema that tools use; other keywords are ignored. `pattern` is ignored on purpose, because a regular
 * expression of one owner could block the calls of all.
 *
 * @see JSON Schema 2020-12, Validation
 */

/** The arguments without undeclared properties, or a description of the error for the model. */
export type CheckedArguments = { arguments: Record<string, unknown> } | { fault: string };

type Schema = Readonly<Record<string, unknown>>;

/** The deepest nesting that is accepted. */
const MAX_DEPTH = 8;

/** @param schema - of type `object`; written by the owner or an MCP server */
export function checkArguments(schema: Schema, given: unknown): CheckedArguments {
  try {
    const checked = check({ ...schema, type: 'object' }, given, []);
    return { arguments: checked as Record<string, unknown> };
  } catch (error) {
    if (error instanceof ArgumentFault) return { fault: error.message };
    throw error;
  }
}

class ArgumentFault extends Error {
  constructor(path: readonly string[], problem: string) {
    super(`${path.join('.') || 'The arguments'} ${problem}`);
  }
}

/** @throws ArgumentFault */
function check(schema: Schema, value: unknown, path: readonly string[]): unknown {
  if (path.length > MAX_DEPTH) throw new ArgumentFault(path, 'must not be nested so deep');
  checkType(schema['type'], value, path);
  const { enum: choices, const: only } = schema;
  if (Array.isArray(choices) && !choices.includes(value))
    throw new ArgumentFault(path, `must be one of ${JSON.stringify(choices)}`);
  if (Object.hasOwn(schema, 'const') && value !== only)
    throw new ArgumentFault(path, `must be ${JSON.stringify(only)}`);
  checkBounds(schema, value, path);
  if (Array.isArray(value)) return checkItems(schema, value, path);
  return isRecord(value) ? checkProperties(schema, value, path) : value;
}

const IS_TYPE: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isRecord,
};

function checkType(type: unknown, value: unknown, path: readonly string[]): void {
  const types = [type].flat().filter((name): name is string => typeof name === 'string');
  const known = types.filter((name) => Object.hasOwn(IS_TYPE, name));
  if (known.length > 0 && !known.some((name) => IS_TYPE[name]?.(value)))
    throw new ArgumentFault(path, `must be of type ${known.join(' or ')}`);
}

function checkBounds(schema: Schema, value: unknown, path: readonly string[]): void {
  const size = typeof value === 'string' || Array.isArray(value) ? value.length : null;
  const bounds: [lowest: string, highest: string, measured: number | null][] = [
    ['minimum', 'maximum', typeof value === 'number' ? value : null],
    ['minLength', 'maxLength', typeof value === 'string' ? size : null],
    ['minItems', 'maxItems', Array.isArray(value) ? size : null],
  ];
  for (const [lowest, highest, measured] of bounds) {
    if (measured === null) continue;
    if (measured < limit(schema, lowest, -Infinity)) throw new ArgumentFault(path, `is below ${lowest}`);
    if (measured > limit(schema, highest, Infinity)) throw new ArgumentFault(path, `is above ${highest}`);
  }
}

function limit(schema: Schema, keyword: string, otherwise: number): number {
  const value = schema[keyword];
  return typeof value === 'number' ? value : otherwise;
}

function checkItems({ items }: Schema, values: readonly unknown[], path: readonly string[]): unknown[] {
  return values.map((value, index) => (isRecord(items) ? check(items, value, [...path, `${index}`]) : value));
}

/** A schema without declared properties accepts all of them. */
function checkProperties(schema: Schema, value: Record<string, unknown>, path: readonly string[]): unknown {
  const { properties, required } = schema;
  for (const name of Array.isArray(required) ? required : [])
    if (typeof name === 'string' && !Object.hasOwn(value, name))
      throw new ArgumentFault([...path, name], 'is missing');
  if (!isRecord(properties)) return value;
  const declared = Object.entries(value).filter(([name]) => Object.hasOwn(properties, name));
  // `fromEntries` defines and never assigns: a name such as `__proto__` stays a name.
  return Object.fromEntries(
    declared.map(([name, part]) => {
      const inner = properties[name];
      return [name, isRecord(inner) ? check(inner, part, [...path, name]) : part];
    }),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
