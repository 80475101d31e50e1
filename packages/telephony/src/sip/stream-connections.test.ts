import { Socket } from 'node:net';
import { ManualClock } from '@parley/runtime';
import { expect, it } from 'vitest';
import { StreamConnections } from './stream-connections.ts';

/** A socket that a peer has opened from `address`. */
function socketFrom(address: string): Socket {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: address });
  return socket;
}

it('limits the connections of an IPv6 network, whatever addresses its hosts use', () => {
  const connections = new StreamConnections({
    clock: new ManualClock(),
    transport: 'tcp',
    connect: () => new Socket(),
    onMessage: () => undefined,
  });
  const open = (host: string): string | null => {
    const socket = socketFrom(host);
    const admitted = connections.admit(socket);
    if (admitted !== null) connections.adopt(socket, { host, port: 5060 });
    return admitted;
  };
  for (let n = 1; n <= 50; n++) expect(open(`2001:db8:0:1::${n}`)).not.toBeNull();
  expect(open('2001:db8:0:1:ffff::1')).toBeNull();
  expect(open('2001:db8:0:2::1')).not.toBeNull();
  connections.close();
});
