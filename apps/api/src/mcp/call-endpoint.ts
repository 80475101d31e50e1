/**
 * Runs an endpoint of the contract for a tool: the same scope, validation, handler, audit log and error texts as over REST.
 */
import { api, isPlainObject, metadataOf, routesOf, type NamedRoute } from '@parley/contracts';
import { insertParamsIntoPath } from '@ts-rest/core';
import type { z } from 'zod';
import { requireAccess } from '../http/authenticate.ts';
import { refuseUnstorable } from '../http/json-body.ts';
import { errorCodeOf, toHttpError } from '../http-errors.ts';
import { audited } from '../rest/audited-handler.ts';
import type { AllHandlers, Answer, AnyHandler, RestCall } from '../rest/handlers.ts';
import { toDomainError } from '../rest/mount.ts';

const ROUTES = new Map(routesOf(api).map((named) => [`${named.group}.${named.name}`, named]));

/** @throws Error for an operation that the contract lacks */
export function routeOf(operation: string): NamedRoute {
  const named = ROUTES.get(operation);
  if (!named) throw new Error(`The contract has no operation ${operation}`);
  return named;
}

/** An answer of an endpoint, or an error as REST would send it. Never rejects. */
export async function callEndpoint(
  handlers: AllHandlers,
  operation: string,
  input: unknown,
  call: RestCall,
): Promise<Answer> {
  const { group, name, route } = routeOf(operation);
  try {
    requireAccess(metadataOf(route), call.identity);
    refuseUnstorable(input);
    const handler = (handlers[group as keyof AllHandlers] as unknown as Record<string, AnyHandler>)[name];
    if (!handler) throw new Error(`${operation} has no handler`);
    const parsed = parse(route, input);
    return await audited(operation, route, handler)({ ...call, url: urlOf(route, parsed, call) }, parsed);
  } catch (error) {
    return errorAnswer(error, call, operation);
  }
}

/** Scope and form of a request that is not sent yet. @returns the refusal, or null */
export function checkEndpoint(operation: string, input: unknown, call: RestCall): Answer | null {
  const { route } = routeOf(operation);
  try {
    requireAccess(metadataOf(route), call.identity);
    refuseUnstorable(input);
    parse(route, input);
    return null;
  } catch (error) {
    return errorAnswer(error, call, operation);
  }
}

/** The error as REST would send it, with its code; unexpected ones are logged. */
export function errorAnswer(error: unknown, { core }: RestCall, operation: string): Answer {
  const { status, body, code } = toHttpError(error, metadataOf(routeOf(operation).route));
  if (status >= 500) core.log.error({ err: error, operation }, 'A tool of the MCP server failed');
  return { status, body: { ...body, code: errorCodeOf({ status, body, ...(code && { code }) }) } };
}

interface ParsedInput {
  params: unknown;
  query: unknown;
  body: unknown;
  /** The input with numbers and booleans as in a URL. */
  texts: Record<string, unknown>;
}

/** Path and query parameters are texts in the contract. */
function parse(route: NamedRoute['route'], input: unknown): ParsedInput {
  const given = isPlainObject(input) ? input : {};
  const texts = Object.fromEntries(
    Object.entries(given).map(([key, value]) => [
      key,
      typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
    ]),
  );
  const parsed = {
    params: (route.pathParams as z.ZodType | undefined)?.safeParse(texts),
    query: (route.query as z.ZodType | undefined)?.safeParse(texts),
    body: ('body' in route ? (route.body as z.ZodType) : undefined)?.safeParse(given),
  };
  const faults = {
    pathParams: parsed.params?.error ?? null,
    query: parsed.query?.error ?? null,
    body: parsed.body?.error ?? null,
    headers: null,
  };
  if (faults.pathParams || faults.query || faults.body)
    throw toDomainError(faults as unknown as Parameters<typeof toDomainError>[0], route);
  return { params: parsed.params?.data, query: parsed.query?.data, body: parsed.body?.data, texts };
}

/** The URL of the same request over REST: lists name their other pages by it. */
function urlOf(
  { path }: NamedRoute['route'],
  { query, texts }: ParsedInput,
  { url: { origin } }: RestCall,
): URL {
  const params = Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, String(value)]));
  const url = new URL(insertParamsIntoPath({ path, params }), origin);
  for (const key of Object.keys(isPlainObject(query) ? query : {}))
    if (typeof texts[key] === 'string') url.searchParams.set(key, texts[key]);
  return url;
}
