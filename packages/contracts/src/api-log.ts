/** The API log: requests that API tokens made to the REST API and to the MCP server. Members read their own, operators all. */
import { z } from 'zod';
import { c, metadata } from './contract.ts';
import { cursorPage, cursorQuery } from './cursor.ts';
import { isoMicrosecondsField } from './dates.ts';
import { queryErrors } from './errors.ts';
import { choice, instant, integer, optionalQuery, text } from './fields.ts';
import { wording } from './field-wording.ts';
import { apiMethods, statusClasses } from './form-choices.ts';

/** Page size of the list where the query names none. */
const DEFAULT_PER_PAGE = 15;

/** One request. It has neither bodies nor query parameters, and no value of the path but the id of a record. */
const apiRequestRecord = z
  .strictObject({
    id: z.int(),
    /** When the request arrived. */
    at: isoMicrosecondsField,
    user_id: z.int(),
    user_email: z.string().nullable(),
    token_id: z.int(),
    token_name: z.string().nullable(),
    method: z.string(),
    /** The pattern, for example `/api/user/calls/:id`. */
    path: z.string(),
    /** The operation of the contract, for example `calls.get`; `mcp` for a request to the MCP server that runs none. */
    operation: z.string(),
    /** The `id` in the path of a request that succeeded; null otherwise. */
    object_id: z.int().nullable(),
    status: z.int(),
    /** The code of an error; also for a tool of the MCP server that failed, whose status is 200. */
    code: z.string().nullable(),
    /** From the arrival of the request to the end of the answer. */
    duration_ms: z.int(),
    /** False when the client disconnected before the end of the answer. */
    is_complete: z.boolean(),
    /** The answer's `X-Request-Id`. */
    request_id: z.uuid(),
    network_address: z.string(),
    /** How many requests the entry stands for: the rate-limited ones of a token in a minute; 1 for all others. */
    count: z.int(),
  })
  .meta({ id: 'ApiRequest' });

/** One entry of the API log. */
export type ApiRequestRecord = z.output<typeof apiRequestRecord>;

const requestId = text()
  .regex(/^[\dA-Fa-f]{8}(?:-[\dA-Fa-f]{4}){3}-[\dA-Fa-f]{12}$/, wording.format)
  .meta({ pattern: String.raw`^[\dA-Fa-f]{8}(?:-[\dA-Fa-f]{4}){3}-[\dA-Fa-f]{12}$` });

const query = z.object({
  status: optionalQuery(choice(statusClasses)),
  method: optionalQuery(choice(apiMethods)),
  /** The beginning of the operation's name, or of the path. */
  operation: optionalQuery(text({ maximum: 64 })),
  token_id: optionalQuery(integer()),
  user_id: optionalQuery(integer()),
  request_id: optionalQuery(requestId),
  from: optionalQuery(instant()),
  to: optionalQuery(instant()),
  per_page: optionalQuery(integer({ minimum: 1, maximum: 100 })).transform(
    (count) => count ?? DEFAULT_PER_PAGE,
  ),
  /** The number of an entry. */
  cursor: cursorQuery(z.tuple([z.int().nonnegative()]).readonly()),
});

/** The endpoint of the API log. */
export const apiLog = c.router({
  list: {
    method: 'GET',
    path: '/api/user/api-log',
    summary: 'List the requests that API tokens made, newest first; operators see those of all users',
    query,
    responses: { 200: cursorPage(apiRequestRecord).meta({ id: 'ApiLogPage' }), ...queryErrors },
    metadata: metadata({ scope: 'read' }),
  },
});
