/** Holds what came with a request against the shapes of its endpoint. */
import { errorText, fieldErrors, type RouteMetadata } from '@parley/contracts';
import { DomainError } from '@parley/core';
import type { AppRoute } from '@ts-rest/core';
import type { z } from 'zod';

/** What came, or what the shapes made of it. */
export interface RequestInput {
  params: unknown;
  query: unknown;
  body: unknown;
}

/** The shapes of an endpoint; absent: what came is handed on as it is. */
export type InputShapes = { [Part in keyof RequestInput]?: z.ZodType | undefined };

/** The contract is written with zod throughout; a file has a type and no shape. */
export function shapesOf(route: AppRoute): InputShapes {
  const body = 'body' in route && isShape(route.body) ? route.body : undefined;
  return { params: route.pathParams, query: route.query, body } as InputShapes;
}

function isShape(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'safeParse' in body;
}

/**
 * A path that names nothing is missing, whatever else is wrong.
 *
 * @throws DomainError `not-found` for path parameters, `invalid` with messages per field for query and body
 */
export function validateInput(
  shapes: InputShapes,
  { params, query, body }: RequestInput,
  { notFoundMessage = errorText.notFound }: RouteMetadata,
): RequestInput {
  const read = {
    params: shapes.params?.safeParse(params),
    query: shapes.query?.safeParse(query),
    body: shapes.body?.safeParse(body),
  };
  if (read.params?.error) throw new DomainError('not-found', notFoundMessage);
  if (read.query?.error || read.body?.error) throw invalid(read.query?.error, read.body?.error);
  return {
    params: read.params ? read.params.data : params,
    query: read.query ? read.query.data : query,
    body: read.body ? read.body.data : body,
  };
}

function invalid(query: z.ZodError | undefined, body: z.ZodError | undefined): DomainError {
  const unknown = (body?.issues ?? []).flatMap(unknownKeys);
  if (unknown.length > 0) return new DomainError('invalid', `Invalid fields: ${unknown.join(', ')}`);
  const issues = [...(query?.issues ?? []), ...(body?.issues ?? [])];
  return new DomainError('invalid', errorText.invalidData, { fields: fieldErrors(issues) });
}

/** Only shapes that reject unknown fields have such issues. */
function unknownKeys(issue: object): string[] {
  return 'keys' in issue && Array.isArray(issue.keys) ? issue.keys.map(String) : [];
}
