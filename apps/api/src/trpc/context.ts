/**
 * The context of every procedure: the session of the cookie, and how to change that cookie. Browsers use HTTP for queries
 * and mutations, and a WebSocket for subscriptions.
 */
import type { IncomingMessage } from 'node:http';
import { errorText } from '@parley/contracts';
import {
  DomainError,
  findSession,
  type CoreContext,
  type FoundSession,
  type RetentionDays,
} from '@parley/core';
import type { CreateExpressContextOptions } from '@trpc/server/adapters/express';
import type { Request, Response } from 'express';
import type { CallFeed } from '../call-feed.ts';
import type { AppSocket } from './app-socket.ts';
import { requireFewValues } from './kept-body.ts';
import type { DiagnoseTrunk } from '../diagnose-trunk.ts';
import type { SuperviseCall } from '../supervise-call.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { hasBody } from '../http/body-time.ts';
import { factsOf } from '../http/request-facts.ts';
import { isFromOwnPage, type OriginReader } from '../http/request-origin.ts';

const SESSION_COOKIE = 'parley_session';

/** The largest body of a request without a session. */
const MAX_STRANGER_BYTES = 16_384;

/** Shared by all requests. */
export interface TrpcParts {
  core: CoreContext;
  feed: CallFeed;
  diagnoseTrunk: DiagnoseTrunk;
  superviseCall: SuperviseCall;
  /** The rate limit of each user, and of each network address without a session. */
  rateLimit: RateLimit;
  /** The rate limit of each user for requests of tools that are tried. */
  toolTrials: RateLimit;
  /** The periods in force; the same variables reach the worker. */
  retention: RetentionDays;
}

/**
 * Created for each request, and once for each WebSocket. Its `core` has the request's own origin as `publicUrl` where none is
 * configured.
 */
export interface TrpcContext extends TrpcParts {
  session: FoundSession | null;
  /** When the session was looked up, on the monotonic clock. */
  foundAtMs: number;
  /** The session cookie's value. */
  cookie: string | null;
  /** For limiting attempts to sign in. */
  networkAddress: string;
  /** The browser's own description of itself. */
  userAgent: string | null;
  /** False when a page of another origin sent the request. */
  isFromOwnPage: boolean;
  /** The WebSocket, whose session was looked up when it opened; null over HTTP. */
  socket: AppSocket | null;
  /** Procedures in the same HTTP request; more than one in a batch. */
  batchSize: number;
  /** Null removes the cookie. Has no effect on a WebSocket. */
  setCookie(cookie: { value: string; expiresAt: Date } | null): void;
}

/** @returns the cookie's value, or null */
export function sessionCookieOf(request: IncomingMessage): string | null {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([name]) => name === SESSION_COOKIE)?.[1] ?? null;
}

/**
 * For HTTP: renews the cookie when its session was rotated, and waits for the body.
 *
 * @throws DomainError `unauthenticated` for a large body without a session; RefusedRequest for one that is not to be parsed
 */
export async function contextOfRequest(
  { originOf, ...parts }: TrpcParts & { originOf: OriginReader },
  { req: request, res: response, info }: CreateExpressContextOptions,
): Promise<TrpcContext> {
  const publicUrl = originOf(request);
  const core = { ...parts.core, publicUrl };
  const cookie = sessionCookieOf(request);
  const session = cookie === null ? null : await findSession(core, cookie);
  if (!session && isLarge(request)) throw new DomainError('unauthenticated', errorText.unauthenticated);
  const setCookie = cookieSetter(response, publicUrl);
  if (session?.newCookie) setCookie(session.newCookie);
  factsOf(response).identity = session;
  const foundAtMs = core.clock.monotonic();
  // Operators are trusted, and their price lists are long.
  if (session?.role !== 'operator') await requireFewValues(request);
  return {
    ...parts,
    core,
    session,
    foundAtMs,
    cookie,
    networkAddress: request.ip ?? '',
    userAgent: request.headers['user-agent'] ?? null,
    isFromOwnPage: isFromOwnPage(request, parts.core.publicUrl),
    socket: null,
    batchSize: info.calls.length,
    setCookie,
  };
}

/** Signing in takes little. What is larger is not read, because reading it takes longer than sending it. */
function isLarge(request: Request): boolean {
  return hasBody(request) && !(Number(request.headers['content-length']) <= MAX_STRANGER_BYTES);
}

/** A request that has become a WebSocket. */
export interface SocketRequest {
  request: IncomingMessage;
  /** Behind trusted proxies, the address that they forward. */
  networkAddress: string;
  socket: AppSocket;
}

/**
 * For a WebSocket, whose origin was checked when it opened.
 *
 * @throws DomainError `too-many` for a user with too many sockets
 */
export async function contextOfSocket(
  parts: TrpcParts,
  { request, networkAddress, socket }: SocketRequest,
): Promise<TrpcContext> {
  const publicUrl = parts.core.publicUrl ?? `http://${request.headers.host ?? 'localhost'}`;
  const core = { ...parts.core, publicUrl };
  const cookie = sessionCookieOf(request);
  const session = cookie === null ? null : await findSession(core, cookie, { canSetCookie: false });
  if (session) socket.belongTo(session);
  return {
    ...parts,
    core,
    session,
    foundAtMs: core.clock.monotonic(),
    cookie,
    networkAddress,
    userAgent: request.headers['user-agent'] ?? null,
    isFromOwnPage: true,
    socket,
    batchSize: 1,
    setCookie: () => undefined,
  };
}

function cookieSetter(response: Response, publicUrl: string): TrpcContext['setCookie'] {
  const shared = {
    httpOnly: true,
    sameSite: 'lax',
    secure: publicUrl.startsWith('https:'),
    path: '/',
  } as const;
  return (cookie) => {
    if (cookie)
      response.cookie(SESSION_COOKIE, cookie.value, { ...shared, expires: cookie.expiresAt, encode: String });
    else response.clearCookie(SESSION_COOKIE, shared);
  };
}
