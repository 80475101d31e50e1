import { authenticateToken, createToken } from '@parley/core';
import { ManualClock } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../test/browser.ts';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import { signInOperator } from '../../test/signed-in.ts';

const database = useTestDatabase();
const clock = new ManualClock();
let live: LiveApi;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db, core: { clock }, settings: { RATE_LIMIT: 3 } });
});

afterAll(() => live.stop());

test('a token above its rate limit gets 429 with Retry-After, and other tokens are not affected', async () => {
  const { token } = await live.addUser('Hasty');
  for (const remaining of ['2', '1', '0']) {
    const answer = await live.ask('/api/user/me', { token });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-ratelimit-limit')).toBe('3');
    expect(answer.headers.get('x-ratelimit-remaining')).toBe(remaining);
    expect(answer.headers.get('x-ratelimit-reset')).toBe(String(clock.now() / 1000 + 60));
    expect(answer.headers.get('ratelimit')).toBe(`"per-token";r=${remaining};t=60`);
    expect(answer.headers.get('ratelimit-policy')).toBe('"per-token";q=3;w=60');
  }
  clock.advance(15_000);
  const refused = await live.ask('/api/user/me', { token });
  expect(refused.status).toBe(429);
  expect(refused.body).toEqual({ message: 'Too Many Attempts.', retry_after: 45 });
  expect(refused.headers.get('retry-after')).toBe('45');
  expect((await live.ask('/api/user/me')).status).toBe(200);
  clock.advance(45_000);
  expect((await live.ask('/api/user/me', { token })).status).toBe(200);
});

test('a member has ten times the limit with any number of tokens, an operator as much as all of them have', async () => {
  clock.advance(60_000);
  const { userId: memberId } = await live.addUser('Many');
  const { userId: operatorId = 0 } = (await authenticateToken(live.core, live.token)) ?? {};
  /** How many requests of eleven tokens, three each, are answered. */
  const answered = async (userId: number): Promise<number> => {
    const statuses: number[] = [];
    for (let count = 0; count < 11; count++) {
      const { token } = await createToken(live.core, { userId, name: `Token ${count}` });
      for (let request = 0; request < 3; request++)
        statuses.push((await live.ask('/api/user/me', { token })).status);
    }
    return statuses.filter((status) => status === 200).length;
  };
  expect(await answered(memberId)).toBe(30);
  expect(await answered(operatorId)).toBe(33);
  clock.advance(60_000);
  expect(await answered(memberId)).toBe(30);
});

test('failed authentications of an address are limited, and its valid tokens are not affected', async () => {
  const { token } = await live.addUser('Guessed');
  clock.advance(60_000);
  const statuses: number[] = [];
  for (let count = 0; count < 4; count++)
    statuses.push((await live.ask('/api/user/me', { token: `parley_wrong${count}` })).status);
  expect(statuses).toEqual([401, 401, 401, 429]);
  expect((await live.ask('/api/user/me', { token })).status).toBe(200);
});

test('requests for unknown paths are limited for each address, and its valid tokens are not affected', async () => {
  const { token } = await live.addUser('Lost');
  clock.advance(60_000);
  const statuses: number[] = [];
  for (let count = 0; count < 4; count++) statuses.push((await live.ask(`/api/nothing${count}`)).status);
  expect(statuses).toEqual([404, 404, 404, 429]);
  expect((await live.ask('/api/user/me', { token })).status).toBe(200);
});

test('procedures of the admin app are limited for each address without a session, and for each user', async () => {
  clock.advance(60_000);
  const { trpc } = openBrowser(live.url);
  await trpc.session.me.query();
  await trpc.session.me.query();
  await trpc.session.signIn.mutate({ email: live.email, password: live.password });
  for (let count = 0; count < 3; count++) await trpc.session.me.query();
  await expect(trpc.session.me.query()).rejects.toMatchObject({ data: { httpStatus: 429 } });
  await expect(openBrowser(live.url).trpc.session.me.query()).rejects.toMatchObject({
    data: { httpStatus: 429 },
  });
});

test('files of the admin app are limited like its procedures', async () => {
  clock.advance(60_000);
  const browser = await signInOperator(live);
  clock.advance(60_000);
  const statuses = async (headers: Record<string, string>): Promise<number[]> => {
    const found: number[] = [];
    for (let count = 0; count < 4; count++)
      found.push((await live.ask('/call-files/export', { token: null, headers })).status);
    return found;
  };
  expect(await statuses({ cookie: `parley_session=${browser.cookie()}` })).toEqual([200, 200, 200, 429]);
  expect(await statuses({ cookie: 'parley_session=guessed' })).toEqual([401, 401, 401, 429]);
});

test('two processes share the limit of a token', async () => {
  const shared = new ManualClock(clock.now());
  const options = { db: database.db, core: { clock: shared }, settings: { RATE_LIMIT: 60 } };
  const [one, two] = [await startLiveApi(options), await startLiveApi(options)];
  try {
    const { token } = await one.addUser('Twofold');
    for (let count = 0; count < 60; count++)
      expect((await one.ask('/api/user/me', { token })).status).toBe(200);
    expect((await two.ask('/api/user/me', { token })).status).toBe(200);
    // The second process may exchange before the first; its next exchange then finds the sum.
    let asked = 1;
    const isRefused = async () => {
      shared.advance(1000);
      asked += 1;
      return (await two.ask('/api/user/me', { token })).status === 429;
    };
    await expect.poll(isRefused, { timeout: 9000 }).toBe(true);
    // By itself, the second process would allow sixty, and after a minute a new window begins.
    expect(asked).toBeLessThan(60);
  } finally {
    await Promise.all([one.stop(), two.stop()]);
  }
});
