/**
 * Starts and stops a complete installation on one machine: database, schema, first user, admin app, processes. main.ts
 * decides what is printed and when to stop.
 */
import type { BootstrapResult } from '@parley/core';
import { EXIT_BAD_SETTINGS, SupervisedProcess, type ChildEvents, type Clock } from '@parley/runtime';
import { buildAdminIfStale } from './admin-build.ts';
import {
  findRunning,
  makeDataFolder,
  readSecrets,
  removeRuntimeInformation,
  writeRuntimeInformation,
  type Secrets,
} from './data-folder.ts';
import { FirstStepsProcess } from './first-steps-process.ts';
import { openLocalDatabase, type LocalDatabase } from './local-database.ts';
import { findPortFaults } from './port-check.ts';
import { addressesOf, environmentFor, planProcesses, wantedPorts, type Addresses } from './process-plans.ts';
import { waitUntilReady } from './readiness.ts';
import type { Screen } from './screen.ts';
import type { Environment, LocalSettings } from './settings.ts';

/** Why the installation cannot be started; the message is for the operator. */
export class StartRefusedError extends Error {
  /** The exit code of the supervisor. */
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.name = 'StartRefusedError';
    this.exitCode = exitCode;
  }
}

export interface InstallationOptions {
  settings: LocalSettings;
  /** The environment, which is passed on to the processes. */
  environment: Environment;
  clock: Clock;
  screen: Screen;
}

/** The running installation. */
export interface StartReport {
  addresses: Addresses;
  bootstrap: BootstrapResult;
  /** The process of the first steps, for requests after the start; the caller stops it. */
  firstSteps: FirstStepsProcess;
}

const READY_LIMIT_MS = 60_000;
/** The environment variables with which a command on this machine opens the same installation. */
const SHARED_SETTINGS = [
  'DATABASE_URL',
  'DATABASE_URL_DIRECT',
  'SECRET_KEY',
  'OTHER_SECRET_KEYS',
  'INTERNAL_SECRET',
  'DATA_DIR',
  'PUBLIC_URL',
] as const;

