/**
 * The database of the installation: the embedded Postgres, restarted after a crash, or the one of DATABASE_URL, which is
 * managed elsewhere.
 */
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@parley/db/embedded';
import { pause, type Clock, type Log } from '@parley/runtime';
import type { Secrets } from './data-folder.ts';
import type { LocalSettings } from './settings.ts';

export interface LocalDatabase {
  url: string;
  /** The direct address without a pooler. */
  directUrl: string;
  /** Process id of the embedded Postgres; null while it is down, or with DATABASE_URL. */
  pid(): number | null;
  stop(): Promise<void>;
}

export interface LocalDatabaseOptions {
  settings: LocalSettings;
  secrets: Secrets;
  clock: Clock;
  log: Log;
  /** Called when Postgres has crashed or is available again. */
  onChange: (state: 'died' | 'back') => void;
}

const RESTART_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

/** Resolves when the database accepts connections; with DATABASE_URL at once. */
export async function openLocalDatabase(options: LocalDatabaseOptions): Promise<LocalDatabase> {
  const { DATABASE_URL: url, DATABASE_URL_DIRECT: directUrl } = options.settings;
  if (url === undefined) return startOwn(options);
  return { url, directUrl: directUrl ?? url, pid: () => null, stop: async () => {} };
}

async function startOwn({
  settings,
  secrets,
  clock,
  log,
  onChange,
}: LocalDatabaseOptions): Promise<LocalDatabase> {
  const stopping = new AbortController();
  let restarting: Promise<void> | undefined;
  let postgres: EmbeddedPostgres | null = await start(0);
  const { url, port } = postgres;

  async function start(wantedPort: number): Promise<EmbeddedPostgres> {
    const onExit = (): void => {
      restarting = restart();
    };
    const dataDir = join(settings.DATA_DIR, 'postgres');
    return startEmbeddedPostgres({
      dataDir,
      port: wantedPort,
      password: secrets.DATABASE_PASSWORD,
      log,
      onExit,
    });
  }

  /** Restarts it on the same port, because every process has the address. */
  async function restart(): Promise<void> {
    postgres = null;
    onChange('died');
    for (
      let pauseMs = RESTART_PAUSE_MS;
      !stopping.signal.aborted;
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    ) {
      try {
        postgres = await start(port);
        return onChange('back');
      } catch (error) {
        log.error({ err: error }, 'Postgres could not be started again');
        await pause(clock, pauseMs, stopping.signal);
      }
    }
  }

  return {
    url,
    directUrl: url,
    pid: () => postgres?.pid ?? null,
    async stop() {
      stopping.abort();
      await restarting;
      await postgres?.stop();
    },
  };
}
