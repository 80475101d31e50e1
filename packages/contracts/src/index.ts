/**
 * Every endpoint of Parley, once. Handlers, validation, the client and the API document are all made from `api`;
 * `internal` is the private contract between our processes.
 */
import { assistants } from './assistants.ts';
import { calls } from './calls.ts';
import { c } from './contract.ts';
import { commonErrors } from './errors.ts';
import { lookups } from './lookups.ts';
import { users } from './users.ts';

/** The public REST API. */
export const api = c.router(
  { assistants, lookups, calls, users },
  { strictStatusCodes: true, commonResponses: commonErrors },
);

export { scopes, type RouteMetadata, type Scope } from './contract.ts';
export { assistantDefaults } from './assistant-defaults.ts';
export * from './assistant-input.ts';
export * from './assistant-record.ts';
export * from './call-record.ts';
export * from './coercion.ts';
export * from './dates.ts';
export * from './envelope.ts';
export * from './errors.ts';
export * from './field-wording.ts';
export * from './fields.ts';
export * from './webhooks.ts';
export { callFilters, callsQuery, makeCallBody, type CallsQuery } from './calls.ts';
export * from './lookups.ts';
export { meRecord, type MeRecord } from './users.ts';
export * from './internal.ts';
export { createOpenApi, metadataOf, routesOf, type NamedRoute, type OpenApiOptions } from './openapi.ts';