export class Installation {
  readonly #options: InstallationOptions;
  readonly #stopping = new AbortController();
  readonly #addresses: Addresses;
  #database: LocalDatabase | null = null;
  #firstSteps: FirstStepsProcess | null = null;
  #processes: SupervisedProcess[] = [];
  #environment: Environment = {};
  #hopeless: string | null = null;
  #starting: Promise<StartReport> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: InstallationOptions) {
    this.#options = options;
    this.#addresses = addressesOf(options.settings);
  }

  /**
   * Resolves when everything is ready.
   *
   * @throws StartRefusedError for a problem that the operator must resolve
   */
  async start(): Promise<StartReport> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /** Waits for the end of running calls, then stops everything in reverse order. May be called at any time, also during the start. */
  async stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  /** Ends the processes at once, without waiting for calls. */
  force(): void {
    for (const process of this.#processes) process.kill();
  }

  async #start(): Promise<StartReport> {
    const { settings, screen } = this.#options;
    makeDataFolder(settings.DATA_DIR);
    await this.#refuseIfInTheWay();
    const secrets = readSecrets(settings);
    screen.say(settings.DATABASE_URL ? 'Using the database of DATABASE_URL.' : 'Starting Postgres.');
    const firstSteps = this.#openFirstSteps(secrets);
    const database = await this.#openDatabase(secrets);
    const { url, directUrl } = database;
    const { publicUrl } = this.#addresses;
    const [bootstrap] = await Promise.all([
      firstSteps.ask('prepare', { url, directUrl, publicUrl }),
      this.#buildAdmin(),
    ]);
    screen.say('Starting api, worker, voice and the test phones.');
    this.#startProcesses(database, secrets);
    await this.#waitUntilReady();
    return { addresses: this.#addresses, bootstrap, firstSteps };
  }

  async #refuseIfInTheWay(): Promise<void> {
    const { settings } = this.#options;
    const running = findRunning(settings.DATA_DIR);
    if (running)
      throw new StartRefusedError(`Parley is running already on ${settings.DATA_DIR}: ${running.url}/admin`);
    const faults = await findPortFaults(wantedPorts(settings));
    if (faults.length > 0) throw new StartRefusedError(faults.join('\n'));
  }

  async #openDatabase(secrets: Secrets): Promise<LocalDatabase> {
    const { settings, clock, screen } = this.#options;
    this.#database = await openLocalDatabase({
      settings,
      secrets,
      clock,
      log: screen.log,
      onChange: (state) => {
        screen.say(
          state === 'died' ? 'Postgres ended unexpectedly; starting it again.' : 'Postgres is back.',
        );
        this.#publish();
      },
    });
    return this.#database;
  }

  /** Started with the given settings and the generated values. */
  #openFirstSteps({ SECRET_KEY, INTERNAL_SECRET }: Secrets): FirstStepsProcess {
    const { environment, settings, screen } = this.#options;
    this.#firstSteps = new FirstStepsProcess(
      { ...environment, DATA_DIR: settings.DATA_DIR, SECRET_KEY, INTERNAL_SECRET },
      (line) => screen.processLine('start', line),
    );
    return this.#firstSteps;
  }

  async #buildAdmin(): Promise<void> {
    const { wasBuilt } = await buildAdminIfStale();
    if (wasBuilt) this.#options.screen.say('Built the admin app.');
  }

  #startProcesses(database: LocalDatabase, secrets: Secrets): void {
    const { settings, clock, environment } = this.#options;
    if (this.#stopping.signal.aborted) return;
    this.#environment = environmentFor(environment, { settings, secrets, database });
    this.#processes = planProcesses(settings, this.#environment).map(
      (plan) => new SupervisedProcess(plan, this.#processEvents(), clock),
    );
    for (const process of this.#processes) process.start();
  }

  #processEvents(): ChildEvents {
    const { screen } = this.#options;
    return {
      onLine: (name, line) => screen.processLine(name, line),
      onStarted: () => this.#publish(),
      onEnded: (name, how, pauseMs) => {
        screen.say(`${name} ended unexpectedly (${how}); it starts again in ${pauseMs / 1_000} s.`);
        this.#publish();
      },
      onInvalidSettings: (name) => {
        this.#hopeless ??= `${name} cannot start with these settings; its error is above.`;
        this.#stopping.abort();
      },
    };
  }

  async #waitUntilReady(): Promise<void> {
    const { api, worker, voice } = this.#addresses;
    const missing = await waitUntilReady({
      urls: { api, worker, voice },
      limitMs: READY_LIMIT_MS,
      clock: this.#options.clock,
      signal: this.#stopping.signal,
    });
    if (this.#hopeless) throw new StartRefusedError(this.#hopeless, EXIT_BAD_SETTINGS);
    if (this.#stopping.signal.aborted) throw new StartRefusedError('Stopped before everything was ready.');
    const names = Object.entries(missing).map(([name, fault]) => `${name}: ${fault}`);
    if (names.length > 0) throw new StartRefusedError(`Not ready after a minute:\n${names.join('\n')}`);
  }

  /** Writes the addresses of the processes for the command line and tests on this machine. */
  #publish(): void {
    if (this.#stopping.signal.aborted || this.#processes.length === 0) return;
    const pids = [
      ['supervisor', process.pid] as const,
      ['postgres', this.#database?.pid() ?? null] as const,
      ...this.#processes.map((process) => [process.name, process.pid] as const),
    ];
    writeRuntimeInformation(this.#options.settings.DATA_DIR, {
      processes: Object.fromEntries(pids.filter((entry): entry is [string, number] => entry[1] !== null)),
      url: this.#addresses.api,
      environment: Object.fromEntries(SHARED_SETTINGS.map((name) => [name, this.#environment[name] ?? ''])),
    });
  }

  async #stop(): Promise<void> {
    this.#stopping.abort();
    await this.#starting?.catch(() => {});
    await this.#firstSteps?.stop();
    for (const process of this.#processes) process.letEnd();
    // The processes that create work stop first, then those that do it, then their dependencies.
    await this.#stopProcesses(['api', 'voice']);
    await this.#stopProcesses(['worker', 'phones']);
    await this.#database?.stop();
    if (this.#processes.length > 0) removeRuntimeInformation(this.#options.settings.DATA_DIR);
  }

  async #stopProcesses(names: readonly string[]): Promise<void> {
    const those = this.#processes.filter((process) => names.includes(process.name));
    await Promise.all(those.map((process) => process.stop()));
  }
}
