/** Users and their authentication: passwords, API tokens, browser sessions, one-time sign-in links. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

const owner = () => p.manyToOne(User).mapToPk().joinColumn('user_id').deleteRule('cascade');

/** A user. E-mail addresses are stored in lower case. */
export const User = defineEntity({
  name: 'User',
  tableName: 'users',
  checks: [{ name: 'users_email_lower_check', expression: 'email = lower(email)' }],
  properties: {
    id: p.bigint('number').primary(),
    uuid: p.uuid().unique(),
    name: p.text(),
    email: p.text().unique(),
    role: p.enum(['operator', 'member']),
    /** argon2id in its text form; null if the user signs in with links and tokens only. */
    passwordHash: p.text().strictNullable(),
    timezone: p.text().default('UTC'),
    /** Two letters; numbers without `+` are read as numbers of this country. */
    defaultCountry: p.text().strictNullable(),
    /** Customers are told when a supervisor listens in to their call. */
    announcesListening: p.boolean().default(true),
    /** Maximum of concurrent calls of all kinds. Inbound calls count but are never refused because of it. */
    maxCalls: p.integer().default(10_000),
    /** How often one number may be dialed within 24 hours, and within 7 times 24 hours. Null: no limit. */
    maxAttemptsPerNumberPerDay: p.integer().strictNullable(),
    maxAttemptsPerNumberPerWeek: p.integer().strictNullable(),
    /** Limits beside those of all users, of which the tighter one applies. A day is UTC's. Null: those of all users only. */
    maxCallsPerSecond: p.integer().strictNullable(),
    maxCallsPerDay: p.integer().strictNullable(),
    maxCostPerDay: p.decimal('number').columnType('numeric(12,6)').strictNullable(),
    /** Receives `limit.warning` and `limit.reached`. Null: nothing is sent. */
    limitWebhookUrl: p.text().strictNullable(),
    /** The `whsec_…` secret that signs this user's webhooks, sealed. */
    webhookSecretSealed: p.text(),
    /** The previous secret, sealed; webhooks also carry its signature until the instant below. */
    webhookSecretOldSealed: p.text().strictNullable(),
    webhookSecretOldUntil: p.datetime(6).strictNullable(),
    createdAt: p.datetime(6),
    /** To the admin app; null while the user has never signed in. */
    lastSignInAt: p.datetime(6).strictNullable(),
    /** When an operator disabled the account: it cannot sign in, use the API, call or be called. */
    disabledAt: p.datetime(6).strictNullable(),
    /** When an operator requested the removal of the user, whose data a job deletes; the user stays disabled. */
    removalRequestedAt: p.datetime(6).strictNullable(),
    /** The secret of the authenticator app in base32, sealed; null without one. */
    totpSecretSealed: p.text().strictNullable(),
    /** Null until a first code has confirmed the secret: signing in asks for no code before. */
    totpEnabledAt: p.datetime(6).strictNullable(),
    /** The time step of the last code that was used: each code works once. */
    totpLastStep: p.integer().strictNullable(),
  },
});

/** A bearer token of the REST API; only its SHA-256 is stored. */
export const ApiToken = defineEntity({
  name: 'ApiToken',
  tableName: 'api_tokens',
  properties: {
    id: p.bigint('number').primary(),
    userId: () => owner().index(),
    name: p.text(),
    tokenHash: p.blob().unique(),
    /** The first characters, to recognise a token in a list. */
    prefix: p.text(),
    /** Null: all scopes. */
    scopes: p.array().columnType('text[]').strictNullable(),
    /** E.164, or the beginning of a number and `*`; null: all numbers. */
    allowedNumbers: p.array().columnType('text[]').strictNullable(),
    /** Null: the limits of all tokens only. A day is UTC's. */
    maxCallsPerDay: p.integer().strictNullable(),
    maxCostPerDay: p.decimal('number').columnType('numeric(12,6)').strictNullable(),
    /** It acts through MCP only, where each action is confirmed. */
    requiresConfirmation: p.boolean().default(false),
    expiresAt: p.datetime(6).strictNullable(),
    revokedAt: p.datetime(6).strictNullable(),
    lastUsedAt: p.datetime(6).strictNullable(),
    createdAt: p.datetime(6),
  },
});

