/**
 * The API document as a Postman collection (format 2.1): a folder for each group, a request with an example body for each
 * endpoint, the token and the address as variables. Our own, because the public converter has 85 dependencies.
 */
import {
  mediaOf,
  type Content,
  type OpenApiDocument,
  type Operation,
  type Parameter,
} from './openapi-parts.ts';

const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** @param document - complete, with the installation's address */
export function toPostmanCollection(document: OpenApiDocument): object {
  const requests = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags?.[0] ?? '',
      item: toItem(method, path, operation),
    })),
  );
  const folders = (document.tags ?? []) as { name: string; description: string }[];
  return {
    info: { name: document.info.title, description: document.info.description, schema: FORMAT },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: document.servers[0]?.url ?? '' },
      { key: 'token', value: '' },
    ],
    item: folders
      .map(({ name, description }) => ({
        name,
        description,
        item: requests.filter(({ tag }) => tag === name).map(({ item }) => item),
      }))
      .filter(({ item }) => item.length > 0),
  };
}

function toItem(method: string, path: string, operation: Operation): object {
  const { summary, description, parameters = [], requestBody } = operation;
  const body = requestBody && toBody(requestBody.content);
  const isKeyed = parameters.some((parameter) => parameter.name === 'Idempotency-Key');
  return {
    name: summary,
    request: {
      method: method.toUpperCase(),
      description,
      header: [
        { key: 'Accept', value: 'application/json' },
        ...(body ? [{ key: 'Content-Type', value: body.type }] : []),
        // Postman generates a new value for each request.
        ...(isKeyed ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
      ],
      url: toUrl(path, parameters),
      ...(body && { body: body.content }),
    },
  };
}

function toBody(content: Content): { type: string; content: object } {
  const { type, media } = mediaOf(content);
  const isJson = type === 'application/json';
  const raw = isJson ? JSON.stringify(media.example, null, 2) : media.example;
  return { type, content: { mode: 'raw', raw, options: { raw: { language: isJson ? 'json' : 'text' } } } };
}

/** Path parameters as Postman's `:name`; query parameters are listed but disabled. */
function toUrl(path: string, parameters: readonly Parameter[]): object {
  const segments = path.slice(1).replace(/\{(\w+)\}/g, ':$1');
  const listed = (place: string) =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map((parameter) => ({
        key: parameter.name,
        value: valueOf(parameter),
        description: parameter.description,
      }));
  return {
    raw: `{{baseUrl}}/${segments}`,
    host: ['{{baseUrl}}'],
    path: segments.split('/'),
    query: listed('query').map((parameter) => ({ ...parameter, disabled: true })),
    variable: listed('path'),
  };
}

function valueOf({ schema }: Parameter): string {
  const example: unknown = schema.examples?.[0] ?? schema.enum?.[0];
  return typeof example === 'number' || typeof example === 'string' ? String(example) : '';
}
