/**
 * Moves answers that are identical for several endpoints (most errors) to `components`, which halves the document.
 */
import type { OpenApiDocument, Response } from './openapi-parts.ts';

const NAMES: Record<string, string> = {
  400: 'NotJson',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  408: 'TooSlow',
  409: 'Conflict',
  413: 'TooLarge',
  415: 'NotJsonType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'ServerError',
  503: 'Unavailable',
};

/** Changes the document in place. */
export function shareResponses(document: OpenApiDocument): void {
  const places = Object.values(document.paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, response]) =>
        status in NAMES && !('$ref' in response) ? [{ responses, status, response }] : [],
      ),
    );
  const groups = Map.groupBy(places, ({ status, response }) => status + JSON.stringify(response));
  const shared: Record<string, Response> = {};
  for (const group of groups.values()) {
    const [first] = group;
    if (!first || group.length < 2) continue;
    const name = freeName(NAMES[first.status] ?? first.status, shared);
    shared[name] = first.response;
    for (const { responses, status } of group) responses[status] = { $ref: `#/components/responses/${name}` };
  }
  document.components.responses = shared;
}

/** `NotFound`, `NotFound2`, … */
function freeName(wanted: string, taken: object): string {
  let name = wanted;
  for (let number = 2; name in taken; number += 1) name = wanted + number;
  return name;
}

/** An answer and its position in the document. */
export function responseOf(document: OpenApiDocument, response: Response | { $ref: string } | undefined) {
  if (!response || !('$ref' in response)) return response;
  return document.components.responses?.[response.$ref.split('/').at(-1) ?? ''];
}
