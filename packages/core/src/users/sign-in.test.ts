import { randomUUID } from 'node:crypto';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { makeContext } from '../../test/arrange.ts';
import { createUser } from './create-user.ts';
import { createSignInLink, hasAnyoneSignedIn, redeemSignInLink } from './sign-in-link.ts';
import { findSession, signOut } from './session.ts';
import { signIn } from './sign-in.ts';

const database = useTestDatabase();
const PASSWORD = 'correct horse';
const networkAddress = '192.0.2.1';
const HOUR_MS = 3_600_000;

async function setup() {
  const { ctx, clock } = makeContext(database.db);
  const email = `${randomUUID()}@example.org`;
  const user = await createUser(ctx, { name: 'Ada', email, password: PASSWORD, role: 'member' });
  const attempt = (password: string, from = networkAddress) =>
    signIn(ctx, { email, password, networkAddress: from });
  return { ctx, clock, email, user, attempt };
}

describe('making a user', () => {
  it('refuses an address that is taken, however it is written', async () => {
    const { ctx, email } = await setup();
    const again = createUser(ctx, { name: 'Eve', email: ` ${email.toUpperCase()}`, role: 'member' });
    await expect(again).rejects.toMatchObject({ kind: 'invalid', fields: { email: [expect.any(String)] } });
  });

  it.each(['', 'ada', 'a b@example.org', '@'])('refuses the address %j', async (email) => {
    const { ctx } = await setup();
    await expect(createUser(ctx, { name: 'Ada', email, role: 'member' })).rejects.toMatchObject({
      kind: 'invalid',
    });
  });

  it('refuses a short password', async () => {
    const { ctx } = await setup();
    const attempt = createUser(ctx, { name: 'Ada', email: 'a@b.test', password: '1234567', role: 'member' });
    await expect(attempt).rejects.toMatchObject({ kind: 'invalid' });
  });
});

describe('signing in', () => {
  it('with the right password opens a session of the user', async () => {
    const { ctx, user, attempt } = await setup();
    const signedIn = await attempt(PASSWORD);
    expect(signedIn?.user).toEqual(user);
    const session = await findSession(ctx, signedIn?.cookie ?? '');
    expect(session).toMatchObject({
      userId: user.id,
      role: 'member',
      scopes: 'all',
      tokenId: null,
      user,
      newCookie: null,
    });
  });

  it('with a wrong password or an unknown address fails', async () => {
    const { ctx, attempt } = await setup();
    expect(await attempt('wrong')).toBeNull();
    expect(await signIn(ctx, { email: 'nobody@example.org', password: PASSWORD, networkAddress })).toBeNull();
  });

  it('as a user without a password opens nothing', async () => {
    const { ctx } = await setup();
    const email = `${randomUUID()}@example.org`;
    await createUser(ctx, { name: 'Link only', email, role: 'member' });
    expect(await signIn(ctx, { email, password: '', networkAddress })).toBeNull();
    expect(await signIn(ctx, { email, password: 'nobody has this password', networkAddress })).toBeNull();
  });

  it('is slowed down after repeated failures, for that network address only, until the window is over', async () => {
    const { clock, attempt } = await setup();
    for (let failures = 0; failures < 8; failures++) await attempt('wrong');
    await expect(attempt(PASSWORD)).rejects.toMatchObject({ kind: 'too-many' });
    expect(await attempt(PASSWORD, '192.0.2.2')).not.toBeNull();
    clock.advance(15 * 60_000 + 1);
    expect(await attempt(PASSWORD)).not.toBeNull();
  });

  it.each([
    [
      'an e-mail address from many networks',
      50,
      (count: number) => ({ networkAddress: `198.51.100.${count}` }),
    ],
    ['a network that tries many addresses', 100, (count: number) => ({ email: `${count}@example.net` })],
    [
      'an IPv6 network that tries one address',
      8,
      (count: number) => ({ networkAddress: `2001:db8:0:1::${count.toString(16)}` }),
    ],
    [
      'an IPv6 network that tries many addresses',
      100,
      (count: number) => ({
        email: `six-${count}@example.net`,
        networkAddress: `2001:db8:0:2::${count.toString(16)}`,
      }),
    ],
  ])('is limited for %s, before any hash', async (_what, limit, vary) => {
    const { ctx } = await setup();
    const attempt = (count: number) => {
      const source = { email: `${limit}@example.com`, networkAddress: `203.0.113.${limit}`, ...vary(count) };
      // Aborted, so that the counted attempts need no time for their hashes.
      return signIn(ctx, { ...source, password: 'wrong' }, AbortSignal.abort());
    };
    for (let count = 0; count < limit; count++) await expect(attempt(count)).rejects.toThrow(/abort/i);
    await expect(attempt(limit)).rejects.toMatchObject({ kind: 'too-many' });
  });

  it('counts tries that are made at the same time', async () => {
    const { attempt } = await setup();
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => attempt('wrong')));
    expect(results.filter((result) => result.status === 'rejected')).toHaveLength(4);
  });

  it('with the right password resets the earlier failures', async () => {
    const { attempt } = await setup();
    for (let round = 0; round < 3; round++) {
      for (let failures = 0; failures < 7; failures++) await attempt('wrong');
      expect(await attempt(PASSWORD)).not.toBeNull();
    }
  });
});

