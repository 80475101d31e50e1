import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type Browser } from '../../test/browser.ts';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import { signInOperator, signInUser } from '../../test/signed-in.ts';

const database = useTestDatabase();
let live: LiveApi;
let operator: Browser;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  operator = await signInOperator(live);
});

afterAll(() => live.stop());

const secretOf = (link: string): string => link.split('/admin/sign-in/link/')[1] ?? '';

test('an invited user signs in with the link, and becomes an operator at the next request', async () => {
  const input = { name: 'Bo', email: 'bo@example.org', role: 'member' } as const;
  const { user, link } = await operator.trpc.users.invite.mutate(input);
  const member = openBrowser(live.url);
  await member.trpc.session.redeemLink.mutate({ secret: secretOf(link) });
  const refused = { data: { httpStatus: 403 } };
  await expect(member.trpc.users.list.query()).rejects.toMatchObject(refused);
  await expect(member.trpc.users.inviteAgain.mutate({ id: user.id })).rejects.toMatchObject(refused);
  await expect(member.trpc.users.changeRole.mutate({ id: user.id, role: 'operator' })).rejects.toMatchObject(
    refused,
  );
  await operator.trpc.users.changeRole.mutate({ id: user.id, role: 'operator' });
  const listed = await member.trpc.users.list.query();
  expect(listed.find(({ id }) => id === user.id)).toEqual({ ...user, role: 'operator' });
  await operator.trpc.users.changeRole.mutate({ id: user.id, role: 'member' });
});

test('an invited user has the time zone of the operator', async () => {
  await operator.trpc.account.changeTimeZone.mutate({ timezone: 'Europe/Berlin' });
  const input = { name: 'Cy', email: 'cy@example.org', role: 'member' } as const;
  const { user } = await operator.trpc.users.invite.mutate(input);
  expect(user.timezone).toBe('Europe/Berlin');
});

test('the last operator keeps the role', async () => {
  const own = (await operator.trpc.session.me.query())?.id ?? 0;
  await expect(operator.trpc.users.changeRole.mutate({ id: own, role: 'member' })).rejects.toMatchObject({
    message: 'The last operator cannot become a member.',
    data: { httpStatus: 409 },
  });
});

test('the limits of a user are set by operators, with the texts of a form', async () => {
  const { userId } = await live.addUser('Limited');
  const draft = {
    max_calls_per_second: '',
    max_calls_per_day: '20',
    max_cost_per_day: '2.5',
    limit_webhook_url: 'https://example.com/limits',
  };
  const stored = { ...draft, max_calls_per_second: null, max_calls_per_day: 20, max_cost_per_day: 2.5 };
  expect(await operator.trpc.users.setDialLimits.mutate({ id: userId, ...draft })).toMatchObject(stored);
  const member = await signInUser(live, userId);
  await expect(member.trpc.users.setDialLimits.mutate({ id: userId, ...draft })).rejects.toMatchObject({
    data: { httpStatus: 403 },
  });
});
