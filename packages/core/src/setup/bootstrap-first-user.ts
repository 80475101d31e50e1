/**
 * Creates the first user of a fresh installation, a token, a test trunk and the demo assistants. The test trunk reaches
 * fictional numbers only, so that no real phone can be dialed until an operator configures another trunk.
 */
import { randomBytes } from 'node:crypto';
import { ApiToken, PhoneNumber, statement, Trunk, User, type EntityWriter } from '@parley/db';
import { createDemoAssistants } from './demo-assistants.ts';
import { now, type CoreContext } from '../context.ts';
import { makeApiToken } from '../users/api-token.ts';
import { newToken } from '../users/create-token.ts';
import { newUser, publicUser } from '../users/create-user.ts';
import type { PublicUser } from '../users/identity.ts';

/** What automation may preset. Every field is optional. */
export interface BootstrapInput {
  /** Default `operator@localhost`. */
  email?: string | undefined;
  /** Default: generated and returned. */
  password?: string | undefined;
  /** Default: generated. */
  token?: string | undefined;
  /** The SIP address of the test phones. Default 127.0.0.1:5070. */
  testPhones?: { host: string; port: number } | undefined;
}

/** The first user, with secrets that are shown only once. */
export interface BootstrapResult {
  /** False when a user already existed, so that nothing was created. */
  isNew: boolean;
  /** The first operator, one who is enabled if possible. */
  user: PublicUser;
  /** Only when it is new. */
  token?: string;
  /** Only when it is new and was generated. */
  password?: string;
}

/** Caller number of the test trunk, and the number at which the inbound demo assistant answers. */
const CALLER_NUMBER = '+12025550100';
const INBOUND_NUMBER = '+12025550101';
/** Any number that no other advisory lock uses. SQL: the ORM has no advisory locks. */
const lockBootstrap = statement('lock_bootstrap', 'select pg_advisory_xact_lock(7265002)');

/** Idempotent and safe to run in several processes at once. */
export async function bootstrapFirstUser(
  ctx: CoreContext,
  input: BootstrapInput = {},
): Promise<BootstrapResult> {
  return ctx.db.transaction(async (tx) => {
    await tx.query(lockBootstrap);
    const { em } = tx;
    const enabledFirst = { orderBy: { disabledAt: 'asc nulls first', id: 'asc' } } as const;
    const first = await em.findOne(User, { role: 'operator' }, enabledFirst);
    if (first) {
      // The address of the test phones may have changed since the last start.
      if (input.testPhones) await em.nativeUpdate(Trunk, { isTest: true }, input.testPhones);
      return { isNew: false, user: publicUser(first) };
    }
    return createFirstUser(ctx, em, input);
  });
}

async function createFirstUser(
  ctx: CoreContext,
  em: EntityWriter,
  input: BootstrapInput,
): Promise<BootstrapResult> {
  const password = input.password ?? randomBytes(9).toString('base64url');
  const email = input.email ?? 'operator@localhost';
  const user = em.create(User, await newUser(ctx, { name: 'Operator', email, password, role: 'operator' }));
  await em.flush();
  const token = input.token ?? makeApiToken();
  em.create(ApiToken, newToken(ctx, { userId: user.id, name: 'First token', token }));
  const inboundNumberId = await createTestTrunk(ctx, em, user.id, input.testPhones);
  await createDemoAssistants(em, { userId: user.id, inboundNumberId, at: now(ctx) });
  return { isNew: true, user: publicUser(user), token, ...(input.password === undefined && { password }) };
}

/** @returns the id of the number of the inbound assistant */
async function createTestTrunk(
  ctx: CoreContext,
  em: EntityWriter,
  userId: number,
  phones: { host: string; port: number } = { host: '127.0.0.1', port: 5070 },
): Promise<number> {
  const createdAt = now(ctx);
  const trunk = em.create(Trunk, {
    userId: null,
    name: 'Test phones',
    ...phones,
    transport: 'udp',
    username: null,
    passwordSealed: null,
    reach: 'fictional',
    callerNumber: CALLER_NUMBER,
    maxCalls: null,
    isTest: true,
    createdAt,
  });
  await em.flush();
  const shared = { userId, trunkId: trunk.id, countryCode: 'US', typeLabel: 'SIP' as const, createdAt };
  em.create(PhoneNumber, { ...shared, phoneNumber: CALLER_NUMBER });
  const inbound = em.create(PhoneNumber, { ...shared, phoneNumber: INBOUND_NUMBER });
  await em.flush();
  return inbound.id;
}
