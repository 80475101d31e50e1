/** Attacks on the WebSockets of the admin app, against a running api. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createSignInLink } from '@parley/core';
import { createLog } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openBrowser, type Browser } from '../../test/browser.ts';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import { signInOperator } from '../../test/signed-in.ts';
import { MOST_OF_USER, MOST_SUBSCRIPTIONS, MOST_UNKNOWN } from './app-socket.ts';

const database = useTestDatabase();
const logged: string[] = [];
const log = createLog({ name: 'api', destination: { write: (line) => void logged.push(line) } });
let live: LiveApi;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db, core: { log } });
});

afterAll(() => live.stop());

function open(browser: Browser | null, path = '/trpc'): WebSocket {
  const cookie = browser ? { cookie: `parley_session=${browser.cookie()}` } : undefined;
  return new WebSocket(live.url.replace('http', 'ws') + path, { origin: live.url, headers: cookie ?? {} });
}

interface Message {
  id: number | string | null;
  result?: { type: string };
  error?: { data: { httpStatus: number } };
}

async function ask(socket: WebSocket, id: number, text = SUBSCRIBE(id)): Promise<Message> {
  socket.send(text);
  for (;;) {
    const [data] = (await once(socket, 'message')) as [Buffer];
    const message = JSON.parse(data.toString()) as Message;
    if (message.id === id) return message;
  }
}

const SUBSCRIBE = (id: number): string =>
  JSON.stringify({ id, method: 'subscription', params: { path: 'calls.changes' } });

test('a user has a limit of sockets, and each that closes makes room', async () => {
  const browser = await signInOperator(live);
  const sockets = Array.from({ length: MOST_OF_USER }, () => open(browser));
  await Promise.all(sockets.map((socket) => once(socket, 'open')));
  for (const socket of sockets) expect((await ask(socket, 1)).result).toEqual({ type: 'started' });
  const beyond = open(browser);
  const refused = once(beyond, 'message') as Promise<[Buffer]>;
  const closed = once(beyond, 'close');
  expect(JSON.parse((await refused)[0].toString())).toMatchObject({ error: { data: { httpStatus: 429 } } });
  await closed;
  // Dies without the closing handshake.
  sockets[0]?.terminate();
  await expect
    .poll(async () => {
      const next = open(browser);
      await once(next, 'open');
      const answer = await Promise.race([ask(next, 1), once(next, 'close').then(() => null)]);
      sockets.push(next);
      return answer?.result;
    })
    .toEqual({ type: 'started' });
  await Promise.all(
    sockets.slice(1).map(async (socket) => {
      if (socket.readyState === WebSocket.CLOSED) return;
      socket.close();
      await once(socket, 'close');
    }),
  );
});

test('an address has a limit of sockets without a session', async () => {
  const sockets = Array.from({ length: MOST_UNKNOWN }, () => open(null));
  await Promise.all(sockets.map((socket) => once(socket, 'open')));
  const [error] = (await once(open(null), 'error')) as [Error];
  expect(error.message).toContain('429');
  // The sockets of users are counted otherwise, but only after their session was found.
  for (const socket of sockets) socket.terminate();
  await expect
    .poll(async () => {
      const next = open(await signInOperator(live));
      const answer = await Promise.race([once(next, 'open'), once(next, 'error').then(() => null)]);
      if (answer) next.terminate();
      return answer;
    })
    .toEqual([]);
});

test('a socket has a limit of subscriptions, and an id that is used twice leaves none behind', async () => {
  const socket = open(await signInOperator(live));
  await once(socket, 'open');
  expect((await ask(socket, 1)).result).toEqual({ type: 'started' });
  for (let count = 1; count < MOST_SUBSCRIPTIONS; count++)
    expect((await ask(socket, 1)).error).toMatchObject({ data: { httpStatus: 400 } });
  expect((await ask(socket, 2)).error).toMatchObject({ data: { httpStatus: 429 } });
  socket.terminate();
});

test('subscriptions over HTTP are refused', async () => {
  const browser = await signInOperator(live);
  const answer = await fetch(`${live.url}/trpc/calls.changes`, {
    headers: { cookie: `parley_session=${browser.cookie()}`, accept: 'text/event-stream' },
  });
  // The stream has begun, and ends with the refusal.
  expect(await answer.text()).toContain('"httpStatus":403');
});

test('a large message and a flood of messages end the connection', async () => {
  const browser = await signInOperator(live);
  const large = open(browser);
  await once(large, 'open');
  const tooLarge = once(large, 'close') as Promise<[number]>;
  large.send(JSON.stringify({ id: 1, method: 'query', params: { path: 'x'.repeat(17_000) } }));
  expect((await tooLarge)[0]).toBe(1009);
  const flood = open(browser);
  await once(flood, 'open');
  const flooded = once(flood, 'close');
  for (let count = 0; count < 2_000; count++) flood.send('PONG');
  await flooded;
});

test('an invalid frame closes the connection of a stranger, and is no fault in the log', async () => {
  const stranger = open(null);
  await once(stranger, 'open');
  const before = logged.length;
  const closed = once(stranger, 'close') as Promise<[number]>;
  // An empty text frame that is not masked, as every frame of a client must be.
  (stranger as unknown as { _socket: Socket })._socket.write(Buffer.from([0x81, 0x00]));
  expect((await closed)[0]).toBe(1002);
  expect(logged.slice(before)).toEqual([]);
});

type End = (browser: Browser, who: { userId: number; other: Browser }) => Promise<unknown>;
const ENDS: [string, End][] = [
  ['signing out', (browser) => browser.trpc.session.signOut.mutate()],
  ['ending the session from another browser', (_, { other }) => other.trpc.account.endOtherSessions.mutate()],
  [
    'disabling the user',
    async (_, { userId }) =>
      (await signInOperator(live)).trpc.users.setDisabled.mutate({ id: userId, is_disabled: true }),
  ],
];

test.each(ENDS)('%s closes the socket, which gets nothing by subscribing again', async (name, end) => {
  const { userId } = await live.addUser(`Person${ENDS.findIndex(([known]) => known === name)}`);
  const [browser, other] = [openBrowser(live.url), openBrowser(live.url)];
  for (const each of [browser, other])
    await each.trpc.session.redeemLink.mutate({ secret: await createSignInLink(live.core, userId) });
  const socket = open(browser);
  await once(socket, 'open');
  await ask(socket, 1);
  const closed = once(socket, 'close') as Promise<[number]>;
  await end(browser, { userId, other });
  expect((await closed)[0]).toBe(1008);
  const again = open(browser);
  await once(again, 'open');
  expect((await ask(again, 1)).error).toMatchObject({ data: { httpStatus: 401 } });
  again.terminate();
});
