/**
 * A live api for tests: the real app on a free port, a real database, and the user of a fresh installation. Every response
 * of the REST endpoints is validated against its schema before it is sent.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  bootstrapFirstUser,
  createCoreContext,
  createToken,
  createUser,
  diskStorage,
  type CoreContext,
  type CoreOptions,
  type TokenScope,
} from '@parley/core';
import type { Db } from '@parley/db';
import { retentionSettings, silentLog, systemClock } from '@parley/runtime';
import { startTelnyx, startTwilio, type CarrierSimulator } from '@parley/testkit';
import { z } from 'zod';
import { createApp, type AppSettings } from '../src/app.ts';

interface TestAnswer {
  status: number;
  headers: Headers;
  /** Parsed JSON. */
  body: unknown;
  text: string;
}

export interface TestRequest {
  method?: string;
  headers?: Record<string, string>;
  /** Sent as JSON; a string is sent unchanged. */
  body?: unknown;
  /** Null sends none. Default: the first user's. */
  token?: string | null;
}

export interface LiveApi {
  /** `http://127.0.0.1:port` */
  url: string;
  core: CoreContext;
  /** The token of the first user, an operator in a fresh installation. */
  token: string;
  email: string;
  password: string;
  ask(path: string, request?: TestRequest): Promise<TestAnswer>;
  /** Another user, with a token narrowed to `scopes` where given. */
  addUser(name: string, scopes?: TokenScope[]): Promise<{ userId: number; token: string }>;
  /** The simulated carriers. */
  twilio: CarrierSimulator;
  telnyx: CarrierSimulator;
  stop(): Promise<void>;
}

export interface LiveApiOptions {
  db: Db;
  core?: Partial<CoreOptions>;
  settings?: Partial<AppSettings>;
}

export async function startLiveApi(options: LiveApiOptions): Promise<LiveApi> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-api-'));
  const [twilio, telnyx] = await Promise.all([startTwilio(), startTelnyx()]);
  const core = createCoreContext({
    db: options.db,
    log: silentLog,
    clock: systemClock,
    secretKey: 'a key of at least thirty-two characters',
    recordings: diskStorage(folder),
    carrierUrls: { twilio: twilio.url, telnyx: telnyx.url },
    ...options.core,
  });
  const first = await bootstrapFirstUser(core, {
    email: 'first@parley.example',
    password: 'correct horse battery',
  });
  const token = first.token ?? (await createToken(core, { userId: first.user.id, name: 'Test' })).token;
  const app = createApp({ core, settings: { ...SETTINGS, ...options.settings }, isCheckingAnswers: true });
  await app.start();
  const url = `http://127.0.0.1:${app.address()?.port}`;
  return {
    url,
    core,
    token,
    email: 'first@parley.example',
    password: 'correct horse battery',
    ask: (path, request = {}) => ask(url + path, { token, ...request }),
    addUser: (name, scopes) => addUser(core, name, scopes),
    twilio,
    telnyx,
    async stop() {
      await app.stop();
      await Promise.all([twilio.close(), telnyx.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const SETTINGS: AppSettings = {
  HOST: '127.0.0.1',
  PORT: 0,
  RATE_LIMIT: 100_000,
  TRUST_PROXY: '',
  ...z.object(retentionSettings).parse({}),
  ADMIN_DIR: join(tmpdir(), 'parley-no-admin'),
  INTERNAL_SECRET: 'an internal secret of thirty-two characters',
};

async function ask(
  url: string,
  { method = 'GET', token, headers, body: sent }: TestRequest,
): Promise<TestAnswer> {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      'content-type': 'application/json',
      // On a busy machine, the next request could meet the end of a connection that was idle for too long.
      connection: 'close',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: typeof sent === 'string' ? sent : JSON.stringify(sent) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  const body: unknown = isJson && text !== '' ? JSON.parse(text) : null;
  return { status: response.status, headers: response.headers, text, body };
}

async function addUser(core: CoreContext, name: string, scopes?: TokenScope[]) {
  const email = `${name.toLowerCase()}@parley.example`;
  const user = await createUser(core, { name, email, role: 'member' });
  const { token } = await createToken(core, { userId: user.id, name: 'Test', scopes });
  return { userId: user.id, token };
}
