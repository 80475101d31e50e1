/**
 * API tokens of the requesting user. A token is shown once, when it is created; of older ones only the first characters are
 * known. See docs/api.md, "Identity".
 */
import { z } from 'zod';
import { messageAnswer, written } from './answers.ts';
import { c, metadata, scopes } from './contract.ts';
import { isoMicrosecondsField } from './dates.ts';
import { bodyErrors, singleErrors } from './errors.ts';
import { wording } from './field-wording.ts';
import {
  boolean,
  choice,
  idParameter,
  instant,
  integer,
  list,
  nullable,
  number,
  requiredText,
  shape,
  text,
} from './fields.ts';

/** A token as it is listed. */
export const tokenRecord = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    /** The first characters. */
    prefix: z.string(),
    /** Null: everything that its user may do. */
    scopes: z.array(z.enum(scopes)).nullable(),
    /** The numbers that it may call; null: all. */
    allowed_numbers: z.array(z.string()).nullable(),
    /** Null: the limits of all tokens only. A day is UTC's. */
    max_calls_per_day: z.int().nullable(),
    max_cost_per_day: z.number().nullable(),
    /** It acts through MCP only, where each action is confirmed. */
    requires_confirmation: z.boolean(),
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
    /** Shown only once; null where `Idempotency-Key` gives the answer again. */
    token: z.string().nullable(),
  })
  .meta({ id: 'NewTokenRecord' });

/** More than there are, because a list may repeat scopes. */
const MAX_SCOPES = 20;

const MAX_ALLOWED_NUMBERS = 1000;
/** E.164, or the beginning of a number and `*`. */
const allowedNumber = text()
  .regex(/^\+[1-9]\d{0,14}\*?$/, wording.format)
  .meta({ pattern: String.raw`^\+[1-9]\d{0,14}\*?$` });

/** Body of POST /api/user/tokens. */
export const newTokenBody = shape({
  name: requiredText({ maximum: 255 }),
  /** Absent or null: the scopes of the requesting token. */
  scopes: nullable(list(choice(scopes), { minimum: 1, maximum: MAX_SCOPES })).optional(),
  /** Absent or null: all numbers. Tokens with limits need the scopes `read` and `call` only. */
  allowed_numbers: nullable(list(allowedNumber, { maximum: MAX_ALLOWED_NUMBERS })).optional(),
  max_calls_per_day: nullable(integer({ minimum: 0, maximum: 1_000_000 })).optional(),
  max_cost_per_day: nullable(number({ minimum: 0, maximum: 100_000 })).optional(),
  /** It acts through MCP only, where each action is confirmed with a code. */
  requires_confirmation: boolean().optional(),
  /** Absent or null: it expires with the requesting token, if that expires. A later time is refused. */
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
    summary: 'Create an API token; it is shown only once',
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
