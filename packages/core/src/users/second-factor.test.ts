import { randomUUID } from 'node:crypto';
import { totpCode, useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { makeContext, makeUser } from '../../test/arrange.ts';
import { resetSecondFactor } from '../accounts/reset-second-factor.ts';
import { listUserAccounts } from '../accounts/user-accounts.ts';
import { createUser } from './create-user.ts';
import { listSessions } from './own-sessions.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  disableSecondFactor,
  readSecondFactor,
} from './second-factor.ts';
import { findSession } from './session.ts';
import { createSignInLink, redeemSignInLink } from './sign-in-link.ts';
import { signIn } from './sign-in.ts';

const database = useTestDatabase();
const PASSWORD = 'correct horse';
const networkAddress = '192.0.2.1';
const STEP_MS = 30_000;
const given = { current_password: PASSWORD, networkAddress };
const MISSING = {
  kind: 'invalid',
  fields: { code: ['Enter the code from your authenticator app.'] },
};
const WRONG = {
  kind: 'invalid',
  fields: { code: ['This code is wrong, has expired or was used already.'] },
};

async function setup() {
  const { ctx, clock } = makeContext(database.db);
  const email = `${randomUUID()}@example.org`;
  const user = await createUser(ctx, { name: 'Ada', email, password: PASSWORD, role: 'member' });
  const enter = (code?: string, more: { password?: string; networkAddress?: string } = {}) =>
    signIn(ctx, { email, password: PASSWORD, networkAddress, code, ...more });
  const sessionOf = async (cookie: string | undefined) => {
    const session = await findSession(ctx, cookie ?? '');
    if (!session) throw new Error('There is no session');
    return session;
  };
  const session = await sessionOf((await enter())?.cookie);
  return { ctx, clock, email, user, enter, sessionOf, session };
}

/** A user with the second factor, a step after it was confirmed. */
async function setupEnabled() {
  const about = await setup();
  const { secret } = await beginSecondFactor(about.ctx, about.session, given);
  const codeNow = (steps = 0) => totpCode(secret, about.clock.now() + steps * STEP_MS);
  const recoveryCodes = await confirmSecondFactor(about.ctx, about.session, codeNow());
  about.clock.advance(STEP_MS);
  const wrongCode = () => (codeNow() === '000000' ? '000001' : '000000');
  return { ...about, codeNow, recoveryCodes, wrongCode };
}

describe('switching the second factor on', () => {
  it('gives an address for the authenticator app, and has no effect before a code has confirmed it', async () => {
    const { ctx, clock, email, session, enter } = await setup();
    const { secret, address } = await beginSecondFactor(ctx, session, given);
    expect(Buffer.byteLength(secret)).toBe(32);
    const read = new URL(address);
    expect(read.protocol + read.host).toBe('otpauth:totp');
    expect(decodeURIComponent(read.pathname)).toBe(`/Parley:${email}`);
    expect(read.searchParams.get('secret')).toBe(secret);
    await expect(
      confirmSecondFactor(ctx, session, totpCode(secret, clock.now() + 5 * STEP_MS)),
    ).rejects.toMatchObject(WRONG);
    expect(await enter()).not.toBeNull();
    expect(await readSecondFactor(ctx, session)).toEqual({ is_enabled: false, recovery_codes_left: 0 });
  });

  it('ends all other sessions and the links, and signing in then needs a code', async () => {
    const { ctx, clock, user, session, enter } = await setup();
    const other = await enter();
    const link = await createSignInLink(ctx, user.id);
    const { secret } = await beginSecondFactor(ctx, session, given);
    const codes = await confirmSecondFactor(ctx, session, totpCode(secret, clock.now()));
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
    expect(await readSecondFactor(ctx, session)).toEqual({ is_enabled: true, recovery_codes_left: 10 });
    expect(await findSession(ctx, other?.cookie ?? '')).toBeNull();
    expect(await redeemSignInLink(ctx, link, { networkAddress })).toBeNull();
    await expect(enter()).rejects.toMatchObject(MISSING);
    const operator = await makeUser(ctx);
    expect(await listUserAccounts(ctx, operator)).toContainEqual(
      expect.objectContaining({ id: user.id, has_second_factor: true }),
    );
  });

  it('lets no session of a sign-in at the same time survive', async () => {
    const { ctx, clock, session, enter } = await setup();
    const { secret } = await beginSecondFactor(ctx, session, given);
    await Promise.allSettled([
      enter(),
      confirmSecondFactor(ctx, session, totpCode(secret, clock.now())),
      enter(),
    ]);
    expect(await listSessions(ctx, session)).toMatchObject([{ is_current: true }]);
  });

  it('needs the password, and happens once', async () => {
    const { ctx, session, codeNow } = await setupEnabled();
    const conflict = { kind: 'conflict', message: 'The second factor is on already.' };
    await expect(beginSecondFactor(ctx, session, given)).rejects.toMatchObject(conflict);
    await expect(confirmSecondFactor(ctx, session, codeNow())).rejects.toMatchObject(conflict);
    const other = await setup();
    const guess = { ...given, current_password: 'a guess' };
    await expect(beginSecondFactor(other.ctx, other.session, guess)).rejects.toMatchObject({
      fields: { current_password: ['The current password is wrong.'] },
    });
    await expect(confirmSecondFactor(other.ctx, other.session, '000000')).rejects.toMatchObject(WRONG);
  });
});

