/** A front with one endpoint behind it that answers each call, and far ends that are sockets. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { silentLog, systemClock } from '@parley/runtime';
import type { CallLeg } from '../src/call-leg.ts';
import { createSipEndpoint } from '../src/sip/sip-endpoint.ts';
import { createSipFront, type FrontTarget, type SipFront } from '../src/sip/sip-front.ts';
import { LegEvents } from './leg-events.ts';
import { SilentMediaFactory } from './silent-media.ts';

export const HOST = '127.0.0.1';

/** A call at the endpoint. */
interface TakenCall {
  leg: CallLeg;
  events: LegEvents;
}

/** The front, the address of its endpoint, and the first call that the endpoint answers. */
export interface FrontWithEndpoint {
  front: SipFront;
  address: { host: string; port: number };
  taken: Promise<TakenCall>;
}

/** @param closers - receive what stops both */
export async function startFront(
  closers: (() => unknown)[],
  certificate?: { certFile: string; keyFile: string },
): Promise<FrontWithEndpoint> {
  const endpoints: FrontTarget[] = [];
  const front = createSipFront({
    clock: systemClock,
    log: silentLog,
    listen: { host: HOST, port: 0 },
    ...(certificate ? { tls: { port: 0, ...certificate } } : {}),
    endpoints: {
      choose: () => endpoints[0] ?? null,
      any: () => endpoints[0] ?? null,
      refused: () => undefined,
      isAlive: () => true,
      at: (port) => endpoints.find((endpoint) => endpoint.port === port) ?? null,
    },
  });
  await front.start();
  closers.push(() => front.stop());
  const tls = certificate ? { tls: { port: front.tlsPort() } } : {};
  const endpoint = await openEndpoint(closers, { front: front.address(), ...tls });
  endpoints.push(endpoint.address());
  const taken = Promise.withResolvers<TakenCall>();
  endpoint.onIncoming((leg) => {
    const events = new LegEvents(leg);
    leg.ring();
    const answered = leg.answer(certificate ? { encryption: 'required' } : {});
    answered.then(() => taken.resolve({ leg, events }), taken.reject);
  });
  return { front, address: endpoint.address(), taken: taken.promise };
}

export async function openEndpoint(
  closers: (() => unknown)[],
  options: Pick<Parameters<typeof createSipEndpoint>[0], 'front' | 'tls'>,
): Promise<ReturnType<typeof createSipEndpoint>> {
  const endpoint = createSipEndpoint({
    clock: systemClock,
    log: silentLog,
    listen: { host: HOST, port: 0 },
    userAgent: 'Test',
    media: new SilentMediaFactory(),
    ...options,
  });
  await endpoint.start();
  closers.push(() => endpoint.stop());
  return endpoint;
}

/** Resolves with the first match in everything that the socket has received since. */
export function reader(socket: Socket): (pattern: RegExp) => Promise<RegExpExecArray> {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return async (pattern) => {
    for (;;) {
      const found = pattern.exec(text);
      if (found) return found;
      await once(socket, 'data');
    }
  };
}

/** A request of a far end over `transport` whose Contact has this port. */
export function farRequest(
  method: string,
  { transport, port = 9, sequence = 1, toTag = '', body = '' }: FarRequest,
): string {
  return [
    `${method} sip:+12025550101@${HOST};transport=${transport} SIP/2.0`,
    `Via: SIP/2.0/${transport.toUpperCase()} ${HOST}:9;branch=z9hG4bK-${method}-${sequence};rport`,
    'Max-Forwards: 70',
    'From: <sip:+12025550100@127.0.0.1>;tag=peer',
    `To: <sip:+12025550101@127.0.0.1>${toTag}`,
    'Call-ID: raw@test',
    `CSeq: ${sequence} ${method}`,
    `Contact: <sip:peer@${HOST}:${port};transport=${transport}>`,
    ...(body === '' ? [] : ['Content-Type: application/sdp']),
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

interface FarRequest {
  transport: 'tcp' | 'tls';
  /** Default: one without a listener. */
  port?: number;
  sequence?: number;
  toTag?: string;
  body?: string;
}
