/** What a voice process sends over SIP on its own account: registrations, and the end of calls of a lost process. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { newTrunkBody } from '@parley/contracts';
import { addTrunk } from '@parley/core';
import { statement } from '@parley/db';
import { createTestContext, createTestUser, useTestDatabase } from '@parley/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { prepareApp } from '../test/arrange-app.ts';

const database = useTestDatabase();
const WAIT = { timeout: 20_000 };
const switchOthersOff = statement('', 'update trunks set registers = false');

/** A carrier that answers every request with 200. */
async function startCarrier() {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const requests: string[] = [];
  socket.on('message', (data, { port, address }) => {
    const request = data.toString();
    requests.push(request);
    if (request.startsWith('ACK')) return;
    const kept = request.split('\r\n').filter((line) => /^(Via|From|To|Call-ID|CSeq|Contact):/i.test(line));
    socket.send(['SIP/2.0 200 OK', ...kept, 'Content-Length: 0', '', ''].join('\r\n'), port, address);
  });
  onTestFinished(() => void socket.close());
  const methods = () => requests.map((request) => request.split(' ')[0]);
  return { socket, port: socket.address().port, requests, methods };
}

test.each([
  ['its own address', {}, /^127\.0\.0\.1:(\d+)$/],
  ['that of the front', { SIP_FRONT: '127.0.0.1:5099' }, /^127\.0\.0\.1:5099$/],
  [
    'the public address of the front',
    { SIP_FRONT: '127.0.0.1:5099', SIP_PUBLIC_ADDRESS: '198.51.100.7' },
    /^198\.51\.100\.7:5099$/,
  ],
])('a process registers trunks with %s', async (_what, environment, expected) => {
  const carrier = await startCarrier();
  const core = createTestContext(database.db);
  const { identity } = await createTestUser(core);
  await core.db.query(switchOthersOff);
  const account = { username: '1001', password: 'secret', registers: true };
  const trunk = { name: 'Office', host: '127.0.0.1', port: carrier.port, ...account };
  await addTrunk(core, identity, newTrunkBody.parse(trunk));
  const { app, sipPort } = await prepareApp(database, { TRUNK_ALLOW_PRIVATE: 'all', ...environment });
  await app.start();
  await expect.poll(() => carrier.methods()[0], WAIT).toBe('REGISTER');
  const contact = /^Contact:[^@]*@([^;>]*)/im.exec(carrier.requests[0] ?? '')?.[1] ?? '';
  expect(contact).toMatch(expected);
  expect(expected.exec(contact)?.[1] ?? String(sipPort)).toBe(String(sipPort));
});

test('a process ends the call that a phone answers after the process that had dialed it was lost', async () => {
  const carrier = await startCarrier();
  const core = createTestContext(database.db);
  const { identity } = await createTestUser(core);
  await addTrunk(core, identity, newTrunkBody.parse({ name: 'Carrier', host: '127.0.0.1' }));
  const { app, sipPort } = await prepareApp(database, { TRUNK_ALLOW_PRIVATE: 'all' });
  await app.start();
  const answer = [
    'SIP/2.0 200 OK',
    `Via: SIP/2.0/UDP 127.0.0.1:${sipPort};branch=z9hG4bKlost`,
    `From: <sip:near@127.0.0.1:${sipPort}>;tag=near`,
    `To: <sip:far@127.0.0.1:${carrier.port}>;tag=far`,
    'Call-ID: of-a-lost-process',
    'CSeq: 1 INVITE',
    `Contact: <sip:far@127.0.0.1:${carrier.port}>`,
    'Content-Length: 0',
    '',
    '',
  ];
  carrier.socket.send(answer.join('\r\n'), sipPort, '127.0.0.1');
  await expect.poll(carrier.methods, WAIT).toEqual(['ACK', 'BYE']);
});
