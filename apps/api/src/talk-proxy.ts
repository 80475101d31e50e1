/**
 * Browser calls, supervisors of calls, and calls that carriers stream to us: a WebSocket at `/talk?ticket=...`,
 * `/supervise?ticket=...` or `/carriers/<account>/calls/<call>/stream` is proxied, byte by byte, to a voice process, which checks
 * the ticket. With this proxy a browser needs one origin for everything, and so does a carrier.
 */
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Duplex } from 'node:stream';
import { CARRIER_STREAM_PATH, SUPERVISION_PATH, WEB_CALL_PATH } from '@parley/contracts';
import {
  DomainError,
  findCallProcess,
  findSession,
  findWebCallTicket,
  isCarrierStream,
  isTelnyxStream,
  pickVoiceProcess,
  requireCallProcess,
  type CoreContext,
  type FoundSession,
} from '@parley/core';
import { refuseUpgrade } from '@parley/runtime';
import type { SessionWatch } from './session-watch.ts';
import { sessionCookieOf } from './trpc/context.ts';
import { isAllowedPage } from './widget/allowed-page.ts';

/** The voice process, and the secret that authenticates us there. */
export interface TalkProxyOptions {
  core: CoreContext;
  sessions: SessionWatch;
  internalSecret: string;
  /** Fixed address of voice; absent: a live process is selected from the database. */
  voiceUrl: string | undefined;
}

/** The time limit for voice to accept the socket, milliseconds. */
const ACCEPT_LIMIT_MS = 10_000;

/** The headers of the browser's handshake that voice needs; cookies and all others are not forwarded. */
const FORWARDED = [
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-extensions',
  'sec-websocket-protocol',
];

/**
 * Proxies one call of a page of the admin app: any process takes it. The ticket is valid only with a session of the user to whom
 * it was given, and the call ends soon after that session.
 */
export async function proxyTalk(
  options: TalkProxyOptions,
  request: IncomingMessage,
  browser: Duplex,
): Promise<void> {
  const session = await sessionOf(options.core, request);
  if (!session) return refuseUpgrade(browser, 401);
  const ticket = await findWebCallTicket(options.core, ticketOf(request));
  if (ticket && (ticket.widget !== null || ticket.userId !== session.userId))
    return refuseUpgrade(browser, 403);
  if (!closesWithSession(options, session, browser)) return;
  await proxyWebCall(options, request, browser);
}

/** The same for a visitor of a page that may use the widget. */
export async function proxyVisitor(
  options: TalkProxyOptions,
  request: IncomingMessage,
  browser: Duplex,
): Promise<void> {
  const { core } = options;
  const ticket = await findWebCallTicket(core, ticketOf(request));
  if (ticket && (ticket.widget === null || !isAllowedPage(core, request, ticket.widget)))
    return refuseUpgrade(browser, 403);
  await proxyWebCall(options, request, browser);
}

/** Voice refuses tickets that are unknown or used. */
async function proxyWebCall(
  options: TalkProxyOptions,
  request: IncomingMessage,
  browser: Duplex,
): Promise<void> {
  const { core, voiceUrl } = options;
  const base = voiceUrl ?? (await pickVoiceProcess(core.db, { canWait: false }))?.url ?? null;
  proxyTo(options, targetOf(base, WEB_CALL_PATH, request), { request, browser });
}

/**
 * Proxies the connection of a supervisor to the process of the call, with whose id the ticket begins. The ticket is valid only
 * with a session of the owner of the call, and the connection ends soon after that: a person who was disabled or signed out
 * hears nothing of a call that goes on.
 */
export async function proxySupervisor(
  options: TalkProxyOptions,
  request: IncomingMessage,
  browser: Duplex,
): Promise<void> {
  const { core } = options;
  const session = await sessionOf(core, request);
  if (!session) return refuseUpgrade(browser, 401);
  const callId = Number.parseInt(ticketOf(request), 10);
  const base = Number.isSafeInteger(callId) ? await findOwnProcess(core, session, callId) : null;
  if (!closesWithSession(options, session, browser)) return;
  proxyTo(options, targetOf(base, SUPERVISION_PATH, request), { request, browser });
}

async function sessionOf(core: CoreContext, request: IncomingMessage): Promise<FoundSession | null> {
  const cookie = sessionCookieOf(request);
  return cookie === null ? null : findSession(core, cookie, { canSetCookie: false });
}

