/** Calls over TCP through the front of a fleet: requests of the endpoint reach the far end over the connection of its INVITE. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { farRequest, HOST, reader, startFront } from './front-with-endpoint.ts';

const SDP = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  'c=IN IP4 127.0.0.1',
  't=0 0',
  'm=audio 40000 RTP/AVP 0',
  '',
].join('\r\n');
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A far end that calls, and names `port` in its Contact. */
async function call(port: number) {
  const { front, taken } = await startFront(closers);
  const socket = connect(front.address());
  closers.push(() => socket.destroy());
  const until = reader(socket);
  socket.write(farRequest('INVITE', { transport: 'tcp', port, body: SDP }));
  const [, toTag = ''] = await until(/^SIP\/2\.0 200 [^]*?^To: <[^>]*>(;tag=\S+)/m);
  socket.write(farRequest('ACK', { transport: 'tcp', port, toTag }));
  return { ...(await taken), socket, until };
}

/** The 200 to the BYE in `text`. */
function okTo(text: string): string {
  const fields = text.split('\r\n').filter((line) => /^(Via|From|To|Call-ID|CSeq):/.test(line));
  return ['SIP/2.0 200 OK', ...fields, 'Content-Length: 0', '', ''].join('\r\n');
}
const BYE = /^BYE [^]*?\r\n\r\n/m;

it('a far end that accepts no connections receives a BYE over its own', async () => {
  const { leg, events, socket, until } = await call(9);
  const ended = leg.hangUp();
  const [bye] = await until(BYE);
  expect(bye).toMatch(/^BYE sip:peer@127\.0\.0\.1:9;transport=tcp SIP\/2\.0\r\nVia: SIP\/2\.0\/TCP /);
  expect(bye).not.toContain('Route:');
  socket.write(okTo(bye));
  await ended;
  expect(await events.end()).toMatchObject({ cause: 'local-hang-up' });
});

it('a far end that has closed its connection receives a BYE where it listens', async () => {
  const server = createServer();
  closers.push(() => server.close());
  server.listen(0, HOST);
  await once(server, 'listening');
  const { leg, events, socket } = await call((server.address() as AddressInfo).port);
  socket.destroy();
  await once(socket, 'close');
  const connected = once(server, 'connection');
  const ended = leg.hangUp();
  const [other] = await connected;
  closers.push(() => other.destroy());
  const [bye] = await reader(other)(BYE);
  other.write(okTo(bye));
  await ended;
  expect(await events.end()).toMatchObject({ cause: 'local-hang-up' });
});