describe('signing in with the second factor', () => {
  it('opens a session with the code, typed in any form', async () => {
    const { ctx, user, enter, codeNow } = await setupEnabled();
    const code = codeNow();
    const entered = await enter(` ${code.slice(0, 3)} ${code.slice(3)}`);
    expect(await findSession(ctx, entered?.cookie ?? '')).toMatchObject({ userId: user.id });
  });

  it('answers a wrong password as ever, whether a code is given or not', async () => {
    const { enter, codeNow } = await setupEnabled();
    expect(await enter(undefined, { password: 'wrong' })).toBeNull();
    expect(await enter(codeNow(), { password: 'wrong' })).toBeNull();
  });

  it.each([
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ])('accepts one step of clock skew: the code %i steps away', async (steps, isAccepted) => {
    const { clock, enter, codeNow } = await setupEnabled();
    clock.advance(3 * STEP_MS);
    const attempt = enter(codeNow(steps));
    if (isAccepted) expect(await attempt).not.toBeNull();
    else await expect(attempt).rejects.toMatchObject(WRONG);
  });

  it('accepts a code once, also of attempts at the same time, and no code of an earlier step after it', async () => {
    const { clock, enter, codeNow } = await setupEnabled();
    clock.advance(STEP_MS);
    const results = await Promise.allSettled([enter(codeNow()), enter(codeNow()), enter(codeNow())]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(enter(codeNow(-1))).rejects.toMatchObject(WRONG);
  });

  it('accepts each recovery code once', async () => {
    const { ctx, session, enter, recoveryCodes } = await setupEnabled();
    const [first = '', second = ''] = recoveryCodes;
    const results = await Promise.allSettled([enter(first), enter(first)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await enter(second.toUpperCase().replaceAll('-', ' '))).not.toBeNull();
    expect((await readSecondFactor(ctx, session)).recovery_codes_left).toBe(8);
  });

  it('accepts no code of another user', async () => {
    const [one, other] = [await setupEnabled(), await setupEnabled()];
    const [recoveryCode = ''] = other.recoveryCodes;
    await expect(one.enter(recoveryCode)).rejects.toMatchObject(WRONG);
    expect(await other.enter(recoveryCode)).not.toBeNull();
  });

  it('limits wrong codes for the user, from any network and over links too, until the window is over', async () => {
    const { ctx, clock, user, enter, codeNow, wrongCode, recoveryCodes } = await setupEnabled();
    const link = await createSignInLink(ctx, user.id, 3_600_000);
    for (let count = 0; count < 10; count++) {
      const from = { networkAddress: `198.51.100.${count}` };
      // The password without a code in between does not reset the limit.
      await expect(enter(undefined, from)).rejects.toMatchObject(MISSING);
      await expect(enter(wrongCode(), from)).rejects.toMatchObject(WRONG);
    }
    const tooMany = { kind: 'too-many' };
    await expect(enter(codeNow(), { networkAddress: '203.0.113.1' })).rejects.toMatchObject(tooMany);
    await expect(enter(recoveryCodes[0])).rejects.toMatchObject(tooMany);
    const byLink = redeemSignInLink(ctx, link, { networkAddress, code: codeNow() });
    await expect(byLink).rejects.toMatchObject(tooMany);
    clock.advance(15 * 60_000 + 1);
    expect(await enter(codeNow())).not.toBeNull();
  });

  it('counts the steps of one network as attempts before the password is compared', async () => {
    const { enter, wrongCode } = await setupEnabled();
    for (let count = 0; count < 8; count++) await expect(enter(wrongCode())).rejects.toMatchObject(WRONG);
    await expect(enter(wrongCode())).rejects.toMatchObject({ kind: 'too-many' });
    expect(await enter(wrongCode(), { password: 'wrong', networkAddress: '192.0.2.2' })).toBeNull();
  });

  it('is asked for by links, which a wrong code does not use up', async () => {
    const { ctx, user, codeNow, wrongCode } = await setupEnabled();
    const link = await createSignInLink(ctx, user.id);
    const open = (code?: string) => redeemSignInLink(ctx, link, { networkAddress, code });
    await expect(open()).rejects.toMatchObject(MISSING);
    await expect(open(wrongCode())).rejects.toMatchObject(WRONG);
    expect(await open(codeNow())).toMatchObject({ user: { id: user.id } });
    expect(await open(codeNow(1))).toBeNull();
  });
});

describe('switching the second factor off', () => {
  it('needs password and code', async () => {
    const { ctx, session, enter, codeNow, wrongCode } = await setupEnabled();
    const disable = (code: string, password = PASSWORD) =>
      disableSecondFactor(ctx, session, { ...given, current_password: password, code });
    await expect(disable(codeNow(), 'a guess')).rejects.toMatchObject({ kind: 'invalid' });
    await expect(disable(wrongCode())).rejects.toMatchObject(WRONG);
    await expect(disable('')).rejects.toMatchObject(MISSING);
    await disable(codeNow());
    expect(await enter()).not.toBeNull();
    expect(await readSecondFactor(ctx, session)).toEqual({ is_enabled: false, recovery_codes_left: 0 });
  });

  it('is done by operators for others, whose sessions and links end', async () => {
    const { ctx, user, session, enter, codeNow, recoveryCodes } = await setupEnabled();
    const operator = await makeUser(ctx);
    const link = await createSignInLink(ctx, user.id);
    const entered = await enter(codeNow());
    await resetSecondFactor(ctx, operator, user.id);
    await resetSecondFactor(ctx, operator, user.id);
    expect(await findSession(ctx, entered?.cookie ?? '')).toBeNull();
    expect(await redeemSignInLink(ctx, link, { networkAddress })).toBeNull();
    expect(await enter()).not.toBeNull();
    expect((await readSecondFactor(ctx, session)).recovery_codes_left).toBe(0);
    expect(recoveryCodes).toHaveLength(10);
  });

  it('is refused to members, for oneself, and for users that do not exist', async () => {
    const { ctx, user, session } = await setupEnabled();
    const operator = await makeUser(ctx);
    const reset = (by: typeof operator, userId: number) => resetSecondFactor(ctx, by, userId);
    await expect(reset(session, user.id)).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(reset(operator, operator.userId)).rejects.toMatchObject({
      kind: 'conflict',
      message: 'Switch your own second factor off on the page Account.',
    });
    await expect(reset(operator, 2 ** 40)).rejects.toMatchObject({ kind: 'not-found' });
  });
});
