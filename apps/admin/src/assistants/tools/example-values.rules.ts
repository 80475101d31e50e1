/** Example values for the trial of a tool: its arguments, and the variables in its address. */
import { partsOf } from '../editor/placeholders.rules.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Deeper parts are left out. */
const MAX_DEPTH = 4;

/** @param schema - JSON Schema of the arguments, written by the user */
export function exampleArguments(schema: unknown): Record<string, unknown> {
  const example = exampleOf({ ...(Object(schema) as Schema), type: 'object' }, 0);
  return example as Record<string, unknown>;
}

/** Each variable in the address, with a value to be replaced. */
export function exampleVariables(url: string): Record<string, string> {
  const names = partsOf(url).flatMap(({ name }) => name ?? []);
  return Object.fromEntries(names.map((name) => [name, 'example']));
}

function exampleOf(schema: unknown, depth: number): unknown {
  const { type, enum: choices, default: preset, minimum, properties } = Object(schema) as Schema;
  if (preset !== undefined) return preset;
  if (Array.isArray(choices)) return choices[0];
  switch (Array.isArray(type) ? type[0] : type) {
    case 'number':
    case 'integer':
      return typeof minimum === 'number' ? minimum : 1;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      if (depth >= MAX_DEPTH) return {};
      return Object.fromEntries(
        Object.entries(Object(properties) as Schema).map(([name, part]) => [
          name,
          exampleOf(part, depth + 1),
        ]),
      );
    default:
      return 'example';
  }
}