describe('a session', () => {
  async function signedIn() {
    const base = await setup();
    const cookie = (await base.attempt(PASSWORD))?.cookie ?? '';
    return { ...base, cookie };
  }

  it('gets a new cookie after an hour; the old one counts for one more minute', async () => {
    const { ctx, clock, cookie } = await signedIn();
    clock.advance(HOUR_MS);
    const rotated = await findSession(ctx, cookie);
    const newCookie = rotated?.newCookie?.value ?? '';
    expect(newCookie).not.toBe('');
    clock.advance(59_000);
    expect((await findSession(ctx, cookie))?.newCookie).toBeNull();
    clock.advance(1_000);
    expect(await findSession(ctx, cookie)).toBeNull();
    expect(await findSession(ctx, newCookie)).not.toBeNull();
  });

  it('is rotated once by requests at the same time', async () => {
    const { ctx, clock, cookie } = await signedIn();
    clock.advance(HOUR_MS);
    const found = await Promise.all(Array.from({ length: 5 }, () => findSession(ctx, cookie)));
    expect(found.filter((session) => session?.newCookie)).toHaveLength(1);
    expect(found.every((session) => session !== null)).toBe(true);
  });

  it('keeps its cookie where none can be sent back', async () => {
    const { ctx, clock, cookie } = await signedIn();
    clock.advance(HOUR_MS);
    expect((await findSession(ctx, cookie, { canSetCookie: false }))?.newCookie).toBeNull();
    expect((await findSession(ctx, cookie))?.newCookie).not.toBeNull();
  });

  it('ends after two weeks without use, and continues while it is used', async () => {
    const { ctx, clock, cookie } = await signedIn();
    clock.advance(13 * 24 * HOUR_MS);
    expect(await findSession(ctx, cookie, { canSetCookie: false })).not.toBeNull();
    clock.advance(13 * 24 * HOUR_MS);
    expect(await findSession(ctx, cookie, { canSetCookie: false })).not.toBeNull();
    clock.advance(14 * 24 * HOUR_MS);
    expect(await findSession(ctx, cookie)).toBeNull();
  });

  it('ends with signing out, which may be repeated', async () => {
    const { ctx, cookie } = await signedIn();
    await signOut(ctx, cookie);
    await signOut(ctx, cookie);
    expect(await findSession(ctx, cookie)).toBeNull();
  });
});

describe('a sign-in link', () => {
  it('works once, also when it is opened several times at once', async () => {
    const { ctx, user } = await setup();
    const secret = await createSignInLink(ctx, user.id);
    const results = await Promise.all(
      Array.from({ length: 5 }, () => redeemSignInLink(ctx, secret, { networkAddress })),
    );
    const [winner, ...others] = results.filter((result) => result !== null);
    expect(others).toEqual([]);
    expect(await findSession(ctx, winner?.cookie ?? '')).toMatchObject({ userId: user.id });
  });

  it('is valid for 15 minutes', async () => {
    const { ctx, clock, user } = await setup();
    const secret = await createSignInLink(ctx, user.id);
    clock.advance(15 * 60_000);
    expect(await redeemSignInLink(ctx, secret, { networkAddress })).toBeNull();
    expect(await redeemSignInLink(ctx, 'unknown', { networkAddress })).toBeNull();
  });

  it('or a password that was used is remembered after signing out', async () => {
    const { ctx, user } = await setup();
    const clear = statement('', 'update users set last_sign_in_at = null');
    await ctx.db.query(clear);
    const secret = await createSignInLink(ctx, user.id);
    expect(await hasAnyoneSignedIn(ctx)).toBe(false);
    const session = await redeemSignInLink(ctx, secret, { networkAddress });
    await signOut(ctx, session?.cookie ?? '');
    expect(await hasAnyoneSignedIn(ctx)).toBe(true);
  });
});
