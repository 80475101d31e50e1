/**
 * An embedded Postgres for installations on one machine and for tests, with the programs of npm. It listens on loopback
 * only and cannot outlive this process. Larger installations use an external Postgres.
 */
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { BackgroundWork, systemClock, type Log } from '@parley/runtime';
import { prepareDataDirectory, readPid, SUPERUSER } from './data-directory.ts';
import type { PostgresAccount } from './postgres-account.ts';
import { findPostgresProgram, programPath } from './postgres-program.ts';
import { startWatched, type WatchedProcess } from './watched-process.ts';

export interface EmbeddedPostgresOptions {
  /** The folder of the cluster, which is created if it does not exist. Its parent may receive a copy of the programs. */
  dataDir: string;
  /** 0 or absent: any free port. */
  port?: number;
  /** False trades safety against power cuts for speed, for tests. Default true. */
  fsync?: boolean;
  /** The password of the database account, fixed at creation. Without it, every local connection is trusted. */
  password?: string;
  /** Default 100. */
  maxConnections?: number;
  log: Log;
  /** Called once if Postgres ends without a request. */
  onExit?: (exitCode: number | null) => void;
}

export interface EmbeddedPostgres {
  /** `postgres://` address of the database `postgres`, with account and password. */
  url: string;
  port: number;
  /** The process id of the postmaster. */
  pid: number;
  /** True if this start created the cluster. */
  isNew: boolean;
  /** Closes all connections and ends Postgres. May be called twice. */
  stop(): Promise<void>;
}

/** Limit for the start, which includes the replay of the log after a crash, milliseconds. */
const START_LIMIT_MS = 60_000;
/** A stop that takes longer becomes an immediate shutdown (SIGQUIT), milliseconds. */
const STOP_LIMIT_MS = 15_000;
/** Attempts to find a port that is still free when Postgres opens it. */
const PORT_ATTEMPTS = 5;

/**
 * Starts Postgres on a data folder, which it creates on first use. Resolves when Postgres accepts connections.
 *
 * @throws Error with the last output of Postgres if it does not start, or if the folder is in use
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const { account, isNew } = await prepareDataDirectory(findPostgresProgram(), dataDir, options.password);
  for (let attempt = 1; ; attempt++) {
    const port = options.port || (await findFreePort());
    const server = startWatched(serverCommand(account, { ...options, dataDir, port }), account);
    const fault = await waitUntilReady(server, options.log);
    if (fault === null) return running({ ...options, dataDir, port }, server, isNew);
    const isPortTaken = fault.includes('could not bind');
    if (!isPortTaken || options.port || attempt === PORT_ATTEMPTS)
      throw new Error(`Postgres did not start:\n${fault}`);
  }
}

type ServerOptions = EmbeddedPostgresOptions & { dataDir: string; port: number };

function serverCommand(account: PostgresAccount, options: ServerOptions): string[] {
  const isSafe = options.fsync ?? true;
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port: options.port,
    // No socket file: it would be in /tmp and remain after a kill.
    unix_socket_directories: '',
    max_connections: options.maxConnections ?? 100,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The connections of a killed process must not hold locks or snapshots for long; TCP on loopback detects its end at once.
    idle_in_transaction_session_timeout: '60s',
    ...(isSafe ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return [programPath(account.program, 'postgres'), '-D', options.dataDir, ...flags];
}

/** Resolves to null once Postgres accepts connections, otherwise to its last output. */
async function waitUntilReady(server: WatchedProcess, log: Log): Promise<string | null> {
  const lastLines: string[] = [];
  return new Promise((resolve) => {
    const limit = systemClock.after(START_LIMIT_MS, () => server.letGo());
    const finish = (fault: string | null): void => {
      limit.cancel();
      resolve(fault);
    };
    createInterface({ input: server.stderr }).on('line', (line) => {
      logLine(log, line);
      lastLines.push(line);
      if (lastLines.length > 20) lastLines.shift();
      if (line.includes('database system is ready to accept connections')) finish(null);
    });
    server.ended.then(
      () => finish(lastLines.join('\n')),
      (error: unknown) => finish(String(error)),
    );
  });
}

/**
 * Postgres writes `time zone [pid] LEVEL:  text`. FATAL ends one connection, PANIC all of them. Other lines may contain
 * statements, so they count as personal data.
 */
function logLine(log: Log, line: string): void {
  const [, level, text] = /^\S+ \S+ \S+ \[\d+\] (\w+): {2}(.*)$/.exec(line) ?? [];
  if (level === 'PANIC') log.error({ text }, 'Postgres panicked');
  else if (level === 'FATAL') log.info({ text }, 'Postgres ended a connection');
  else log.debug({ pii: { line } }, 'Output of Postgres');
}

function running(options: ServerOptions, server: WatchedProcess, isNew: boolean): EmbeddedPostgres {
  const pid = readPid(join(options.dataDir, 'postmaster.pid')) ?? 0;
  new BackgroundWork(options.log).start('watch Postgres', () => reportCrash(server, options));
  return { url: urlOf(options), port: options.port, pid, isNew, stop: () => stopServer(server, pid) };
}

async function reportCrash(server: WatchedProcess, options: ServerOptions): Promise<void> {
  const { wasUnexpected, exitCode } = await server.ended;
  if (wasUnexpected) options.onExit?.(exitCode);
}

async function stopServer(server: WatchedProcess, pid: number): Promise<void> {
  const limit = systemClock.after(STOP_LIMIT_MS, () => endAtOnce(pid));
  server.letGo();
  await server.ended;
  limit.cancel();
}

function endAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGQUIT');
  } catch {
    // The process has just ended.
  }
}

function urlOf({ port, password }: ServerOptions): string {
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`;
  return `postgres://${SUPERUSER}${secret}@127.0.0.1:${port}/postgres`;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
