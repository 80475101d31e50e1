import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { recordCallEvent } from '@parley/core';
import { systemClock } from '@parley/runtime';
import { expect, test } from 'vitest';
import { useInstallation } from '../../test/installation.ts';
import { openTerminal, type Terminal } from '../../test/terminal.ts';

const installation = useInstallation();

function setup(answer?: string): Terminal {
  return installation.openTerminal(answer);
}

test('call places a call, and calls list and show return it', async () => {
  const terminal = setup();
  const placed = await terminal.run(
    'call',
    '+12025550142',
    '--assistant',
    '1',
    '--variable',
    'name=Ada',
    '--json',
  );
  expect(placed).toMatchObject({ exitCode: 0, err: '' });
  const { call_id } = JSON.parse(placed.out) as { call_id: number };
  const list = await terminal.run('calls', 'list', '--status', 'initiated');
  expect(list.out).toMatch(new RegExp(`^ID .*\\n${call_id} .*\\+12025550142 .*initiated`));
  const show = await terminal.run('calls', 'show', String(call_id));
  expect(show.out).toContain('+12025550142');
  const json = await terminal.run('calls', 'show', String(call_id), '--json');
  expect(JSON.parse(json.out)).toMatchObject({ id: call_id, input_variables: { name: 'Ada' } });
});

test('call --stream places a call for an agent', async () => {
  const terminal = setup();
  const call = ['call', '+12025550167', '--assistant', '1', '--parameter', 'customer=7', '--json'];
  const placed = await terminal.run(...call, '--stream', 'wss://agent.example/media');
  expect(placed).toMatchObject({ exitCode: 0, err: '' });
  expect(await terminal.run(...call)).toMatchObject({ exitCode: 1, err: '--parameter needs --stream.\n' });
  expect(await terminal.run(...call, '--stream', 'https://agent.example')).toMatchObject({ exitCode: 1 });
});

test('call --follow prints each step once and ends with the call', async () => {
  const terminal = setup();
  const ended = terminal.run('call', '+12025550143', '--assistant', '1', '--follow');
  const callId = await findCallTo('+12025550143', terminal);
  const step = (event: 'ringing' | 'busy') =>
    recordCallEvent(installation.core, { callId, event, at: new Date(systemClock.now()) });
  await step('ringing');
  await terminal.untilOut((out) => out.includes('ringing'));
  await step('busy');
  const ran = await ended;
  expect(ran.out.match(/ringing/g)).toHaveLength(1);
  expect(ran.out).toContain('The call ended with status busy.');
  expect(ran.exitCode).toBe(1);
  expect(ran.err).toBe('The call ended with status busy.\n');
});

/** `--follow` prints the first event of the call before the phone rings. */
async function findCallTo(number: string, terminal: Terminal): Promise<number> {
  await terminal.untilOut((out) => out !== '');
  const list = await setup().run('calls', 'list', '--json');
  const { data } = JSON.parse(list.out) as { data: { id: number; client_phone_number: string }[] };
  return data.find((call) => call.client_phone_number === number)?.id ?? 0;
}

test('an error of the API is printed with its own text', async () => {
  const terminal = setup();
  expect(await terminal.run('call', '123', '--assistant', '1')).toMatchObject({
    exitCode: 1,
    err: 'The given data was invalid.\n  phone_number: Invalid phone number\n',
  });
  expect(await terminal.run('calls', 'show', '999999')).toMatchObject({
    exitCode: 1,
    err: 'Call not found\n',
  });
  expect(await terminal.run('calls', 'list', '--token', 'wrong')).toMatchObject({
    exitCode: 1,
    err: 'Unauthenticated.\nThe token is invalid, revoked or expired.\n',
  });
});

test('without a token, or without a server, the command says what to do', async () => {
  const noToken = await openTerminal({
    PARLEY_URL: installation.url,
    DATA_DIR: join(installation.dataDir, 'none'),
  }).run('calls', 'list');
  expect(noToken.exitCode).toBe(78);
  expect(noToken.err).toContain('token create');
  const noServer = await setup().run('calls', 'list', '--url', 'http://127.0.0.1:1');
  expect(noServer.exitCode).toBe(1);
  expect(noServer.err).toBe(
    'GET http://127.0.0.1:1: no response.\nCheck that Parley is running at this address. To use another address, set --url or PARLEY_URL.\n',
  );
});

test('a call is hung up, and its record is deleted after confirmation', async () => {
  const placed = await setup().run('call', '+12025550144', '--assistant', '1', '--json');
  const id = String((JSON.parse(placed.out) as { call_id: number }).call_id);
  expect(await setup().run('calls', 'hang-up', id)).toMatchObject({
    exitCode: 0,
    out: `Call ${id} is being ended.\n`,
  });
  expect(await setup('n').run('calls', 'delete', id)).toMatchObject({
    exitCode: 1,
    out: '',
    err: `Delete the record of call ${id}, with its recording? [y/N] Cancelled. Nothing was changed.\n`,
  });
  expect((await setup().run('calls', 'show', id)).exitCode).toBe(0);
  expect((await setup('y').run('calls', 'delete', id)).out).toBe(`Call ${id} was deleted.\n`);
  expect((await setup().run('calls', 'show', id)).err).toBe('Call not found\n');
});

test('Ctrl-C aborts a request without a response', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const terminal = setup();
  const ended = terminal.run('calls', 'list', '--url', `http://127.0.0.1:${port}`);
  await once(silent, 'request');
  terminal.interrupt();
  expect(await ended).toMatchObject({ exitCode: 1, out: '', err: 'Stopped.\n' });
  silent.closeAllConnections();
  silent.close();
});
