/**
 * Completes the document that is generated from the contract: descriptions and examples of fields, the exact text of every
 * error, headers, aliases, and the signatures of webhooks.
 */
import {
  aliasesOf,
  api,
  createOpenApi,
  errorText,
  keyingOf,
  metadataOf,
  routesOf,
  webhookPayloads,
} from '@parley/contracts';
import type { RouteMetadata } from '@parley/contracts';
import type { AppRoute } from '@ts-rest/core';
import { addFieldTexts } from './add-field-texts.ts';
import { exampleOf, type Extent } from './example-of.ts';
import {
  mediaOf,
  type Content,
  type OpenApiDocument,
  type Operation,
  type Response,
  type Schemas,
} from './openapi-parts.ts';
import { bodyExamples, descriptions, groups, introduction, webhookGroup } from './operation-texts.ts';
import { shareResponses } from './share-responses.ts';
import { successData, successMessages } from './success-messages.ts';
import { completeWebhooks } from './webhook-texts.ts';

/** The version of the API, which changes only when something is added. */
const VERSION = '1.0.0';

/** The whole document; the server's address is added for each request. */
export function createApiDocument(): OpenApiDocument {
  const bare = createOpenApi({ contract: api, webhooks: webhookPayloads, version: VERSION, serverUrl: '/' });
  // A copy, because endpoints may share parts of the generated document, and each gets separate texts.
  const document = JSON.parse(JSON.stringify(bare)) as OpenApiDocument;
  document.info.description = introduction;
  document.tags = tagsOf(Object.keys(api));
  const token = document.components.securitySchemes['token'];
  if (token) token.description = 'An API token, `parley_…`.';
  document.components.headers = headers;
  addFieldTexts(document);
  for (const { group, name, route } of routesOf(api)) {
    const path = document.paths[route.path.replace(/:(\w+)/g, '{$1}')];
    const operation = path?.[route.method.toLowerCase()];
    if (operation) completeOperation(operation, `${group}.${name}`, route, document);
  }
  addAliases(document);
  completeWebhooks(document);
  shareResponses(document);
  return document;
}

function titleOf(group: string): string {
  return groups[group]?.title ?? group;
}

function tagsOf(names: readonly string[]): object[] {
  const described = names.map((name) => ({
    name: titleOf(name),
    description: groups[name]?.description ?? titleOf(name),
  }));
  return [...described, { name: webhookGroup.title, description: webhookGroup.description }];
}

function completeOperation(
  operation: Operation,
  id: string,
  route: AppRoute,
  document: OpenApiDocument,
): void {
  const { schemas } = document.components;
  operation.tags = (operation.tags ?? []).map(titleOf);
  const words = [descriptions[id], operation.description].filter((text) => text !== undefined);
  operation.description = words.length === 0 ? 'Any valid token is accepted.' : words.join('\n\n');
  if (operation.requestBody) {
    const example = bodyExamples[id] ?? exampleOfContent(operation.requestBody.content, schemas, 'required');
    mediaOf(operation.requestBody.content).media.example = example;
  }
  for (const [status, response] of Object.entries(operation.responses))
    if (!('$ref' in response)) completeResponse(response, Number(status), { id, route, schemas });
}

function exampleOfContent(content: Content, schemas: Schemas, extent: Extent): unknown {
  return exampleOf(mediaOf(content).media.schema, schemas, extent);
}

interface Around {
  id: string;
  route: AppRoute;
  schemas: Schemas;
}

