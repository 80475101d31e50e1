/**
 * What a fresh installation needs before anybody can sign in: the first user, a token, and something to call with. The
 * only line reaches fictional numbers alone, so nothing real can be dialed until a trunk is configured.
 */
import { randomBytes } from 'node:crypto';
import { ApiToken, PhoneNumber, Trunk, User } from '@parley/db';
import { createDemoAssistants } from './demo-assistants.ts';
import { now, type CoreContext } from '../context.ts';
import { makeApiToken } from '../users/api-token.ts';
import { newToken } from '../users/create-token.ts';
import { newUser, publicUser } from '../users/create-user.ts';
import type { PublicUser } from '../users/identity.ts';

/** What automation presets; all of it can be left out. */
export interface BootstrapInput {
  /** Default `operator@localhost`. */
  email?: string | undefined;
  /** Default: made here and returned. */
  password?: string | undefined;
  /** Default: made here. */
  token?: string | undefined;
  /** Where the phone network in a box listens for SIP. Default 127.0.0.1:5070. */
  testPhones?: { host: string; port: number } | undefined;
}

/** Who the first user is, and what is shown this once. */
export interface BootstrapResult {
  /** False when there was a user already; nothing was changed then. */
  isNew: boolean;
  user: PublicUser;
  /** Only when new. */
  token?: string;
  /** Only when new and none was given. */
  password?: string;
}

/** Caller number of the test line, and the number at which the inbound demo assistant answers. */
const CALLER_NUMBER = '+12025550100';
const INBOUND_NUMBER = '+12025550101';
/** Any constant will do, as long as nothing else locks it. */
const BOOTSTRAP_LOCK = 7_265_002;

type EntityManager = ReturnType<CoreContext['db']['orm']>;

/** Idempotent; any number of processes may call it at once. */
export async function bootstrapFirstUser(
  ctx: CoreContext,
  input: BootstrapInput = {},
): Promise<BootstrapResult> {
  return ctx.db.orm().transactional(async (em) => {
    await em.execute('select pg_advisory_xact_lock(?)', [BOOTSTRAP_LOCK]);
    const first = await em.findOne(User, { role: 'operator' }, { orderBy: { id: 'asc' } });
    if (first) {
      // The phones may listen elsewhere than at the last start.
      if (input.testPhones) await em.nativeUpdate(Trunk, { isTest: true }, input.testPhones);
      return { isNew: false, user: publicUser(first) };
    }
    return createFirstUser(ctx, em, input);
  });
}

async function createFirstUser(
  ctx: CoreContext,
  em: EntityManager,
  input: BootstrapInput,
): Promise<BootstrapResult> {
  const password = input.password ?? randomBytes(9).toString('base64url');
  const email = input.email ?? 'operator@localhost';
  const user = em.create(User, await newUser(ctx, { name: 'Operator', email, password, role: 'operator' }));
  await em.flush();
  const token = input.token ?? makeApiToken();
  em.create(ApiToken, newToken(ctx, { userId: user.id, name: 'First token', token }));
  const inboundNumberId = await createTestLine(ctx, em, user.id, input.testPhones);
  await createDemoAssistants(em, { userId: user.id, inboundNumberId, at: now(ctx) });
  return { isNew: true, user: publicUser(user), token, ...(input.password === undefined && { password }) };
}

/** @returns the id of the number that the inbound assistant gets */
async function createTestLine(
  ctx: CoreContext,
  em: EntityManager,
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
