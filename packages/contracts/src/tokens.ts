/**
 * API tokens of the requesting user. A token is shown once, when it is created; of older ones only the first characters are
 * known. See docs/api.md, "Identity".
 */
import { z } from 'zod';
import { messageAnswer, written } from './answers.ts';
import { c, metadata, scopes } from './contract.ts';
import { isoMicrosecondsField } from './dates.ts';
import { bodyErrors, singleErrors } from './errors.ts';
import { choice, idParameter, instant, list, nullable, requiredText, shape } from './fields.ts';

/** A token as it is listed. */
export const tokenRecord = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    /** The first characters. */
    prefix: z.string(),
    /** Null: everything that its user may do. */
    scopes: z.array(z.enum(scopes)).nullable(),
    expires_at: isoMicrosecondsField.nullable(),
    /** It is invalid from then on. */
    revoked_at: isoMicrosecondsField.nullable(),
    /** Exact to a minute. */
    last_used_at: isoMicrosecondsField.nullable(),
    created_at: isoMicrosecondsField,
  })
  .meta({ id: 'Token' });

/** A new token. */
export const newTokenRecord = tokenRecord
  .extend({
    /** Shown this once; null where `Idempotency-Key` gives the answer again. */
    token: z.string().nullable(),
  })
  .meta({ id: 'NewTokenRecord' });

/** More than there are, because a list may repeat scopes. */
const MAX_SCOPES = 20;

/** Body of POST /api/user/tokens. */
export const newTokenBody = shape({
  name: requiredText({ maximum: 255 }),
  /** Absent or null: the scopes of the requesting token. */
  scopes: nullable(list(choice(scopes), { minimum: 1, maximum: MAX_SCOPES })).optional(),
  /** Absent or null: it does not expire. */
  expires_at: nullable(instant()).optional(),
});

/** A token as it is listed. */
export type TokenRecord = z.output<typeof tokenRecord>;
/** A new token, with its text. */
export type NewTokenRecord = z.output<typeof newTokenRecord>;
/** The body that creates a token. */
export type NewToken = z.output<typeof newTokenBody>;

/** The endpoints of API tokens. */
export const tokens = c.router({
  list: {
    method: 'GET',
    path: '/api/user/tokens',
    summary: 'List your API tokens',
    responses: { 200: z.array(tokenRecord) },
    metadata: metadata({ scope: 'read' }),
  },
  create: {
    method: 'POST',
    path: '/api/user/tokens',
    summary: 'Make an API token; it is shown this once',
    body: newTokenBody,
    responses: { 201: written(newTokenRecord).meta({ id: 'TokenCreated' }), ...bodyErrors },
    metadata: metadata({ scope: 'write', secretFields: ['token'] }),
  },
  revoke: {
    method: 'DELETE',
    path: '/api/user/tokens/:id',
    pathParams: idParameter,
    summary: 'Revoke an API token with immediate effect',
    responses: { 200: messageAnswer, ...bodyErrors, ...singleErrors },
    metadata: metadata({ scope: 'write', notFoundMessage: 'Token not found' }),
  },
});
