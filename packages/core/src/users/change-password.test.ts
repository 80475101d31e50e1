import { randomUUID } from 'node:crypto';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { makeContext } from '../../test/arrange.ts';
import { changePassword, readPasswordState } from './change-password.ts';
import { createUser } from './create-user.ts';
import { endOtherSessions, endSession, listSessions } from './own-sessions.ts';
import { findSession, signOut, type FoundSession } from './session.ts';
import { createSignInLink, redeemSignInLink } from './sign-in-link.ts';
import { signIn } from './sign-in.ts';

const database = useTestDatabase();
const PASSWORD = 'correct horse';
const NEW_PASSWORD = 'battery staple';
const networkAddress = '192.0.2.1';
const HOUR_MS = 3_600_000;

async function setup(options: { hasPassword: boolean } = { hasPassword: true }) {
  const { ctx, clock } = makeContext(database.db);
  const email = `${randomUUID()}@example.org`;
  const user = await createUser(ctx, {
    name: 'Ada',
    email,
    password: options.hasPassword ? PASSWORD : undefined,
    role: 'member',
  });
  const enter = (from = networkAddress, userAgent = 'Firefox') =>
    signIn(ctx, { email, password: PASSWORD, networkAddress: from, userAgent });
  return { ctx, clock, email, user, enter };
}

async function sessionOf(ctx: Parameters<typeof findSession>[0], cookie: string | undefined) {
  const session = await findSession(ctx, cookie ?? '');
  if (!session) throw new Error('There is no session');
  return session;
}

function change(ctx: Parameters<typeof findSession>[0], session: FoundSession, current = PASSWORD) {
  const input = { current_password: current, new_password: NEW_PASSWORD, networkAddress };
  return changePassword(ctx, session, input);
}

