import { createSignInLink, findUserByEmail } from '@parley/core';
import { totpCode, useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type Browser } from '../../test/browser.ts';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import { signInUser } from '../../test/signed-in.ts';

const database = useTestDatabase();
let live: LiveApi;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
});

afterAll(() => live.stop());

async function enter(password = live.password): Promise<Browser> {
  const browser = openBrowser(live.url);
  await browser.trpc.session.signIn.mutate({ email: live.email, password });
  return browser;
}

test('a user sees the own sessions and ends one, which is refused from its next request on', async () => {
  const [here, elsewhere] = [await enter(), await enter()];
  const sessions = await here.trpc.account.sessions.query();
  expect(sessions).toHaveLength(2);
  expect(sessions[0]).toMatchObject({ network_address: '127.0.0.1', user_agent: expect.any(String) });
  const other = sessions.find(({ is_current }) => !is_current);
  await here.trpc.account.endSession.mutate({ id: other?.id ?? '' });
  expect(await elsewhere.trpc.session.me.query()).toBeNull();
  await here.trpc.session.signOut.mutate();
});

test('a forwarded address is not believed, not even from this machine, unless TRUST_PROXY names the proxy', async () => {
  const { status } = await fetch(`${live.url}/trpc/session.signIn`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: live.url, 'x-forwarded-for': '203.0.113.7' },
    body: JSON.stringify({ email: live.email, password: live.password }),
  });
  expect(status).toBe(200);
  const addresses = (await (await enter()).trpc.account.sessions.query()).map((one) => one.network_address);
  expect(new Set(addresses)).toEqual(new Set(['127.0.0.1']));
});

test('a wrong current password does not sign out, and the right one changes the password', async () => {
  const [here, elsewhere] = [await enter(), await enter()];
  const wrong = { current_password: 'wrong', new_password: 'battery staple' };
  await expect(here.trpc.account.changePassword.mutate(wrong)).rejects.toMatchObject({
    data: { httpStatus: 422, errors: { current_password: ['The current password is wrong.'] } },
  });
  await here.trpc.account.changePassword.mutate({ ...wrong, current_password: live.password });
  expect(await here.trpc.session.me.query()).not.toBeNull();
  expect(await elsewhere.trpc.session.me.query()).toBeNull();
  await enter('battery staple');
});

test('the time zone of an account is changed by its user, and must exist', async () => {
  const { userId } = await live.addUser('Traveller');
  const member = await signInUser(live, userId);
  await member.trpc.account.changeTimeZone.mutate({ timezone: 'Asia/Tokyo' });
  expect(await member.trpc.session.me.query()).toMatchObject({ timezone: 'Asia/Tokyo' });
  const unknown = { timezone: 'Asia/Atlantis' };
  await expect(member.trpc.account.changeTimeZone.mutate(unknown)).rejects.toMatchObject({
    data: { errors: { timezone: [expect.any(String)] } },
  });
});

test('the second factor is set up, asked for at sign-in, and reset by an operator', async () => {
  const { userId } = await live.addUser('Phoned');
  const member = openBrowser(live.url);
  const secret = await createSignInLink(live.core, userId);
  await member.trpc.session.redeemLink.mutate({ secret });
  const begun = await member.trpc.account.beginSecondFactor.mutate({ current_password: '' });
  const wrong = { data: { httpStatus: 422, errors: { code: [expect.any(String)] } } };
  await expect(member.trpc.account.confirmSecondFactor.mutate({ code: 'none' })).rejects.toMatchObject(wrong);
  const confirmed = await member.trpc.account.confirmSecondFactor.mutate({
    code: totpCode(begun.secret, live.core.clock.now()),
  });
  expect(confirmed.recovery_codes).toHaveLength(10);
  expect(await member.trpc.account.secondFactor.query()).toEqual({
    is_enabled: true,
    recovery_codes_left: 10,
  });

  const elsewhere = openBrowser(live.url);
  const link = { secret: await createSignInLink(live.core, userId) };
  await expect(elsewhere.trpc.session.redeemLink.mutate(link)).rejects.toMatchObject(wrong);
  expect(elsewhere.cookie()).toBeNull();
  const [code = ''] = confirmed.recovery_codes;
  await elsewhere.trpc.session.redeemLink.mutate({ ...link, code });
  expect(await elsewhere.trpc.session.me.query()).toMatchObject({ id: userId });
  const off = { current_password: '', code: 'none' };
  await expect(elsewhere.trpc.account.disableSecondFactor.mutate(off)).rejects.toMatchObject(wrong);

  const operator = openBrowser(live.url);
  await operator.trpc.session.redeemLink.mutate({
    secret: await createSignInLink(live.core, (await findUserByEmail(live.core, live.email)).id),
  });
  await operator.trpc.users.resetSecondFactor.mutate({ id: userId });
  expect(await elsewhere.trpc.session.me.query()).toBeNull();
  const refused = elsewhere.trpc.users.resetSecondFactor.mutate({ id: userId });
  await expect(refused).rejects.toMatchObject({ data: { httpStatus: 401 } });
});

test('nothing of it without a session', async () => {
  const { trpc } = openBrowser(live.url);
  const change = { current_password: live.password, new_password: 'battery staple' };
  for (const attempt of [trpc.account.sessions.query(), trpc.account.changePassword.mutate(change)])
    await expect(attempt).rejects.toMatchObject({ data: { httpStatus: 401 } });
});
