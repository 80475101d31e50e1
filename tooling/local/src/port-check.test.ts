import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { findPortFaults } from './port-check.ts';

const undo: (() => unknown)[] = [];
afterEach(() => {
  for (const step of undo.splice(0)) step();
});

async function takeTcpPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  undo.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function takeUdpPort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  undo.push(() => socket.close());
  return socket.address().port;
}

test('a port in use is named with the variable that changes it', async () => {
  const port = await takeTcpPort();
  const faults = await findPortFaults([{ variable: 'PORT', host: '127.0.0.1', port, protocols: ['tcp'] }]);
  expect(faults).toEqual([
    `TCP port ${port} (PORT) is used by another program. Stop it, or set PORT to another port.`,
  ]);
});

test('UDP and TCP are checked separately', async () => {
  const port = await takeUdpPort();
  const wanted = { variable: 'SIP_LISTEN', host: '127.0.0.1', port };
  expect(await findPortFaults([{ ...wanted, protocols: ['udp'] }])).toEqual([
    expect.stringContaining('UDP port'),
  ]);
});

test('all ports in use are reported at once, and free ports are not', async () => {
  const wanted = [await takeTcpPort(), 0, await takeTcpPort()].map((port, index) => ({
    variable: `V${index}`,
    host: '127.0.0.1',
    port,
    protocols: ['tcp'] as const,
  }));
  const faults = await findPortFaults(wanted);
  expect(faults.map((fault) => /\((V\d)\)/.exec(fault)?.[1])).toEqual(['V0', 'V2']);
});

test('an address that this machine does not have is reported as such', async () => {
  const wanted = { variable: 'HOST', host: '192.0.2.1', port: 0, protocols: ['tcp'] as const };
  expect(await findPortFaults([wanted])).toEqual([
    expect.stringContaining('does not have the address 192.0.2.1'),
  ]);
});