describe('changing the password', () => {
  it('ends all other sessions and links, and only the new password signs in', async () => {
    const { ctx, email, user, enter } = await setup();
    const [here, elsewhere] = [await enter(), await enter()];
    const link = await createSignInLink(ctx, user.id);
    await change(ctx, await sessionOf(ctx, here?.cookie));
    expect(await findSession(ctx, here?.cookie ?? '')).not.toBeNull();
    expect(await findSession(ctx, elsewhere?.cookie ?? '')).toBeNull();
    expect(await redeemSignInLink(ctx, link, { networkAddress })).toBeNull();
    expect(await enter()).toBeNull();
    expect(await signIn(ctx, { email, password: NEW_PASSWORD, networkAddress })).not.toBeNull();
  });

  it('needs the current password, and ends nothing without it', async () => {
    const { ctx, enter } = await setup();
    const [here, elsewhere] = [await enter(), await enter()];
    const refused = change(ctx, await sessionOf(ctx, here?.cookie), 'a guess');
    await expect(refused).rejects.toMatchObject({
      kind: 'invalid',
      fields: { current_password: ['The current password is wrong.'] },
    });
    expect(await findSession(ctx, elsewhere?.cookie ?? '')).not.toBeNull();
  });

  it('names the field of a new password that is too short', async () => {
    const { ctx, enter } = await setup();
    const session = await sessionOf(ctx, (await enter())?.cookie);
    const input = { current_password: PASSWORD, new_password: 'short', networkAddress };
    await expect(changePassword(ctx, session, input)).rejects.toMatchObject({
      kind: 'invalid',
      fields: { new_password: ['The password must have 8 to 1000 characters.'] },
    });
  });

  it('has the limits of signing in: guesses are refused, and then the right password too', async () => {
    const { ctx, enter } = await setup();
    const session = await sessionOf(ctx, (await enter())?.cookie);
    for (let guess = 0; guess < 8; guess++)
      await expect(change(ctx, session, 'a guess')).rejects.toMatchObject({ kind: 'invalid' });
    await expect(change(ctx, session)).rejects.toMatchObject({ kind: 'too-many' });
    await expect(enter()).rejects.toMatchObject({ kind: 'too-many' });
  });

  it('gives a first password to a user who has signed in by link', async () => {
    const { ctx, email, user } = await setup({ hasPassword: false });
    const entered = await redeemSignInLink(ctx, await createSignInLink(ctx, user.id), { networkAddress });
    const session = await sessionOf(ctx, entered?.cookie);
    expect(await readPasswordState(ctx, session)).toEqual({ is_set: false, is_current_asked: false });
    await change(ctx, session, '');
    expect(await readPasswordState(ctx, session)).toEqual({ is_set: true, is_current_asked: true });
    expect(await signIn(ctx, { email, password: NEW_PASSWORD, networkAddress })).not.toBeNull();
  });

  it('replaces a forgotten password once, within an hour after a sign-in by link', async () => {
    const { ctx, clock, email, user, enter } = await setup();
    const byPassword = await sessionOf(ctx, (await enter())?.cookie);
    clock.advance(1000);
    const enterByLink = async () =>
      sessionOf(
        ctx,
        (await redeemSignInLink(ctx, await createSignInLink(ctx, user.id), { networkAddress }))?.cookie,
      );
    const late = await enterByLink();
    clock.advance(HOUR_MS);
    const session = await enterByLink();
    for (const other of [byPassword, late]) {
      expect(await readPasswordState(ctx, other)).toEqual({ is_set: true, is_current_asked: true });
      await expect(change(ctx, other, '')).rejects.toMatchObject({ kind: 'invalid' });
    }
    clock.advance(HOUR_MS - 1);
    await createSignInLink(ctx, user.id);
    expect(await readPasswordState(ctx, session)).toEqual({ is_set: true, is_current_asked: false });
    await change(ctx, session, '');
    expect(await signIn(ctx, { email, password: NEW_PASSWORD, networkAddress })).not.toBeNull();
    expect(await readPasswordState(ctx, session)).toEqual({ is_set: true, is_current_asked: true });
    await expect(change(ctx, session, '')).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('grants one of two changes at the same time', async () => {
    const { ctx, enter } = await setup();
    const session = await sessionOf(ctx, (await enter())?.cookie);
    const results = await Promise.allSettled([change(ctx, session), change(ctx, session)]);
    const granted = results.filter(({ status }) => status === 'fulfilled');
    expect(granted).toHaveLength(1);
  });

  it.each(['a rotation', 'a sign-in'])('lets no session of %s at the same time survive', async (rival) => {
    const { ctx, clock, enter } = await setup();
    const [here, elsewhere] = [await enter(), await enter()];
    const session = await sessionOf(ctx, here?.cookie);
    clock.advance(2 * HOUR_MS);
    const rotate = async () => (await findSession(ctx, elsewhere?.cookie ?? ''))?.newCookie?.value;
    const enterAgain = async () => (await enter())?.cookie;
    const [cookie] = await Promise.all([
      rival === 'a rotation' ? rotate() : enterAgain(),
      change(ctx, session),
    ]);
    expect(await findSession(ctx, cookie ?? 'none', { canSetCookie: false })).toBeNull();
    expect(await listSessions(ctx, session)).toHaveLength(1);
  });
});

describe('own sessions', () => {
  it('say when and from where they began, and keep that when the cookie is replaced', async () => {
    const { ctx, clock, enter } = await setup();
    const first = await enter('192.0.2.1', 'Firefox');
    const signedInAt = new Date(clock.now()).toISOString().replace('Z', '000Z');
    clock.advance(2 * HOUR_MS);
    await enter('192.0.2.2', 'x'.repeat(1000));
    const session = await sessionOf(ctx, first?.cookie);
    const listed = await listSessions(ctx, await sessionOf(ctx, session.newCookie?.value));
    expect(listed).toHaveLength(2);
    expect(listed.find(({ is_current }) => is_current)).toMatchObject({
      id: session.signInId,
      signed_in_at: signedInAt,
      network_address: '192.0.2.1',
      user_agent: 'Firefox',
    });
    expect(listed.find(({ is_current }) => !is_current)).toMatchObject({
      network_address: '192.0.2.2',
      user_agent: 'x'.repeat(300),
    });
  });

  it('end one by one, or all others at once', async () => {
    const { ctx, enter } = await setup();
    const [here, second, third] = [await enter(), await enter(), await enter()];
    const session = await sessionOf(ctx, here?.cookie);
    await endSession(ctx, session, (await sessionOf(ctx, second?.cookie)).signInId);
    expect(await findSession(ctx, second?.cookie ?? '')).toBeNull();
    expect(await findSession(ctx, third?.cookie ?? '')).not.toBeNull();
    await endOtherSessions(ctx, session);
    expect(await findSession(ctx, third?.cookie ?? '')).toBeNull();
    expect(await listSessions(ctx, session)).toHaveLength(1);
  });

  it('of other users are neither listed nor ended', async () => {
    const [own, foreign] = [await setup(), await setup()];
    const session = await sessionOf(own.ctx, (await own.enter())?.cookie);
    const theirs = await sessionOf(own.ctx, (await foreign.enter())?.cookie);
    await expect(endSession(own.ctx, session, theirs.signInId)).rejects.toMatchObject({ kind: 'not-found' });
    expect((await listSessions(own.ctx, session)).map(({ id }) => id)).toEqual([session.signInId]);
  });

  it('end with a sign-out under the cookie that was replaced and the one that replaced it', async () => {
    const { ctx, clock, enter } = await setup();
    const entered = await enter();
    clock.advance(2 * HOUR_MS);
    const session = await sessionOf(ctx, entered?.cookie);
    await signOut(ctx, entered?.cookie ?? '');
    expect(await findSession(ctx, session.newCookie?.value ?? '')).toBeNull();
  });
});
