/**
 * Connections that are made only to addresses outside a block list. The list is asked by the socket, at connect time.
 *
 * Node 24 honours `blockList` in `net.connect` and silently ignores it in `tls.connect` (seen, and held by a test), so a
 * TLS connection is made in two steps here: a checked plain one, then TLS on top of it.
 */
import type { BlockList } from 'node:net';
import { buildConnector } from 'undici';

export function createCheckedConnector(options: {
  blockList: BlockList;
  timeoutMs: number;
}): buildConnector.connector {
  const { blockList, timeoutMs: timeout } = options;
  const connectPlain = buildConnector({ blockList, timeout });
  const connectSecure = buildConnector({ timeout, allowH2: false });
  return (target, callback) => {
    if (target.protocol !== 'https:') return connectPlain(target, callback);
    connectPlain({ ...target, protocol: 'http:', port: target.port || '443' }, (error, socket) => {
      if (error) callback(error, null);
      else connectSecure({ ...target, httpSocket: socket }, callback);
    });
  };
}
