/**
 * The OpenAPI 3.1 document of the public API, generated from the contract: the routes, with zod's JSON Schema for every
 * schema. Schemas with an `id` in their metadata become components.
 */
import { isAppRoute, type AppRoute, type AppRouter } from '@ts-rest/core';
import { z } from 'zod';
import { aliasesOf, keyingOf, metadataOf } from './contract.ts';
import { errorText } from './errors.ts';

type Json = Record<string, unknown>;

/** The contract and everything else that the document needs. */
export interface OpenApiOptions {
  contract: AppRouter;
  /** Event name to payload. */
  webhooks: Record<string, z.ZodType>;
  version: string;
  /** Public address of this installation. */
  serverUrl: string;
}

/** Generates the document as plain JSON. */
export function createOpenApi(options: OpenApiOptions): Json {
  const components: Json = {};
  const paths: Record<string, Json> = {};
  for (const { group, name, route } of routesOf(options.contract)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: operation(`${group}.${name}`, group, route, components),
    };
  }
  const webhooks = Object.entries(options.webhooks).map(([event, payload]) => [
    event,
    webhook(event, payload, components),
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: options.version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.serverUrl }],
    security: [{ token: [] }],
    paths,
    webhooks: Object.fromEntries(webhooks),
    components: { schemas: components, securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  };
}

/** One endpoint of a contract, its group and its name. */
export interface NamedRoute {
  /** The resource it belongs to. */
  group: string;
  name: string;
  route: AppRoute;
}

/** Every endpoint of a contract that has one level of groups. */
export function routesOf(contract: AppRouter): NamedRoute[] {
  return Object.entries(contract).flatMap(([group, routes]) =>
    Object.entries(routes as AppRouter).flatMap(([name, route]) =>
      isAppRoute(route) ? [{ group, name, route }] : [],
    ),
  );
}

function operation(operationId: string, tag: string, route: AppRoute, components: Json): Json {
  const { scope, role, isEventStream = false } = metadataOf(route);
  const parameters = [
    ...parametersOf('path', route.pathParams, components),
    ...parametersOf('query', route.query, components),
    ...(keyingOf(route) === 'none' ? [] : [IDEMPOTENCY_KEY]),
    ...(isEventStream ? [LAST_EVENT_ID] : []),
  ];
  return {
    operationId,
    tags: [tag],
    ...(route.summary === undefined ? {} : { summary: route.summary }),
    ...(scope === null ? {} : { description: describeNeeds(scope, role) + describeAliases(route) }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBody(route, components),
    responses: responsesOf(route, components),
  };
}

function describeNeeds(scope: string, role: string | undefined): string {
  const needed = `Needs the scope \`${scope}\``;
  return role === undefined ? `${needed}.` : `${needed} and a user with the role \`${role}\`.`;
}

function describeAliases(route: AppRoute): string {
  const paths = aliasesOf(route).map(({ method, path }) => {
    const address = path.replace(/:(\w+)/g, '{$1}');
    return `\`${method === route.method ? '' : `${method} `}${address}\``;
  });
  return paths.length === 0 ? '' : ` Also answers on ${paths.join(', ')}.`;
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A request with the same key and body is executed once; the first answer is repeated for 24 hours.',
  schema: { type: 'string', maxLength: 255 },
};

const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'The `id` of the last event that was received; the stream continues after it.',
  schema: { type: 'string', pattern: String.raw`^\d{1,15}$` },
};

function parametersOf(place: 'path' | 'query', schema: unknown, components: Json): Json[] {
  if (!(schema instanceof z.ZodObject)) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input', components) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function requestBody(route: AppRoute, components: Json): Json {
  const { upload } = metadataOf(route);
  if (upload) return { requestBody: { required: true, content: { [upload]: { schema: TEXT } } } };
  if (!('body' in route) || !(route.body instanceof z.ZodType)) return {};
  return { requestBody: { required: true, content: jsonContent(route.body, 'input', components) } };
}

function responsesOf(route: AppRoute, components: Json): Json {
  const responses = Object.entries(route.responses).map(([status, body]) => [
    status,
    { description: describeStatus(Number(status)), content: contentOf(body, components) },
  ]);
  return Object.fromEntries(responses) as Json;
}

const STATUS_TEXTS: Record<number, string> = {
  400: errorText.notJson,
  401: errorText.unauthenticated,
  403: 'The token lacks the scope that is needed, or its user the role.',
  404: errorText.notFound,
  408: errorText.tooSlow,
  409: 'Not possible in the current state, or a request with the same Idempotency-Key is still running.',
  413: errorText.tooLarge,
  415: errorText.notJsonType,
  422: errorText.invalidData,
  429: errorText.tooMany,
  500: errorText.serverError,
  503: errorText.unavailable,
};

function describeStatus(status: number): string {
  return STATUS_TEXTS[status] ?? 'Success';
}

const TEXT = { type: 'string' };

/** JSON, or the text of a file. */
function contentOf(body: unknown, components: Json): Json {
  if (body instanceof z.ZodType) return jsonContent(body, 'output', components);
  const { contentType } = body as { contentType: string };
  return { [contentType]: { schema: TEXT } };
}

function webhook(event: string, payload: z.ZodType, components: Json): Json {
  const content = jsonContent(payload, 'output', components);
  return {
    post: {
      operationId: event,
      security: [],
      requestBody: { required: true, content },
      responses: {
        '2XX': { description: 'Delivered. Any other status is retried later; 410 disables the webhook.' },
      },
    },
  };
}

function jsonContent(schema: z.ZodType, direction: 'input' | 'output', components: Json): Json {
  return { 'application/json': { schema: jsonSchema(schema, direction, components) } };
}

/** The JSON Schema of one schema; schemas with an id are moved to `components` and referenced. */
function jsonSchema(schema: z.ZodType, direction: 'input' | 'output', components: Json): Json {
  // Inside a wrapper, a schema with an id becomes a reference.
  const document = z.toJSONSchema(z.object({ shape: schema }), { io: direction, unrepresentable: 'any' });
  const { $defs = {}, properties } = forOpenApi(document) as { $defs?: Json; properties: { shape: Json } };
  Object.assign(components, $defs);
  return properties.shape;
}

/** Moves references from `$defs` to components, and removes what only zod's validation needs. */
function forOpenApi(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(forOpenApi);
  if (typeof node !== 'object' || node === null) return node;
  const { $ref, propertyDefaults, ...rest } = node as Json;
  const kept = Object.entries(rest).filter(([key, value]) => !isNoise(key, value));
  const copied = Object.fromEntries(kept.map(([key, value]) => [key, forOpenApi(value)]));
  if (typeof $ref === 'string') copied['$ref'] = $ref.replace('#/$defs/', '#/components/schemas/');
  if (propertyDefaults) setDefaults(copied['properties'] as Record<string, Json>, propertyDefaults as Json);
  return copied;
}

/** A component's own name, zod's limits of safe integers, and closed objects, because answers may get new fields. */
function isNoise(key: string, value: unknown): boolean {
  if (key === 'id') return typeof value === 'string';
  if (key === 'additionalProperties') return value === false;
  return (key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
}

function setDefaults(properties: Record<string, Json>, defaults: Json): void {
  for (const [name, value] of Object.entries(defaults))
    if (properties[name]) properties[name]['default'] = value;
}
