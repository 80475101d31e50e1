import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createLimitedServer } from './limited-server.ts';
import { refuseUpgrade } from './refuse-upgrade.ts';

test('a client that keeps its side open after the refusal holds no connection', async () => {
  const server = createLimitedServer((_request, response) => response.end());
  server.on('upgrade', (_request, socket) => refuseUpgrade(socket, 404));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  let text = '';
  client.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(client, 'end');
  expect(text).toMatch(/^HTTP\/1\.1 404 Not Found\r\n[^]*\r\n\r\n\{"message":"Not Found"\}$/);
  expect(client.writable).toBe(true);
  const count = (): Promise<number> =>
    new Promise((resolve) => server.getConnections((_error, connections) => resolve(connections)));
  await expect.poll(count).toBe(0);
});
