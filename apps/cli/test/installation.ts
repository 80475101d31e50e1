/** An installation with its API as a process, and terminals that have only an address and a token. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootstrapFirstUser, createCoreContext, diskStorage, type CoreContext } from '@parley/core';
import { silentLog, systemClock } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll } from 'vitest';
import { startApiProcess, startVoiceProcess, type ApiProcess, type ServerProcess } from './server-process.ts';
import type { Environment } from '../src/settings.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const SECRET_KEY = 'a key of at least thirty-two characters';

export interface Installation {
  core: CoreContext;
  /** The origin of the api. */
  url: string;
  /** The token of the first user, an operator. */
  token: string;
  /** A folder for files. */
  dataDir: string;
  /** Another api on the same database. */
  startApi(): Promise<ApiProcess>;
  /** A voice process, which has access to language models. */
  startVoice(): Promise<ServerProcess>;
  /** A terminal on any machine. @param answer - to every question; without it, the terminal is not interactive */
  openTerminal(answer?: string): Terminal;
  /** The settings of the server. */
  serverEnvironment: Environment;
  /** A terminal on the server, without a token. */
  openServerTerminal(): Terminal;
}

/** Registers the set-up with vitest; the result is complete when the first test runs. */
export function useInstallation(): Installation {
  const database = useTestDatabase();
  const installation = {} as Installation;
  let api: ApiProcess | undefined;
  beforeAll(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-cli-'));
    const core = createCoreContext({
      db: database.db,
      log: silentLog,
      clock: systemClock,
      secretKey: SECRET_KEY,
      recordings: diskStorage(dataDir),
    });
    const token = (await bootstrapFirstUser(core, { email: 'ada@parley.example' })).token ?? '';
    const INTERNAL_SECRET = 'an internal secret of thirty-two characters';
    const server = { DATABASE_URL: database.url, SECRET_KEY, DATA_DIR: dataDir };
    const startApi = () => startApiProcess({ ...server, INTERNAL_SECRET });
    const startVoice = () =>
      startVoiceProcess({ ...server, INTERNAL_SECRET, WEBHOOK_ALLOW_PRIVATE: 'loopback' });
    api = await startApi();
    const { url } = api;
    const anywhere = { PARLEY_URL: url, PARLEY_TOKEN: token, DATA_DIR: join(dataDir, 'nothing-here') };
    Object.assign(installation, {
      core,
      url,
      token,
      dataDir,
      startApi,
      startVoice,
      openTerminal: (answer?: string) => openTerminal(anywhere, answer),
      serverEnvironment: server,
      openServerTerminal: () => openTerminal(server),
    } satisfies Installation);
  });
  afterAll(async () => {
    await api?.stop();
    await rm(installation.dataDir, { recursive: true, force: true });
  });
  return installation;
}
