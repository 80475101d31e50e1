/**
 * Connections only to addresses outside a block list. The socket checks the list at connect time.
 *
 * Node 24 honours `blockList` in `net.connect` and silently ignores it in `tls.connect` (observed, and covered by a test), so a
 * TLS connection is made in two steps here: a checked plain one, then TLS on top of it.
 */
import type { BlockList, LookupFunction } from 'node:net';
import { buildConnector } from 'undici';

export interface CheckedConnectorOptions {
  blockList: BlockList;
  timeoutMs: number;
  /** Resolves names. Default: the system resolver. */
  lookup?: LookupFunction;
}

export function createCheckedConnector(options: CheckedConnectorOptions): buildConnector.connector {
  const { blockList, timeoutMs: timeout, lookup } = options;
  const connectPlain = buildConnector({ blockList, timeout, ...(lookup && { lookup }) });
  const connectSecure = buildConnector({ timeout, allowH2: false });
  return (target, callback) => {
    if (target.protocol !== 'https:') return connectPlain(target, callback);
    connectPlain({ ...target, protocol: 'http:', port: target.port || '443' }, (error, socket) => {
      if (error) callback(error, null);
      else connectSecure({ ...target, httpSocket: socket }, callback);
    });
  };
}
