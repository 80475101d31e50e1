import { createSignInLink } from '@parley/core';
import { statement } from '@parley/db';
import { ManualClock } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { TRPCClientError } from '@trpc/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../test/browser.ts';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import { signInOperator } from '../../test/signed-in.ts';
import type { AppRouter } from './router.ts';

const database = useTestDatabase();
const clock = new ManualClock();
let live: LiveApi;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db, core: { clock } });
});

afterAll(() => live.stop());

async function failure(promise: Promise<unknown>) {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof TRPCClientError)) throw new Error('The request did not fail');
  const { message, data } = error as TRPCClientError<AppRouter>;
  return { message, status: data?.httpStatus, errors: data?.errors };
}

test('every procedure except signing in requires a session', async () => {
  const { trpc } = openBrowser(live.url);
  expect(await trpc.session.me.query()).toBeNull();
  expect(await failure(trpc.assistants.list.query())).toEqual({
    message: 'Unauthenticated.',
    status: 401,
    errors: {},
  });
});

test('the right password signs in with a cookie that scripts cannot read', async () => {
  const browser = await signInOperator(live);
  expect(browser.lastSetCookie()).toMatch(/^parley_session=[^;]+;/);
  expect(browser.lastSetCookie()).toMatch(/; HttpOnly/);
  expect(browser.lastSetCookie()).toMatch(/; SameSite=Lax/);
  expect(browser.lastSetCookie()).toMatch(/; Path=\//);
  expect(browser.lastSetCookie()).not.toMatch(/; Secure/);
  expect(await browser.trpc.session.me.query()).toMatchObject({ email: live.email, role: 'operator' });
  expect((await browser.trpc.assistants.list.query()).length).toBeGreaterThan(0);
});

test('a wrong password and an unknown address are refused alike', async () => {
  const { trpc } = openBrowser(live.url);
  const wrong = await failure(trpc.session.signIn.mutate({ email: live.email, password: 'wrong' }));
  const unknown = await failure(
    trpc.session.signIn.mutate({ email: 'unknown@parley.example', password: 'wrong' }),
  );
  expect(wrong).toMatchObject({ status: 401, message: 'The e-mail address or the password is wrong.' });
  expect(unknown).toEqual(wrong);
});

test('a link signs in once', async () => {
  const { userId } = await live.addUser('Linked');
  const secret = await createSignInLink(live.core, userId);
  const browser = openBrowser(live.url);
  expect(await browser.trpc.session.redeemLink.mutate({ secret })).toMatchObject({
    name: 'Linked',
    role: 'member',
  });
  expect(await browser.trpc.session.me.query()).toMatchObject({ name: 'Linked' });
  const again = await failure(openBrowser(live.url).trpc.session.redeemLink.mutate({ secret }));
  expect(again.status).toBe(404);
});

test('the cookie of an active session is replaced, and the old one expires', async () => {
  const browser = await signInOperator(live);
  const old = browser.cookie();
  clock.advance(3_600_000);
  await browser.trpc.session.me.query();
  expect(browser.cookie()).not.toBe(old);
  expect(await browser.trpc.session.me.query()).not.toBeNull();
  clock.advance(61_000);
  const thief = openBrowser(live.url);
  thief.setCookie(old);
  expect(await thief.trpc.session.me.query()).toBeNull();
  expect(await browser.trpc.session.me.query()).not.toBeNull();
});

test('signing out ends the session for every copy of its cookie', async () => {
  const browser = await signInOperator(live);
  const copy = openBrowser(live.url);
  copy.setCookie(browser.cookie());
  expect(await copy.trpc.session.me.query()).not.toBeNull();
  await browser.trpc.session.signOut.mutate();
  expect(browser.cookie()).toBeNull();
  expect(await copy.trpc.session.me.query()).toBeNull();
  await browser.trpc.session.signOut.mutate();
});

test('a page of another origin can change nothing, even with the cookie', async () => {
  const browser = await signInOperator(live);
  const foreign = openBrowser(live.url, 'https://evil.example');
  foreign.setCookie(browser.cookie());
  expect(await failure(foreign.trpc.session.signOut.mutate())).toMatchObject({ status: 403 });
  expect(await browser.trpc.session.me.query()).not.toBeNull();
});

test('the cookie is restricted to https if the public address uses https', async () => {
  const secure = await startLiveApi({
    db: database.db,
    core: { clock, publicUrl: 'https://parley.example' },
  });
  const browser = openBrowser(secure.url, 'https://parley.example');
  await browser.trpc.session.signIn.mutate({ email: live.email, password: live.password });
  expect(browser.lastSetCookie()).toMatch(/; Secure/);
  await secure.stop();
});

test('faults have the same messages per field as REST', async () => {
  const { trpc } = await signInOperator(live);
  const wrong = { assistant_name: '', voice_id: 'x' } as never;
  expect(await failure(trpc.assistants.create.mutate(wrong))).toMatchObject({
    status: 422,
    message: 'The given data was invalid.',
    errors: {
      assistant_name: ['The assistant name field is required.'],
      voice_id: ['The voice id must be an integer.'],
    },
  });
  expect(await failure(trpc.calls.get.query({ id: 999_999 }))).toMatchObject({
    status: 404,
    message: 'Call not found',
  });
  expect(await failure(trpc.calls.place.mutate({ assistant_id: 1, phone_number: '12' }))).toMatchObject({
    status: 422,
    errors: { phone_number: ['Invalid phone number'] },
  });
});

test('text that cannot be stored is refused here too', async () => {
  const { trpc } = openBrowser(live.url);
  expect(await failure(trpc.session.signIn.mutate({ email: 'a\0@b', password: 'x' }))).toMatchObject({
    status: 422,
  });
});

/** Posts a batch of sign-ins as a browser would. */
async function signInBatch(size: number): Promise<Response> {
  const calls = Array.from({ length: size }, () => 'session.signIn').join(',');
  const inputs = Array.from({ length: size }, (_, index) => [
    index,
    { email: live.email, password: 'wrong' },
  ]);
  return fetch(`${live.url}/trpc/${calls}?batch=1`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: live.url },
    body: JSON.stringify(Object.fromEntries(inputs)),
  });
}

test('passwords cannot be tried in a batch, and no attempt of it is counted or hashed', async () => {
  const before = await attempts();
  const refused = await signInBatch(2);
  expect(await refused.json()).toMatchObject([
    { error: { data: { httpStatus: 403 } } },
    { error: { data: { httpStatus: 403 } } },
  ]);
  expect((await signInBatch(21)).status).toBe(400);
  expect(await attempts()).toEqual(before);
});

/** The counters of sign-in attempts. */
const attempts = () =>
  database.db.query(statement<{ failures: number }>('', 'select failures from sign_in_attempts'), []);
