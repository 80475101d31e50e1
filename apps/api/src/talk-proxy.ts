/**
 * Browser calls, supervisors of calls, and calls that carriers stream to us: a WebSocket at `/talk?ticket=...`,
 * `/supervise?ticket=...` or `/carriers/<account>/calls/<call>/stream` is proxied, byte by byte, to a voice process, which checks
 * the ticket. With this proxy a browser needs one origin for everything, and so does a carrier.
 */
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Duplex } from 'node:stream';
import { CARRIER_STREAM_PATH, SUPERVISE_PATH, SUPERVISION_PATH, WEB_CALL_PATH } from '@parley/contracts';
import { findCallProcess, isCarrierStream, pickVoiceProcess, type CoreContext } from '@parley/core';
import { refuseUpgrade } from './http/refuse-upgrade.ts';

/** The voice process, and the secret that authenticates us there. */
export interface TalkProxyOptions {
  core: CoreContext;
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

/** Proxies one upgrade request. */
export async function proxyTalk(
  options: TalkProxyOptions,
  request: IncomingMessage,
  browser: Duplex,
): Promise<void> {
  proxyTo(options, await findTarget(options, new URL(request.url ?? '/', 'http://api')), {
    request,
    browser,
  });
}

/** Proxies the stream of a call that a carrier holds, when the carrier has signed the request. */
export async function proxyCarrierStream(
  options: TalkProxyOptions,
  { accountId, callId }: { accountId: number; callId: number },
  asked: { request: IncomingMessage; browser: Duplex },
): Promise<void> {
  const { core } = options;
  const signature = asked.request.headers['x-twilio-signature'];
  const isSigned =
    typeof signature === 'string' && (await isCarrierStream(core, { accountId, callId, signature }));
  if (!isSigned) return refuseUpgrade(asked.browser, 404);
  const base = await findCallProcess(core, callId);
  proxyTo(options, base === null ? null : new URL(CARRIER_STREAM_PATH, base), asked);
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

/** A supervisor's ticket begins with the id of the call, which one process carries; any process takes a new call. */
async function findTarget({ core, voiceUrl }: TalkProxyOptions, asked: URL): Promise<URL | null> {
  const isSupervisor = asked.pathname === SUPERVISE_PATH;
  const callId = Number.parseInt(asked.searchParams.get('ticket') ?? '', 10);
  if (isSupervisor && !Number.isSafeInteger(callId)) return null;
  const base = isSupervisor
    ? await findCallProcess(core, callId)
    : (voiceUrl ?? (await pickVoiceProcess(core.db, { canWait: false }))?.url ?? null);
  if (base === null) return null;
  const target = new URL(isSupervisor ? SUPERVISION_PATH : WEB_CALL_PATH, base);
  target.search = asked.search;
  return target;
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
