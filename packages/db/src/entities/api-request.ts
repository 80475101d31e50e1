/**
 * The API log: requests that API tokens made to the REST API and to the MCP server. Written with SQL only, in batches.
 * Without foreign keys, so that a write waits for no other transaction; the removal of a user deletes the rows.
 */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { generatedId, instant, looseId } from './columns.ts';

/** One request, or the rate-limited requests of a token in a minute. */
export const ApiRequest = defineEntity({
  name: 'ApiRequest',
  tableName: 'api_requests',
  indexes: [
    { name: 'api_requests_user_id_id_index', properties: ['userId', 'id'] },
    { name: 'api_requests_at_index', properties: ['at'] },
  ],
  properties: {
    id: generatedId(),
    /** When it arrived. */
    at: instant(),
    userId: looseId(),
    tokenId: looseId(),
    method: p.text(),
    /** The pattern, such as `/api/user/calls/:id`, never the values in it. */
    path: p.text(),
    /** The operation of the contract, for example `calls.get`; `mcp` for a request to the MCP server that runs none. */
    operation: p.text(),
    /** The `id` in the path, of a request that succeeded; null otherwise. */
    objectId: looseId().strictNullable(),
    status: p.integer(),
    /** The code of an error. */
    code: p.text().strictNullable(),
    durationMs: p.integer(),
    /** False when the client disconnected before the end of the answer. */
    isComplete: p.boolean(),
    requestId: p.uuid().unique(),
    networkAddress: p.text(),
    /** How many requests the row stands for; more than 1 for rate-limited ones only. */
    count: p.integer(),
  },
});

/** A row of {@link ApiRequest}. */
export type ApiRequestRow = InferEntity<typeof ApiRequest>;
