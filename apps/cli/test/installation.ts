/** A server with its API as a process, and terminals that have only an address and a token. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootstrapFirstUser, createCoreContext, diskStorage, type CoreContext } from '@parley/core';
import { silentLog, systemClock } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll } from 'vitest';
import { startApiProcess, startVoiceProcess, type ApiProcess, type ServerProcess } from './server-process.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const SECRET_KEY = 'a key of at least thirty-two characters';

/** A server on which nothing runs. */
export interface Server {
  core: CoreContext;
  /** The token of the first user, an operator. */
  token: string;
  /** A folder for files. */
  dataDir: string;
  /** The settings of the server. */
  serverEnvironment: Record<string, string>;
  /** A terminal on the server, without a token. */
  openServerTerminal(): Terminal;
}

export interface Installation extends Server {
  /** The origin of the api. */
  url: string;
  /** Another api on the same database. */
  startApi(): Promise<ApiProcess>;
  /** A voice process, which has access to language models. */
  startVoice(): Promise<ServerProcess>;
  /** A terminal on any machine. @param answer - to every question; without it, the terminal is not interactive */
  openTerminal(answer?: string): Terminal;
}

/** For commands that use the database. Registers the set-up with vitest; the result is complete when the first test runs. */
export function useServer(): Server {
  const database = useTestDatabase();
  const server = {} as Server;
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
    const serverEnvironment = { DATABASE_URL: database.url, SECRET_KEY, DATA_DIR: dataDir };
    const openServerTerminal = () => openTerminal(serverEnvironment);
    Object.assign(server, { core, token, dataDir, serverEnvironment, openServerTerminal } satisfies Server);
  });
  afterAll(() => rm(server.dataDir, { recursive: true, force: true }));
  return server;
}

/** For commands that use HTTP: the server with its api. */
export function useInstallation(): Installation {
  const installation = useServer() as Installation;
  let api: ApiProcess | undefined;
  beforeAll(async () => {
    const { token, dataDir, serverEnvironment } = installation;
    const environment = {
      ...serverEnvironment,
      INTERNAL_SECRET: 'an internal secret of thirty-two characters',
    };
    const startApi = () => startApiProcess(environment);
    const startVoice = () => startVoiceProcess({ ...environment, WEBHOOK_ALLOW_PRIVATE: 'loopback' });
    api = await startApi();
    const { url } = api;
    const anywhere = { PARLEY_URL: url, PARLEY_TOKEN: token, DATA_DIR: join(dataDir, 'nothing-here') };
    Object.assign(installation, {
      url,
      startApi,
      startVoice,
      openTerminal: (answer?: string) => openTerminal(anywhere, answer),
    } satisfies Omit<Installation, keyof Server>);
  });
  afterAll(async () => {
    await api?.stop();
  });
  return installation;
}
