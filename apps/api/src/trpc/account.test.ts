import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type Browser } from '../../test/browser.ts';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';

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

test('nothing of it without a session', async () => {
  const { trpc } = openBrowser(live.url);
  const change = { current_password: live.password, new_password: 'battery staple' };
  for (const attempt of [trpc.account.sessions.query(), trpc.account.changePassword.mutate(change)])
    await expect(attempt).rejects.toMatchObject({ data: { httpStatus: 401 } });
});
