/**
 * Users: the user of the token, which existing clients read to test a token, and all users, for operators.
 */
import { z } from 'zod';
import { messageAnswer, written } from './answers.ts';
import { c, metadata } from './contract.ts';
import { isoMicrosecondsField } from './dates.ts';
import { ownLimitsBody, ownLimitsRecord } from './dial-limit-fields.ts';
import { bodyErrors, singleErrors } from './errors.ts';
import {
  boolean,
  choice,
  idParameter,
  integer,
  nullable,
  requiredText,
  shape,
  text,
  timeZone,
  webAddress,
} from './fields.ts';

/** Operators own shared resources; members own their own. */
export const userRoles = ['operator', 'member'] as const;

/** The user of a token. */
export const meRecord = z
  .strictObject({
    name: z.string(),
    email: z.string(),
    /** Always 0: there is no billing, and existing clients declare a number. */
    total_balance: z.literal(0),
  })
  .meta({ id: 'Me' });

/** A user as operators see them. */
export const userRecord = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    email: z.string(),
    role: z.enum(userRoles),
    /** Local date-times are in this zone. */
    timezone: z.string(),
    /** Two letters; numbers without `+` are numbers of this country. */
    default_country: z.string().nullable(),
    /** Maximum number of concurrent calls. */
    max_calls: z.int(),
    /** How often all calls of the user may dial one number within 24 hours; null: no limit. */
    max_attempts_per_number_per_day: z.int().nullable(),
    /** Within seven times 24 hours. */
    max_attempts_per_number_per_week: z.int().nullable(),
    ...ownLimitsRecord,
    /** Receives the events `limit.warning` and `limit.reached`; null: nothing is sent. */
    limit_webhook_url: z.string().nullable(),
    /** A disabled user cannot sign in, use the API, call or be called; null: the user is enabled. */
    disabled_at: isoMicrosecondsField.nullable(),
    /** The data of the user is being deleted, and the user disappears afterwards; null: not requested. */
    removal_requested_at: isoMicrosecondsField.nullable(),
    /** Signing in to the admin app asks for a code after the password. */
    has_second_factor: z.boolean(),
    created_at: isoMicrosecondsField,
  })
  .meta({ id: 'User' });

const defaultCountry = nullable(text({ maximum: 2 })).optional();
const maxCalls = integer({ minimum: 1, maximum: 10_000 }).optional();
const limitWebhookUrl = nullable(webAddress()).optional();
const maxAttempts = nullable(integer({ minimum: 1, maximum: 1_000 })).optional();

/** Body of POST /api/user/users. */
export const newUserBody = shape({
  name: requiredText({ maximum: 255 }),
  email: requiredText({ maximum: 255 }),
  /** Absent or null: the user signs in by link only. */
  password: nullable(text().meta({ minLength: 8, maxLength: 1000 })).optional(),
  role: choice(userRoles).default('member'),
  timezone: timeZone().default('UTC'),
  default_country: defaultCountry,
  /** Absent: 10,000. */
  max_calls: maxCalls,
  max_attempts_per_number_per_day: maxAttempts,
  max_attempts_per_number_per_week: maxAttempts,
  ...ownLimitsBody,
  limit_webhook_url: limitWebhookUrl,
});

/** Body of PUT /api/user/users/{id}: omitted fields stay unchanged. */
export const userChangesBody = shape({
  name: requiredText({ maximum: 255 }).optional(),
  role: choice(userRoles).optional(),
  timezone: timeZone().optional(),
  default_country: defaultCountry,
  max_calls: maxCalls,
  /** A higher limit applies at once, also to leads that wait for a lower one. */
  max_attempts_per_number_per_day: maxAttempts,
  max_attempts_per_number_per_week: maxAttempts,
  ...ownLimitsBody,
  /** Null also disables the webhooks that wait. */
  limit_webhook_url: limitWebhookUrl,
  /** True ends the user's sessions and stops the user's campaigns; calls in progress go on. */
  is_disabled: boolean().optional(),
});

/** The user behind a token. */
export type MeRecord = z.output<typeof meRecord>;
/** A user as operators see them. */
export type UserRecord = z.output<typeof userRecord>;
/** The body that creates a user. */
export type NewUser = z.output<typeof newUserBody>;
/** The body that changes a user. */
export type UserChanges = z.output<typeof userChangesBody>;

const ONE_PATH = '/api/user/users/:id';
const one = metadata({ scope: 'write', role: 'operator', notFoundMessage: 'User not found' });
const userWritten = written(userRecord).meta({ id: 'UserWritten' });

/** The endpoints of users. */
export const users = c.router({
  me: {
    method: 'GET',
    path: '/api/user/me',
    summary: 'The user behind the token',
    responses: { 200: meRecord },
    metadata: metadata({ scope: null }),
  },
  list: {
    method: 'GET',
    path: '/api/user/users',
    summary: 'List all users',
    responses: { 200: z.array(userRecord) },
    metadata: metadata({ scope: 'read', role: 'operator' }),
  },
  create: {
    method: 'POST',
    path: '/api/user/users',
    summary: 'Add a user',
    body: newUserBody,
    responses: { 201: userWritten, ...bodyErrors },
    metadata: metadata({ scope: 'write', role: 'operator' }),
  },
  update: {
    method: 'PUT',
    path: ONE_PATH,
    pathParams: idParameter,
    summary: "Change a user's name, role, time zone, country or limits, or disable a user",
    body: userChangesBody,
    responses: { 200: userWritten, ...bodyErrors, ...singleErrors },
    metadata: one,
  },
  remove: {
    method: 'DELETE',
    path: ONE_PATH,
    pathParams: idParameter,
    summary: 'Remove a disabled user with all their data',
    responses: { 200: messageAnswer, ...bodyErrors, ...singleErrors },
    metadata: one,
  },
});
