/**
 * The steps of a start that need core: the schema, the first user, the sign-in secret for the operator, the test call. They
 * run in a separate process that ends afterwards, so that the supervisor, which keeps running, uses little memory.
 */
import { join } from 'node:path';
import {
  bootstrapFirstUser,
  createCoreContext,
  createSignInLink,
  hasAnyoneSignedIn,
  diskStorage,
  listOutboundAssistants,
  type BootstrapResult,
  type CoreContext,
  type Identity,
} from '@parley/core';
import { migrate, openDatabase } from '@parley/db';
import { createLog, systemClock } from '@parley/runtime';
import type { FirstSteps, StepReply, StepRequest } from './first-steps-messages.ts';
import { runSelfCheck } from './self-check.ts';
import { readSettings } from './settings.ts';

const settings = readSettings(process.env);
const log = createLog({ name: 'start', level: settings.LOG_LEVEL });

/** Created by the first step and used by the others. */
let prepared: { core: CoreContext; user: BootstrapResult['user'] } | null = null;

async function prepare({
  url,
  directUrl,
  publicUrl,
}: FirstSteps['prepare']['input']): Promise<BootstrapResult> {
  await migrate(directUrl, log);
  const core = createCoreContext({
    db: openDatabase({ url, directUrl, log, poolSize: 2 }),
    clock: systemClock,
    log,
    secretKey: settings.SECRET_KEY ?? '',
    otherSecretKeys: settings.OTHER_SECRET_KEYS,
    publicUrl,
    recordings: diskStorage(join(settings.DATA_DIR, 'recordings')),
  });
  const bootstrap = await bootstrapFirstUser(core, {
    email: settings.BOOTSTRAP_EMAIL,
    password: settings.BOOTSTRAP_PASSWORD,
    token: settings.BOOTSTRAP_TOKEN,
    testPhones: settings.PHONES_LISTEN,
  });
  prepared = { core, user: bootstrap.user };
  return bootstrap;
}

async function introduce(): Promise<FirstSteps['introduce']['result']> {
  const { core, operator } = whatWasPrepared();
  const [assistant] = await listOutboundAssistants(core, operator);
  // Later starts print no link: their output is often kept in logs, which others may read.
  const isNeeded = !(await hasAnyoneSignedIn(core));
  const signInSecret = isNeeded ? await createSignInLink(core, operator.userId) : null;
  return { signInSecret, assistantId: assistant?.id ?? null };
}

async function check(): Promise<FirstSteps['check']['result']> {
  const { core, operator } = whatWasPrepared();
  return runSelfCheck(core, operator);
}

function whatWasPrepared(): { core: CoreContext; operator: Identity } {
  if (!prepared) throw new Error('The step `prepare` must come first');
  const operator = {
    userId: prepared.user.id,
    role: 'operator',
    scopes: 'all',
    tokenId: null,
    timezone: 'UTC',
  } as const;
  return { core: prepared.core, operator };
}

async function take(request: StepRequest): Promise<unknown> {
  switch (request.step) {
    case 'prepare':
      return prepare(request);
    case 'introduce':
      return introduce();
    case 'check':
      return check();
  }
}

function answer(reply: StepReply): void {
  process.send?.(reply);
}

process.on('message', (request: StepRequest) => {
  take(request).then(
    (result) => answer({ result }),
    (error: unknown) => answer({ fault: error instanceof Error ? error.message : String(error) }),
  );
});
// The supervisor has released this process or has ended, so remaining work is abandoned.
process.on('disconnect', () => process.exit(0));
