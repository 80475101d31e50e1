/** The endpoints of the contract by path and method, each with its handler, its shapes and what it says of itself. */
import { api, metadataOf, routesOf, type NamedRoute, type RouteMetadata } from '@parley/contracts';
import type { z } from 'zod';
import { createRouteTable, type RouteTable } from '../http/route-table.ts';
import type { AllHandlers, RestCall } from './handlers.ts';
import { shapesOf, type InputShapes, type RequestInput } from './validate-input.ts';

/** What a handler answers. */
export interface Answer {
  status: number;
  body: unknown;
}

/** One endpoint at one of its paths. */
export interface Endpoint {
  /** The pattern. */
  path: string;
  facts: RouteMetadata;
  shapes: InputShapes;
  /** By status. */
  answers: Record<number, z.ZodType>;
  handler: (call: RestCall, input: RequestInput) => Promise<Answer>;
}

/** The endpoints of one path, by method. HEAD is answered as GET. */
export type EndpointsOfPath = ReadonlyMap<string, Endpoint>;

/** Every endpoint, at its path and its other paths. */
export function tableOfEndpoints(handlers: AllHandlers): RouteTable<EndpointsOfPath> {
  const byPath = new Map<string, Map<string, Endpoint>>();
  for (const named of routesOf(api)) {
    const facts = metadataOf(named.route);
    for (const path of [named.route.path, ...(facts.aliases ?? [])]) {
      const endpoint = endpointOf(named, path, handlers);
      const methods = byPath.get(path) ?? new Map<string, Endpoint>();
      byPath.set(path, methods.set(named.route.method, endpoint));
      if (named.route.method === 'GET') methods.set('HEAD', endpoint);
    }
  }
  return createRouteTable(byPath);
}

function endpointOf({ group, name, route }: NamedRoute, path: string, handlers: AllHandlers): Endpoint {
  // Types end here: they were checked on the handlers.
  const untyped = handlers as unknown as Record<string, Record<string, Endpoint['handler']>>;
  const handler = untyped[group]?.[name];
  if (!handler) throw new Error(`The endpoint ${group}.${name} has no handler`);
  const answers = route.responses as Record<number, z.ZodType>;
  return { path, facts: metadataOf(route), shapes: shapesOf(route), answers, handler };
}
