import { bootstrapFirstUser, createCoreContext, diskStorage, signIn, signOut } from '@parley/core';
import { ManualClock, silentLog } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { expect, test } from 'vitest';
import { untilSignedOut } from './until-signed-out.ts';

const database = useTestDatabase();

async function setup() {
  const clock = new ManualClock();
  const core = createCoreContext({
    db: database.db,
    log: silentLog,
    clock,
    secretKey: 'a key of at least thirty-two characters',
    recordings: diskStorage('/nowhere'),
  });
  const credentials = { email: 'ada@parley.example', password: 'correct horse battery' };
  await bootstrapFirstUser(core, credentials);
  const cookie = (await signIn(core, { ...credentials, networkAddress: '127.0.0.1' }))?.cookie ?? '';
  const wish = new AbortController();
  return { clock, core, cookie, wish, end: untilSignedOut({ core, cookie }, wish.signal) };
}

test('a session that ended elsewhere is detected', async () => {
  const { clock, core, cookie, end } = await setup();
  await signOut(core, cookie);
  expect(end.aborted).toBe(false);
  const ended = new Promise((resolve) => end.addEventListener('abort', resolve));
  clock.advance(30_000);
  await ended;
  expect(clock.pendingTimers()).toBe(0);
});

test('an aborted watch leaves no timer', async () => {
  const { clock, wish, end } = await setup();
  expect(clock.pendingTimers()).toBe(1);
  wish.abort();
  expect(end.aborted).toBe(true);
  expect(clock.pendingTimers()).toBe(0);
});
