import { ManualClock } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type Browser } from '../../test/browser.ts';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import { signInOperator, signInUser } from '../../test/signed-in.ts';

const DAY_MS = 86_400_000;

const database = useTestDatabase();
const clock = new ManualClock();
let live: LiveApi;
let browser: Browser;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db, core: { clock } });
  browser = await signInOperator(live);
});

afterAll(() => live.stop());

async function statusWith(token: string | null): Promise<number> {
  return (await live.ask('/api/user/me', { token })).status;
}

test('a token made in the admin app opens the public API until it is revoked there', async () => {
  const made = await browser.trpc.tokens.create.mutate({ name: 'Script' });
  expect(made).toMatchObject({ name: 'Script', scopes: null, expires_at: null, revoked_at: null });
  expect(await statusWith(made.token)).toBe(200);
  await browser.trpc.tokens.revoke.mutate({ id: made.id });
  expect(await statusWith(made.token)).toBe(401);
  const listed = (await browser.trpc.tokens.list.query()).find(({ id }) => id === made.id);
  expect(listed?.revoked_at).toBe(new Date(clock.now()).toISOString().replace('Z', '000Z'));
});

test('the list never has the text of a token', async () => {
  const { id, token, ...record } = await browser.trpc.tokens.create.mutate({ name: 'Shown once' });
  const list = await browser.trpc.tokens.list.query();
  expect(list).toContainEqual({ id, ...record });
  expect(token?.startsWith(record.prefix)).toBe(true);
  expect(JSON.stringify(list)).not.toContain(token);
});

test('a token allows only its scopes', async () => {
  const { token, scopes } = await browser.trpc.tokens.create.mutate({ name: 'Reader', scopes: ['read'] });
  expect(scopes).toEqual(['read']);
  expect(await statusWith(token)).toBe(200);
  const making = await live.ask('/api/user/tokens', { token, method: 'POST', body: { name: 'More' } });
  expect(making.status).toBe(403);
});

test('its expiry is calculated with the clock of the server', async () => {
  const before = clock.now();
  const { token, expires_at } = await browser.trpc.tokens.create.mutate({
    name: 'Two days',
    expires_in_days: '2',
  });
  expect(Date.parse(expires_at ?? '')).toBe(before + 2 * DAY_MS);
  clock.advance(2 * DAY_MS - 1000);
  expect(await statusWith(token)).toBe(200);
  clock.advance(1000);
  expect(await statusWith(token)).toBe(401);
});

test.each([
  ['no name', { name: ' ' }, { name: ['The name field is required.'] }],
  ['no scope', { name: 'A', scopes: [] }, { scopes: ['The scopes field is required.'] }],
  ['no day', { name: 'A', expires_in_days: 0 }, daysFault('must be between 1 and 3650.')],
  ['more than ten years', { name: 'A', expires_in_days: 3651 }, daysFault('must be between 1 and 3650.')],
  ['half a day', { name: 'A', expires_in_days: '0.5' }, daysFault('must be an integer.')],
])('%s is said at its field', async (_name, input, errors) => {
  const making = browser.trpc.tokens.create.mutate(input);
  await expect(making).rejects.toMatchObject({ data: { httpStatus: 422, errors } });
});

function daysFault(rest: string): Record<string, string[]> {
  return { expires_in_days: [`The expires in days ${rest}`] };
}

test("a user can neither list nor revoke another user's token", async () => {
  const { userId } = await live.addUser('Onlooker');
  const onlooker = await signInUser(live, userId);
  const { id, token } = await browser.trpc.tokens.create.mutate({ name: 'Mine' });
  expect((await onlooker.trpc.tokens.list.query()).map((one) => one.id)).not.toContain(id);
  await expect(onlooker.trpc.tokens.revoke.mutate({ id })).rejects.toMatchObject({
    message: 'Token not found',
    data: { code: 'NOT_FOUND' },
  });
  expect(await statusWith(token)).toBe(200);
});

test('creating a token requires a session', async () => {
  const stranger = openBrowser(live.url);
  await expect(stranger.trpc.tokens.create.mutate({ name: 'Mine' })).rejects.toMatchObject({
    data: { httpStatus: 401 },
  });
});