/** @returns false for a connection that is closed already */
function closesWithSession(
  { sessions }: TalkProxyOptions,
  { signInId }: FoundSession,
  browser: Duplex,
): boolean {
  const closed = new AbortController();
  browser.once('close', () => closed.abort());
  if (browser.destroyed) return false;
  const end = sessions.untilEnded(signInId, closed.signal);
  end.addEventListener('abort', () => browser.destroy(), { once: true });
  return true;
}

/** @returns null also for another user's call */
async function findOwnProcess(
  core: CoreContext,
  session: FoundSession,
  callId: number,
): Promise<string | null> {
  try {
    return await requireCallProcess(core, session, callId);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/**
 * Proxies the stream of a call that a carrier holds. Twilio has signed the request. Telnyx signs none: the call must wait for a
 * stream, and voice checks the ticket.
 */
export async function proxyCarrierStream(
  options: TalkProxyOptions,
  { accountId, callId }: { accountId: number; callId: number },
  asked: { request: IncomingMessage; browser: Duplex },
): Promise<void> {
  const { core } = options;
  const signature = asked.request.headers['x-twilio-signature'];
  const isSigned = typeof signature === 'string';
  const isExpected = isSigned
    ? await isCarrierStream(core, { accountId, callId, signature })
    : await isTelnyxStream(core, { accountId, callId });
  if (!isExpected) return refuseUpgrade(asked.browser, 404);
  const base = await findCallProcess(core, callId);
  const path = `${CARRIER_STREAM_PATH}?carrier=${isSigned ? 'twilio' : 'telnyx'}`;
  proxyTo(options, base === null ? null : new URL(path, base), asked);
}

function proxyTo(
  options: TalkProxyOptions,
  target: URL | null,
  { request, browser }: { request: IncomingMessage; browser: Duplex },
): void {
  if (target === null) return refuseUpgrade(browser, 503);
  const upstream = askVoice(target, request, options.internalSecret);
  const { clock, log } = options.core;
  const limit = clock.after(ACCEPT_LIMIT_MS, () =>
    upstream.destroy(new Error('Voice did not accept in time')),
  );
  upstream.once('upgrade', (answer, voice, head) => {
    limit.cancel();
    join(browser, voice, { answer, head });
  });
  upstream.once('response', (answer) => {
    limit.cancel();
    answer.resume();
    refuseUpgrade(browser, answer.statusCode ?? 502);
  });
  upstream.once('error', (error) => {
    limit.cancel();
    log.warn({ err: error }, 'A WebSocket could not be connected to voice');
    refuseUpgrade(browser, 502);
  });
  browser.once('close', () => upstream.destroy());
  upstream.end();
}

function targetOf(base: string | null, path: string, request: IncomingMessage): URL | null {
  if (base === null) return null;
  const target = new URL(path, base);
  target.search = addressOf(request).search;
  return target;
}

function ticketOf(request: IncomingMessage): string {
  return addressOf(request).searchParams.get('ticket') ?? '';
}

function addressOf({ url }: IncomingMessage): URL {
  return new URL(url ?? '/', 'http://api');
}

function askVoice(target: URL, request: IncomingMessage, internalSecret: string) {
  const forwarded = FORWARDED.flatMap((name) => {
    const value = request.headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  const ask = target.protocol === 'https:' ? requestHttps : requestHttp;
  return ask(target, {
    headers: {
      ...Object.fromEntries(forwarded),
      connection: 'Upgrade',
      upgrade: 'websocket',
      authorization: `Bearer ${internalSecret}`,
    },
  });
}

/** Connects the two sockets; when one closes, the other is closed too. */
function join(browser: Duplex, voice: Duplex, accepted: { answer: IncomingMessage; head: Buffer }): void {
  const { answer, head } = accepted;
  const lines = answer.rawHeaders.flatMap((text, index, all) =>
    index % 2 === 0 ? [`${text}: ${all[index + 1] ?? ''}`] : [],
  );
  browser.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
  if (head.length > 0) browser.write(head);
  for (const [one, other] of [[browser, voice] as const, [voice, browser] as const]) {
    one.once('error', () => other.destroy());
    one.once('close', () => other.destroy());
    one.pipe(other);
  }
}
