/** The network address of a request that Express does not handle: an upgrade to a WebSocket. */
import type { IncomingMessage } from 'node:http';
import type { Express, Request } from 'express';

/** The same as `request.ip` in a handler of the app: behind trusted proxies, the address that they forward. */
export function upgradeAddress(app: Express, { headers, socket }: IncomingMessage): string {
  const view = Object.create(app.request, {
    headers: { value: headers },
    socket: { value: socket },
  }) as Request;
  return view.ip ?? '';
}
