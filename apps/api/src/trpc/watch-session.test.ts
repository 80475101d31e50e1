import { bootstrapFirstUser, createCoreContext, diskStorage, signIn, signOut } from '@parley/core';
import { ManualClock, silentLog } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { expect, test } from 'vitest';
import { watchSession } from './watch-session.ts';

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
  const signedIn = await signIn(core, { ...credentials, networkAddress: '127.0.0.1' });
  const cookie = signedIn?.cookie ?? '';
  return { clock, core, cookie, watch: watchSession({ core, cookie }) };
}

test('a session that was ended elsewhere is noticed', async () => {
  const { clock, core, cookie, watch } = await setup();
  await signOut(core, cookie);
  expect(watch.ended.aborted).toBe(false);
  const ended = new Promise((resolve) => watch.ended.addEventListener('abort', resolve));
  clock.advance(30_000);
  await ended;
  expect(clock.pendingTimers()).toBe(0);
});

test('whoever stops watching leaves no timer', async () => {
  const { clock, watch } = await setup();
  expect(clock.pendingTimers()).toBe(1);
  watch.stop();
  expect(clock.pendingTimers()).toBe(0);
  expect(watch.ended.aborted).toBe(false);
});