/** A code that confirms one action of a token. Written with SQL only. */
export const ActionConfirmation = defineEntity({
  name: 'ActionConfirmation',
  tableName: 'action_confirmations',
  indexes: [{ name: 'action_confirmations_token_id_index', properties: ['tokenId'] }],
  properties: {
    codeHash: p.blob().primary(),
    tokenId: () => p.manyToOne(ApiToken).mapToPk().joinColumn('token_id').deleteRule('cascade'),
    tool: p.text(),
    /** SHA-256 of the arguments. */
    contentHash: p.blob(),
    expiresAt: p.datetime(6),
  },
});

/** A signed-in browser; the key is the SHA-256 of the cookie. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    idHash: p.blob().primary(),
    userId: () => owner().index(),
    createdAt: p.datetime(6),
    expiresAt: p.datetime(6),
    lastSeenAt: p.datetime(6),
    /** When a newer cookie replaced it; null while it is the newest. */
    replacedAt: p.datetime(6).strictNullable(),
    /** Shared by all cookies that one sign-in has had, so that they end together. */
    signInId: p.uuid().defaultRaw('gen_random_uuid()').index(),
    /** Null: before this was recorded. */
    signedInAt: p.datetime(6).strictNullable(),
    /** Where the sign-in came from. */
    networkAddress: p.text().strictNullable(),
    userAgent: p.text().strictNullable(),
    /** The sign-in was by link: until then the password may be set without the current one. */
    passwordResetUntil: p.datetime(6).strictNullable(),
  },
});

/** A link that signs a user in once. */
export const SignInLink = defineEntity({
  name: 'SignInLink',
  tableName: 'sign_in_links',
  properties: {
    secretHash: p.blob().primary(),
    userId: () => owner().index(),
    expiresAt: p.datetime(6),
    usedAt: p.datetime(6).strictNullable(),
  },
});

/** A code that replaces one of the authenticator app once; its row is deleted when it is used. */
export const RecoveryCode = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_codes',
  properties: {
    /** SHA-256. */
    codeHash: p.blob().primary(),
    userId: () => owner().index(),
  },
});

/** Failed sign-ins with one e-mail address from one network address within a time window. */
export const SignInAttempt = defineEntity({
  name: 'SignInAttempt',
  tableName: 'sign_in_attempts',
  properties: {
    /** SHA-256 of e-mail and network address, which are not stored themselves. */
    bucket: p.blob().primary(),
    windowStartedAt: p.datetime(6),
    failures: p.integer(),
  },
});

/** The requests of one minute that a rate limit counts, of all api processes. */
export const RateLimitWindow = defineEntity({
  name: 'RateLimitWindow',
  tableName: 'rate_limit_windows',
  properties: {
    /** SHA-256 of what is limited, which may be a network address and is not stored itself. */
    key: p.blob().primary(),
    startedAt: p.datetime(6),
    used: p.integer(),
  },
});

/** The response to a request with an `Idempotency-Key`; `status` is null while the first request is running. */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  properties: {
    tokenId: () => p.manyToOne(ApiToken).mapToPk().joinColumn('token_id').deleteRule('cascade').primary(),
    key: p.text().primary(),
    bodyHash: p.blob(),
    status: p.integer().strictNullable(),
    body: p.json<unknown>().nullable(),
    createdAt: p.datetime(6).index(),
  },
});

/** A row of {@link User}. */
export type UserRow = InferEntity<typeof User>;
/** A row of {@link ApiToken}. */
export type TokenRow = InferEntity<typeof ApiToken>;
/** A row of {@link Session}. */
export type SessionRow = InferEntity<typeof Session>;
/** Operators manage shared rows; members manage their own. */
export type UserRole = UserRow['role'];
