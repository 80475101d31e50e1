/**
 * Runs an external program against our SIP stack: finds it, starts it, waits for it with a limit, and always ends it by
 * its process id.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { connect, createServer } from 'node:net';
import { pause, systemClock } from '@parley/runtime';

/** True if the program is installed. Prints a note otherwise; with CI=true a missing program is an error. */
export function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    const why = `${program} is not installed: the tests with it are skipped`;
    if (process.env['CI'] === 'true') throw new Error(why);
    process.stderr.write(`${why}\n`);
    return false;
  }
}

/** Below the ephemeral ports, so that the system assigns none of these between the check and the use. */
const FIRST_PORT = 20_000;
const PORT_PAIRS = 5_000;
/** An assigned port may appear free until its program has started. */
const givenPorts = new Set<number>();

/**
 * A free even port with the next one, for UDP and TCP, for a program that cannot choose one itself
 * (baresip listens for TLS on the port after its SIP port).
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + 2 * Math.floor(Math.random() * PORT_PAIRS);
    if (givenPorts.has(port) || !(await isFree(port)) || !(await isFree(port + 1))) continue;
    givenPorts.add(port);
    return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  const server = createServer();
  const isFreeForUdp = await new Promise<boolean>((resolve) => {
    socket.once('error', () => resolve(false)).bind(port, '127.0.0.1', () => resolve(true));
  });
  const isFreeForTcp = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (isFreeForUdp) socket.close();
  if (isFreeForTcp) await new Promise((resolve) => server.close(resolve));
  return isFreeForUdp && isFreeForTcp;
}

/** Limit for the start of a program on a busy machine, milliseconds. */
const START_LIMIT_MS = 20_000;

/** Waits until a port accepts connections. @throws Error after the limit */
export async function waitForTcp(port: number): Promise<void> {
  const deadlineMs = systemClock.monotonic() + START_LIMIT_MS;
  while (systemClock.monotonic() < deadlineMs) {
    const socket = connect({ host: '127.0.0.1', port });
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await pause(systemClock, 50);
  }
  throw new Error(`Nothing listens on port ${port}`);
}

/** One run of a program. */
export class ForeignProgram {
  readonly #child: ChildProcess;
  readonly #exited: Promise<number | null>;
  output = '';

  constructor(program: string, args: readonly string[], workingDirectory: string) {
    this.#child = spawn(program, args, { cwd: workingDirectory, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.output = (this.output + chunk.toString()).slice(-20_000)));
    }
    this.#exited = new Promise((resolve) => {
      this.#child.once('exit', (code) => resolve(code)).once('error', () => resolve(null));
    });
  }

  /** Waits for text in its output. @throws Error after the limit */
  async untilItSays(words: string): Promise<void> {
    const deadlineMs = systemClock.monotonic() + START_LIMIT_MS;
    while (!this.output.includes(words)) {
      if (systemClock.monotonic() > deadlineMs)
        throw new Error(`Its output does not contain "${words}":\n${this.output}`);
      await pause(systemClock, 20);
    }
  }

  /** The exit code; null if it had to be killed after `limitMs`. */
  async exitCode(limitMs = 20_000): Promise<number | null> {
    const limit = systemClock.after(limitMs, () => this.kill());
    const code = await this.#exited;
    limit.cancel();
    return code;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Asks it to end, together with its child processes, and waits for that; kills it after a limit. */
  async terminate(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.exitCode();
  }

  /** Kills it and waits for its end. */
  async stop(): Promise<void> {
    this.kill();
    await this.#exited;
  }
}
