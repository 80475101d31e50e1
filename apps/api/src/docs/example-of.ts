/** Generates a value that fits a schema, from its examples, defaults and enumerated values. */
import type { Schema, Schemas } from './openapi-parts.ts';

/** The fields of an object to show: all, or those that a request requires. */
export type Extent = 'all' | 'required';

/** @param schemas - the targets of references */
export function exampleOf(schema: Schema, schemas: Schemas, extent: Extent = 'all'): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.examples && schema.examples.length > 0) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const inner = referredTo(schema, schemas) ?? schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (inner) return exampleOf(inner, schemas, extent);
  return plainExample(schema, schemas, extent);
}

/** The target of a reference. */
function referredTo(schema: Schema, schemas: Schemas): Schema | undefined {
  return schema.$ref === undefined ? undefined : schemas[schema.$ref.split('/').at(-1) ?? ''];
}

function plainExample(schema: Schema, schemas: Schemas, extent: Extent): unknown {
  const type = [schema.type].flat()[0];
  if (type === 'object') return objectExample(schema, schemas, extent);
  if (type === 'array')
    return schema.items && schema.maxItems !== 0 ? [exampleOf(schema.items, schemas, extent)] : [];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  return type === 'string' ? 'text' : null;
}

function objectExample(schema: Schema, schemas: Schemas, extent: Extent): Record<string, unknown> {
  const shown = Object.entries(schema.properties ?? {}).filter(
    ([name]) => extent === 'all' || schema.required?.includes(name),
  );
  return Object.fromEntries(shown.map(([name, property]) => [name, exampleOf(property, schemas, extent)]));
}
