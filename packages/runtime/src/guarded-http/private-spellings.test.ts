/**
 * Sixty ways to write an address that is not public. None may be connected to, over http or https. Those that are written
 * as numbers are turned into plain addresses by the URL parser; those that are names by the resolver.
 */
import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../clock.ts';
import { createGuardedClient, type GuardedClient } from './guarded-client.ts';

const LOOPBACK = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.0.0.1.',
  '127.255.255.254',
  '127.000.000.001',
  '0177.0.0.1',
  '0177.1',
  '017700000001',
  '0x7f.0.0.1',
  '0x7f.1',
  '0X7F.0X1',
  '0x7f000001',
  '0x7F000001',
  '2130706433',
  '00000000000000000000000177.0.0.1',
  '127.0x0.0.1',
  '１２７.０.０.１',
  '127。0。0。1',
  '①②⑦.⓪.⓪.①',
  '%31%32%37.0.0.1',
  'localhost',
  'LOCALHOST',
  'ｌｏｃａｌｈｏｓｔ',
  '0',
  '0.0.0.0',
  '0x0',
  '00',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::0001]',
  '[::]',
  '[0::0]',
  '[::ffff:127.0.0.1]',
  '[::FFFF:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:7f00:0001]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
];
const ELSEWHERE = [
  '10.0.0.1',
  '012.0.0.1',
  '0xa.1',
  '167772161',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '0xc0a80001',
  '3232235521',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '0251.0376.0251.0376',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[64:ff9b::169.254.169.254]',
  '[fd00:ec2::254]',
  '[fc00::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '100.64.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
];

let server: Server;
let client: GuardedClient;
let connections = 0;

beforeAll(async () => {
  server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  client = createGuardedClient({ clock: systemClock, allowPrivate: 'none' });
});

afterAll(async () => {
  await client.close();
  server.close();
});

const port = (): number => (server.address() as AddressInfo).port;

test('there are at least sixty spellings', () => {
  expect(new Set([...LOOPBACK, ...ELSEWHERE]).size).toBeGreaterThanOrEqual(60);
});

test.each([...LOOPBACK, ...ELSEWHERE])('%s is not connected to', async (host) => {
  for (const scheme of ['http', 'https']) {
    const outcome = await client.send({ url: `${scheme}://${host}:${port()}/`, headers: {}, body: '{}' });
    expect(outcome).toEqual({
      error: 'The address is not public, and this server does not allow others',
      isUnsent: true,
    });
  }
  expect(connections).toBe(0);
});

test.each(['127.0.0.1', '2130706433', 'localhost'])(
  'the server is reachable at %s without the check',
  async (host) => {
    const open = createGuardedClient({ clock: systemClock, allowPrivate: 'loopback' });
    const before = connections;
    await open.send({ url: `http://${host}:${port()}/`, headers: {}, body: '{}' });
    await open.close();
    expect(connections).toBeGreaterThan(before);
    connections = 0;
  },
);