function completeResponse(response: Response, status: number, { id, route, schemas }: Around): void {
  response.headers = Object.fromEntries(
    headersOf(status).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  const content = response.content;
  if (!content) return;
  const example = pageAt(route.path, exampleOfContent(content, schemas, 'all'));
  const message = status < 400 ? successMessages[id] : errorMessage(status, route);
  if (message !== undefined && status >= 400 && status !== 409) response.description = message;
  const isOwnText = message === undefined || typeof example !== 'object' || example === null;
  mediaOf(content).media.example = isOwnText
    ? example
    : { ...example, message, ...changedData(example, id, status) };
}

/** The example of a page with the addresses of its own list. */
function pageAt(path: string, example: unknown): unknown {
  if (typeof example !== 'object' || example === null || !('first_page_url' in example)) return example;
  const fields = Object.entries(example).map(([name, value]): [string, unknown] => [
    name,
    typeof value === 'string' ? value.replace('/api/user/calls', path) : value,
  ]);
  return Object.fromEntries(fields);
}

/** The `data` of an example as the operation leaves it. */
function changedData(example: object, id: string, status: number): object {
  const changes = status < 400 ? successData[id] : undefined;
  return changes && 'data' in example ? { data: { ...Object(example.data), ...changes } } : {};
}

const STILL_RUNNING = 'A request with this Idempotency-Key is still running.';
/** The actual text depends on the resource: what uses it, or whether it is a live call. */
const NOT_POSSIBLE = 'This is not possible in the current state.';

/** The exact text of an endpoint's error; undefined for a success and where the text depends on the case. */
function errorMessage(status: number, route: AppRoute): string | undefined {
  const metadata = metadataOf(route);
  const texts: Record<number, string | undefined> = {
    400: errorText.notJson,
    401: errorText.unauthenticated,
    403: metadata.scope === null ? 'Forbidden' : errorText.missingScope(metadata.scope),
    404: metadata.notFoundMessage ?? errorText.notFound,
    408: errorText.tooSlow,
    409: keyingOf(route) === 'with-work' ? STILL_RUNNING : NOT_POSSIBLE,
    413: tooLargeText(metadata),
    415: metadata.upload ? errorText.notCsvType : errorText.notJsonType,
    422: metadata.validationMessage ?? errorText.invalidData,
    429: errorText.tooMany,
    500: metadata.failureMessage ?? errorText.serverError,
    503: errorText.unavailable,
  };
  return texts[status];
}

function tooLargeText({ upload, maxBodyBytes }: RouteMetadata): string {
  if (upload) return errorText.uploadTooLarge;
  return maxBodyBytes === undefined ? errorText.tooLarge : errorText.tooLargeFor(maxBodyBytes);
}

const header = (description: string, type: string, example: unknown) => ({
  description,
  schema: { type, examples: [example] },
});

const headers = {
  'X-Request-Id': header(
    "Identifies the request in the server's log.",
    'string',
    '3f0c2b9e-5d7e-4c55-9d6c-0b7c3d1e2f4a',
  ),
  'X-Error-Code': header(
    'Machine-readable code of the error; see /docs/errors.',
    'string',
    'validation_failed',
  ),
  Link: header(
    'The explanation of the code, relative to this server.',
    'string',
    '</docs/errors#validation_failed>; rel="help"',
  ),
  'X-RateLimit-Limit': header('Requests per minute for this token.', 'integer', 1200),
  'X-RateLimit-Remaining': header('Requests left in this minute.', 'integer', 1199),
  'X-RateLimit-Reset': header('End of the minute, Unix seconds.', 'integer', 1769850360),
  'Retry-After': header('Seconds to wait.', 'integer', 12),
  'WWW-Authenticate': header('How to authenticate.', 'string', 'Bearer'),
};

function headersOf(status: number): (keyof typeof headers)[] {
  const code = status < 400 ? [] : (['X-Error-Code', 'Link'] as const);
  if (status === 401) return ['X-Request-Id', ...code, 'WWW-Authenticate'];
  const limits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
  return ['X-Request-Id', ...code, ...limits, ...(status === 429 ? (['Retry-After'] as const) : [])];
}

/** The aliases of endpoints, each as an operation that refers to the original. */
function addAliases(document: OpenApiDocument): void {
  for (const { group, name, route } of routesOf(api)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    const operation = document.paths[path]?.[route.method.toLowerCase()];
    for (const alias of aliasesOf(route)) {
      if (!operation) continue;
      const known = (document.paths[alias.path.replace(/:(\w+)/g, '{$1}')] ??= {});
      const method = alias.method === route.method ? '' : alias.method;
      known[alias.method.toLowerCase()] = {
        ...operation,
        operationId: `${group}.${name}At${method}${placeOf(alias.path)}`,
        summary: `${operation.summary ?? ''} (alias)`,
        description: `The same as \`${route.method} ${path}\`.`,
      };
    }
  }
}

/** `/api/user/campaign/:id` → `Campaign`: code generators turn the id of an operation into the name of a function. */
function placeOf(path: string): string {
  const segments = path.replace('/api/user/', '').split(/[/-]/);
  const words = segments.filter((segment) => !segment.startsWith(':'));
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
