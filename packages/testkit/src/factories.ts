/** Test factories, which call the public use cases. Omitted fields have default values. */
import { randomUUID } from 'node:crypto';
import {
  createAssistant,
  createCoreContext,
  createToken,
  createUser,
  diskStorage,
  type CoreContext,
  type Identity,
} from '@parley/core';
import { createAssistantBody, type AssistantRecord } from '@parley/contracts';
import { statement, Trunk, type Db } from '@parley/db';
import { silentLog, systemClock, type Clock, type Log } from '@parley/runtime';

export interface TestContextOptions {
  clock?: Clock;
  log?: Log;
  /** Folder for recordings; without it, recording is disabled. */
  recordingsDir?: string;
  /** Simulated carriers, in place of the real ones. */
  carrierUrls?: { twilio?: string; telnyx?: string };
}

/** A core context on a test database. */
export function createTestContext(db: Db, options: TestContextOptions = {}): CoreContext {
  return createCoreContext({
    db,
    clock: options.clock ?? systemClock,
    log: options.log ?? silentLog,
    recordings: diskStorage(options.recordingsDir ?? '/nonexistent'),
    secretKey: 'the secret key of the tests, 32 characters',
    publicUrl: 'http://parley.test',
    carrierUrls: options.carrierUrls,
  });
}

export interface TestUser {
  identity: Identity;
  /** An API token with every scope. */
  token: string;
}

/** An operator with a token and a trunk for fictional numbers. */
export async function createTestUser(core: CoreContext): Promise<TestUser> {
  const email = `${randomUUID()}@example.com`;
  const user = await createUser(core, { name: 'Ada Lovelace', email, role: 'operator' });
  const { token } = await createToken(core, { userId: user.id, name: 'test' });
  await createTestLine(core, user.id);
  return {
    identity: { userId: user.id, role: user.role, scopes: 'all', tokenId: null, timezone: 'UTC' },
    token,
  };
}

/** A trunk for fictional numbers without a listening server. */
async function createTestLine(core: CoreContext, userId: number): Promise<void> {
  await core.db.transaction(async ({ em }) => {
    em.create(Trunk, {
      userId,
      name: 'Test line',
      host: '127.0.0.1',
      port: 9,
      transport: 'udp',
      username: null,
      passwordSealed: null,
      reach: 'fictional',
      callerNumber: '+12025550100',
      maxCalls: null,
      isTest: true,
      createdAt: new Date(core.clock.now()),
    });
  });
}

const firstVoice = statement<{ id: number }>(
  'testkit_first_voice',
  'select id from voices order by id limit 1',
);

/** An outbound assistant on built-in engines. `fields` are the fields of the API. */
export async function createTestAssistant(
  core: CoreContext,
  identity: Identity,
  fields: Record<string, unknown> = {},
): Promise<AssistantRecord> {
  const [voice] = await core.db.query(firstVoice);
  const body = {
    assistant_name: 'Test assistant',
    voice_id: voice?.id,
    language: 'English',
    llm_model: 'Scripted dialogue (built in)',
    calls_direction: 'make',
    engine_type: 'pipeline',
    timezone: 'UTC',
    initial_message: 'Hello.',
    system_prompt: 'Be brief.',
    ...fields,
  };
  return createAssistant(core, identity, createAssistantBody.parse(body));
}
