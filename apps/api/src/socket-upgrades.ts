/** Which requests may become a WebSocket, who limits them, and which part takes each. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { SUPERVISE_PATH, TALK_PATH, WIDGET_TALK_PATH } from '@parley/contracts';
import { networkOf, refuseUpgrade } from '@parley/runtime';
import type { Express } from 'express';
import { readStreamAddress } from './carriers/stream-address.rules.ts';
import type { RateLimit } from './http/rate-limit.ts';
import { isFromOwnPage } from './http/request-origin.ts';
import {
  proxyCarrierStream,
  proxySupervisor,
  proxyTalk,
  proxyVisitor,
  type TalkProxyOptions,
} from './talk-proxy.ts';
import { TRPC_PATH, type createTrpcSockets } from './trpc/mount.ts';
import { upgradeAddress } from './widget/upgrade-address.ts';

/** The paths at which a request may become a WebSocket, besides those of carriers. */
const SOCKET_PATHS = new Set<string>([TRPC_PATH, TALK_PATH, SUPERVISE_PATH, WIDGET_TALK_PATH]);

/** What the upgrades need. */
export interface SocketUpgradesOptions {
  app: Express;
  proxy: TalkProxyOptions;
  limits: { requests: RateLimit; widgetCalls: RateLimit; carrierRequests: RateLimit };
  sockets: ReturnType<typeof createTrpcSockets>;
}

/** Takes the upgrade requests of a server. */
export class SocketUpgrades {
  readonly #options: SocketUpgradesOptions;
  readonly #talking = new Set<Duplex>();

  constructor(options: SocketUpgradesOptions) {
    this.#options = options;
  }

  take(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Without this listener, a connection error would crash the process.
    socket.on('error', () => socket.destroy());
    const [path = '/'] = (request.url ?? '/').split('?');
    const refusal = this.#refusal(request, path);
    if (refusal !== null) return refuseUpgrade(socket, refusal);
    if (path === TRPC_PATH)
      return this.#options.sockets.accept(request, socket, {
        head,
        networkAddress: this.#addressOf(request),
      });
    this.#talking.add(socket);
    socket.once('close', () => this.#talking.delete(socket));
    this.#proxy(request, socket, path).catch((error: unknown) => {
      this.#options.proxy.core.log.error({ err: error }, 'A WebSocket could not be connected to voice');
      refuseUpgrade(socket, 503);
    });
  }

  /** Ends those that are proxied. */
  close(): void {
    for (const socket of this.#talking) socket.destroy();
  }

  async #proxy(request: IncomingMessage, socket: Duplex, path: string): Promise<void> {
    const { proxy } = this.#options;
    const streamed = readStreamAddress(path);
    if (streamed) await proxyCarrierStream(proxy, streamed, { request, browser: socket });
    else if (path === SUPERVISE_PATH) await proxySupervisor(proxy, request, socket);
    else if (path === WIDGET_TALK_PATH) await proxyVisitor(proxy, request, socket);
    else await proxyTalk(proxy, request, socket);
  }

  /** @returns the status, or null for a request that may become a WebSocket */
  #refusal(request: IncomingMessage, path: string): number | null {
    const { limits, proxy } = this.#options;
    const visitor = (): string => networkOf(this.#addressOf(request));
    // A program of a carrier: the signature authorises the stream, and the ticket the call.
    if (readStreamAddress(path)) return limits.carrierRequests.count(visitor()).isAllowed ? null : 429;
    if (!SOCKET_PATHS.has(path)) return 404;
    // Pages of other origins: the ticket, which is good on an allowed origin, authorises the call.
    if (path === WIDGET_TALK_PATH)
      return limits.widgetCalls.count(`sockets of ${visitor()}`).isAllowed ? null : 429;
    if (!isFromOwnPage(request, proxy.core.publicUrl)) return 403;
    return limits.requests.count(`sockets of ${visitor()}`).isAllowed ? null : 429;
  }

  #addressOf(request: IncomingMessage): string {
    return upgradeAddress(this.#options.app, request);
  }
}
