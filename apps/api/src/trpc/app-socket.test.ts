/** The limits of one socket, with a client that is simulated and a clock that stands still. */
import { EventEmitter } from 'node:events';
import { createCoreContext, diskStorage, type FoundSession } from '@parley/core';
import type { Db } from '@parley/db';
import { ManualClock, silentLog } from '@parley/runtime';
import { describe, expect, test } from 'vitest';
import { SessionWatch } from '../session-watch.ts';
import {
  AppSocket,
  createSocketCounts,
  MOST_OF_USER,
  MOST_SUBSCRIPTIONS,
  MOST_UNKNOWN,
  type ClientSocket,
} from './app-socket.ts';

class Client extends EventEmitter {
  readonly OPEN = 1;
  readonly readyState = 1;
  bufferedAmount = 0;
  readonly ends: string[] = [];

  terminate(): void {
    this.ends.push('terminated');
    this.emit('close');
  }

  close(code: number): void {
    this.ends.push(`closed with ${code}`);
  }
}

function setup() {
  const clock = new ManualClock();
  const living = new Set(['a sign-in']);
  const rows = async (): Promise<unknown[]> => [...living].map((signInId) => ({ signInId }));
  const core = createCoreContext({
    db: { query: rows } as unknown as Db,
    log: silentLog,
    clock,
    secretKey: 'a key of at least thirty-two characters',
    recordings: diskStorage('/nowhere'),
  });
  const parts = { clock, sessions: new SessionWatch(core), ...createSocketCounts() };
  const open = (visitor = '192.0.2.1') => {
    const leave = parts.unknown.enter(visitor);
    const client = new Client();
    return { client, socket: new AppSocket(client as unknown as ClientSocket, parts, leave) };
  };
  return { clock, living, parts, open };
}

const SESSION = { userId: 7, signInId: 'a sign-in' } as FoundSession;
const untilStopped = (): AbortController => new AbortController();

describe('without a session', () => {
  test('a socket is ended after ten seconds', () => {
    const { clock, open } = setup();
    const { client } = open();
    clock.advance(9_999);
    expect(client.ends).toEqual([]);
    clock.advance(1);
    expect(client.ends).toEqual(['terminated']);
    expect(clock.pendingTimers()).toBe(0);
  });

  test('an address has a limit, and each end makes room for another socket', () => {
    const { open } = setup();
    const sockets = Array.from({ length: MOST_UNKNOWN }, () => open());
    expect(() => open()).toThrow('which is the limit');
    expect(() => open('192.0.2.2')).not.toThrow();
    sockets[0]?.client.terminate();
    expect(() => open()).not.toThrow();
    expect(() => open()).toThrow('which is the limit');
  });
});

describe('a user', () => {
  test('has a limit of sockets, which no longer count for their address', () => {
    const { open, parts } = setup();
    const sockets = Array.from({ length: MOST_OF_USER }, () => open());
    for (const { socket } of sockets) socket.belongTo(SESSION);
    expect(() => parts.unknown.enter('192.0.2.1')).not.toThrow();
    const next = open();
    expect(() => next.socket.belongTo(SESSION)).toThrow('which is the limit');
    next.socket.belongTo({ ...SESSION, userId: 8 });
    sockets[0]?.client.terminate();
    open().socket.belongTo(SESSION);
    expect(() => open().socket.belongTo(SESSION)).toThrow('which is the limit');
    for (const { client } of sockets) client.terminate();
  });

  test('whose socket closed while the session was looked up does not count', () => {
    const { clock, open, parts } = setup();
    const { client, socket } = open();
    client.terminate();
    socket.belongTo(SESSION);
    for (let count = 0; count < MOST_OF_USER; count++) parts.ofUser.enter(SESSION.userId);
    expect(clock.pendingTimers()).toBe(0);
  });

  test('is disconnected within a second after the session has ended', async () => {
    const { clock, living, open } = setup();
    const { client, socket } = open();
    socket.belongTo(SESSION);
    const { ended } = socket.subscribe(untilStopped().signal);
    clock.advance(1000);
    await expect.poll(() => clock.pendingTimers()).toBe(1);
    expect([ended.aborted, client.ends]).toEqual([false, []]);
    living.clear();
    clock.advance(1000);
    await expect.poll(() => client.ends).toEqual(['closed with 1008']);
    expect(ended.aborted).toBe(true);
    await expect.poll(() => clock.pendingTimers()).toBe(0);
  });
});

describe('subscriptions', () => {
  test('have a limit, and one that ends or fails makes room', () => {
    const { open } = setup();
    const { socket } = open();
    const stop = untilStopped();
    const first = socket.subscribe(stop.signal);
    const second = socket.subscribe(untilStopped().signal);
    for (let count = 2; count < MOST_SUBSCRIPTIONS; count++) socket.subscribe(untilStopped().signal);
    const another = (): unknown => socket.subscribe(untilStopped().signal);
    expect(another).toThrow('which is the limit');
    stop.abort();
    expect(first.ended.aborted).toBe(true);
    expect(another).not.toThrow();
    expect(another).toThrow('which is the limit');
    second.leave();
    expect(another).not.toThrow();
    expect(another).toThrow('which is the limit');
  });

  test('that tRPC forgot end with the socket', () => {
    const { open } = setup();
    const { client, socket } = open();
    const { ended } = socket.subscribe(untilStopped().signal);
    client.terminate();
    expect(ended.aborted).toBe(true);
  });
});

test('a client that sends too many messages is disconnected', () => {
  const { clock, open } = setup();
  const { client } = open();
  for (let count = 0; count < 100; count++) client.emit('message');
  clock.advance(1000);
  for (let count = 0; count < 5; count++) client.emit('message');
  expect(client.ends).toEqual([]);
  client.emit('message');
  expect(client.ends).toEqual(['terminated']);
});

describe('rows', () => {
  async function* numbers(): AsyncGenerator<number> {
    yield 1;
    yield 2;
    yield 3;
  }

  test('wait until a slow client has read what was sent', async () => {
    const { clock, open } = setup();
    const { client, socket } = open();
    socket.belongTo(SESSION);
    const rows = socket.paced(numbers());
    await rows.next();
    client.bufferedAmount = 2_000_000;
    const next = rows.next();
    await expect.poll(() => clock.pendingTimers()).toBe(2);
    client.bufferedAmount = 0;
    clock.advance(100);
    expect(await next).toEqual({ done: false, value: 2 });
    expect(client.ends).toEqual([]);
    client.terminate();
  });

  test('end with the connection of a client that reads nothing', async () => {
    const { clock, open } = setup();
    const { client, socket } = open();
    const rows = socket.paced(numbers());
    socket.belongTo(SESSION);
    await rows.next();
    client.bufferedAmount = 2_000_000;
    const next = rows.next().catch(() => undefined);
    for (let step = 0; step < 31 && client.ends.length === 0; step++) {
      await expect.poll(() => clock.pendingTimers() === 2 || client.ends.length > 0).toBe(true);
      clock.advance(1000);
    }
    await expect.poll(() => client.ends).toEqual(['terminated']);
    await next;
  });
});
