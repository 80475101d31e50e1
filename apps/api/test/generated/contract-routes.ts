/**
 * The contract as data for the generated tests: every endpoint with the JSON Schemas of its inputs. A new endpoint of the
 * contract is automatically part of this list and of every test in this folder.
 */
import { api, keyingOf, aliasesOf, metadataOf, routesOf, type RouteMetadata } from '@parley/contracts';
import type { AppRoute } from '@ts-rest/core';
import { z } from 'zod';

/** JSON Schema, as far as ours use it; references are resolved. */
export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: boolean | JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

/** One endpoint. */
export interface ContractRoute {
  /** Unique: `calls.make`, and with the path where it is an alias. */
  id: string;
  /** `group.name`. */
  name: string;
  method: string;
  /** With `:id` for parameters. */
  path: string;
  route: AppRoute;
  facts: RouteMetadata;
  /** Honours `Idempotency-Key`. */
  isKeyed: boolean;
  /** Null: no body. */
  body: JsonSchema | null;
  query: JsonSchema | null;
}

/** Whether `npm run test:long` runs, with every case. */
export const isLong = process.env['PARLEY_LONG'] === 'true';

/** All of the cases in `npm run test:long`; one of `every` in `npm test`. */
export function shareOf<Case>(cases: readonly Case[], every: number): readonly Case[] {
  return isLong ? cases : cases.filter((_, at) => at % every === 0);
}

/** Every endpoint of the public contract, under each of its paths. */
export const contractRoutes: readonly ContractRoute[] = routesOf(api).flatMap(({ group, name, route }) => {
  const facts = metadataOf(route);
  return [route, ...aliasesOf(route)].map(({ method, path }, index) => ({
    id: index === 0 ? `${group}.${name}` : `${group}.${name} at ${method} ${path}`,
    name: `${group}.${name}`,
    method,
    path,
    route,
    facts,
    isKeyed: keyingOf(route) !== 'none',
    body: schemaOf('body' in route ? route.body : null),
    query: schemaOf(route.query),
  }));
});

/** A path with all parameters replaced. */
export function fillPath(path: string, value: (parameter: string) => string | number): string {
  return path.replace(/:(\w+)/g, (_, parameter: string) => String(value(parameter)));
}

/** The schema of a response, or null if the contract has none for this status. Files are validated as text. */
export function answerSchema(
  route: AppRoute,
  status: number,
): { schema: z.ZodType; contentType: string } | null {
  const answer: unknown = route.responses[status];
  if (answer instanceof z.ZodType) return { schema: answer, contentType: 'application/json' };
  const { body, contentType } = (answer ?? {}) as { body?: unknown; contentType?: string };
  return body instanceof z.ZodType && contentType !== undefined ? { schema: body, contentType } : null;
}

function schemaOf(schema: unknown): JsonSchema | null {
  if (!(schema instanceof z.ZodType)) return null;
  const document = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema & {
    $defs?: Record<string, JsonSchema>;
  };
  return resolved(document, document.$defs ?? {}) as JsonSchema;
}

/** Resolves references. */
function resolved(node: unknown, definitions: Record<string, JsonSchema>): unknown {
  if (Array.isArray(node)) return node.map((part) => resolved(part, definitions));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref, ...rest } = node as { $ref?: string };
  const target = $ref === undefined ? {} : (definitions[$ref.replace('#/$defs/', '')] ?? {});
  return Object.fromEntries(
    Object.entries({ ...target, ...rest })
      .filter(([key]) => key !== '$defs')
      .map(([key, part]) => [key, resolved(part, definitions)]),
  );
}
