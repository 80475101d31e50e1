/**
 * The two kinds of procedure: public ones, and those that require a session. Errors go through the same table as REST's;
 * a client finds the status in `data.httpStatus` and messages per field in `data.errors`.
 */
import { errorText, fieldErrors, fieldFault, findUnstorable, wording } from '@parley/contracts';
import {
  auditCommitted,
  DomainError,
  findSession,
  type FieldMessages,
  type FoundSession,
} from '@parley/core';
import { networkOf } from '@parley/runtime';
import { initTRPC, TRPCError, type TRPC_ERROR_CODE_KEY } from '@trpc/server';
import { ZodError } from 'zod';
import { requireAllowance } from '../http/rate-limit.ts';
import { RECENT_MS } from '../http/renew-identity.ts';
import { toHttpError } from '../http-errors.ts';
import type { AppSocket } from './app-socket.ts';
import type { TrpcContext } from './context.ts';

/** Facts of a procedure that middleware reads. */
interface ProcedureMeta {
  /** False for mutations without an entry in the audit log: they write nothing, or what they create has its own record. */
  isAudited?: false;
}

const t = initTRPC
  .context<TrpcContext>()
  .meta<ProcedureMeta>()
  .create({
    // Stack traces are for the log only.
    isDev: false,
    errorFormatter: ({ shape, error }) => ({ ...shape, data: { ...shape.data, errors: fieldsOf(error) } }),
  });

/** Groups procedures. */
export const router = t.router;

const CODES: Record<number, TRPC_ERROR_CODE_KEY> = {
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
};

function fieldsOf(error: TRPCError): FieldMessages {
  return error.cause instanceof DomainError ? error.cause.fields : {};
}

/** Errors of tRPC itself keep their code; all others go through our table. */
function translate(error: TRPCError): TRPCError {
  const cause = domainErrorFrom(error.cause) ?? error.cause;
  const isOurs = cause instanceof DomainError;
  if (!isOurs && error.code !== 'INTERNAL_SERVER_ERROR') return error;
  return toTrpcError(cause);
}

/** An error outside procedures, such as in creating their context. */
export function toTrpcError(cause: unknown): TRPCError {
  const { status, body } = toHttpError(cause);
  return new TRPCError({ code: CODES[status] ?? 'INTERNAL_SERVER_ERROR', message: body.message, cause });
}

/** Updates have their fields in `changes`, and a call with a draft has them in `draft`. Forms name the fields alone. */
function withoutWrapper(path: PropertyKey[]): PropertyKey[] {
  return path[0] === 'changes' || path[0] === 'draft' ? path.slice(1) : path;
}

function domainErrorFrom(cause: unknown): DomainError | null {
  if (!(cause instanceof ZodError)) return null;
  const issues = cause.issues.map((issue) => ({ ...issue, path: withoutWrapper(issue.path) }));
  return new DomainError('invalid', errorText.invalidData, { fields: fieldErrors(issues), cause });
}

const withOurErrors = t.middleware(async ({ next }) => {
  const result = await next();
  if (!result.ok) throw translate(result.error);
  return result;
});

const rateLimited = t.middleware(({ ctx, next }) => {
  const { session, networkAddress } = ctx;
  requireAllowance(
    ctx.rateLimit.count(session ? `user ${session.userId}` : `visitor ${networkOf(networkAddress)}`),
  );
  return next();
});

const fromOwnPageOnly = t.middleware(({ ctx, type, next }) => {
  if (type === 'mutation' && !ctx.isFromOwnPage)
    throw new DomainError('forbidden', 'A page of another origin must not do this.');
  return next();
});

/**
 * A socket has the role and the address of the moment when it opened, so it carries subscriptions only. Over HTTP a subscription
 * would have no heartbeat and none of the limits of sockets.
 */
const subscriptionsOnlyOnSockets = t.middleware(({ ctx, type, next }) => {
  if (ctx.socket && type !== 'subscription')
    throw new DomainError('forbidden', 'This procedure is available over HTTP only.');
  if (!ctx.socket && type === 'subscription')
    throw new DomainError('forbidden', 'This procedure is available over a WebSocket only.');
  return next();
});

const storableOnly = t.middleware(async ({ getRawInput, next }) => {
  // Malformed input is rejected later, by the procedure's own schema.
  const path = findUnstorable(await getRawInput().catch(() => undefined));
  if (path)
    throw new DomainError('invalid', errorText.invalidData, {
      fields: fieldFault(path.join('.'), wording.format),
    });
  return next();
});

/** Longer names are none of ours. */
const FIELD_NAME = /^[a-z_]{1,64}$/i;
const MOST_FIELDS = 100;

interface MutationInput {
  id?: unknown;
  changes?: object;
}

/** Every successful mutation of a signed-in user gets an entry in the audit log. */
const audited = t.middleware(async ({ ctx, type, path, meta, getRawInput, next }) => {
  const result = await next();
  if (!result.ok || type !== 'mutation' || !ctx.session || meta?.isAudited === false) return result;
  const { id, changes, ...others } = Object(await getRawInput().catch(() => undefined)) as MutationInput;
  const made = Object(result.data) as { id?: unknown };
  await auditCommitted(ctx.core, {
    channel: 'app',
    operation: path,
    userId: ctx.session.userId,
    networkAddress: ctx.networkAddress,
    objectId: [id, made.id].find((value): value is number => Number.isSafeInteger(value)) ?? null,
    fields: Object.keys(changes ?? others)
      .filter((name) => FIELD_NAME.test(name))
      .slice(0, MOST_FIELDS),
  });
  return result;
});

/** Requires no session. */
export const openProcedure = t.procedure
  .use(withOurErrors)
  .use(rateLimited)
  .use(fromOwnPageOnly)
  .use(subscriptionsOnlyOnSockets)
  .use(storableOnly)
  .use(audited);

const neverInBatch = t.middleware(({ ctx, next }) => {
  if (ctx.batchSize > 1) throw new DomainError('forbidden', 'This procedure must not be part of a batch.');
  return next();
});

/** Checks a password or a secret, which a batch could guess many times in one request. */
export const credentialProcedure = openProcedure.use(neverInBatch);

const signedInOnly = t.middleware(async ({ ctx, next }) =>
  next({ ctx: { session: requireSession(await sessionAfterBody(ctx)) } }),
);

/** For signed-in users; `ctx.session` is theirs. */
export const userProcedure = openProcedure.use(signedInOnly);

/** For subscriptions of signed-in users. */
export const liveProcedure = userProcedure.use(({ ctx, next }) => next({ ctx: { socket: socketOf(ctx) } }));

/** For signed-in users who give a password again. */
export const userCredentialProcedure = credentialProcedure.use(signedInOnly);

/** The session was found before the body was read, for which a client may take long (http/renew-identity.ts). */
async function sessionAfterBody({ core, session, cookie, socket, foundAtMs }: TrpcContext) {
  if (socket || cookie === null || core.clock.monotonic() - foundAtMs < RECENT_MS) return session;
  return findSession(core, cookie, { canSetCookie: false });
}

function requireSession(session: FoundSession | null): FoundSession {
  if (!session) throw new DomainError('unauthenticated', errorText.unauthenticated);
  return session;
}

/** @throws Error over HTTP, where subscriptions were refused before */
function socketOf({ socket }: TrpcContext): AppSocket {
  if (!socket) throw new Error('A subscription has no socket');
  return socket;
}
