/** Runs the real api and voice as separate processes on free ports, for commands that use HTTP. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '@parley/testkit';
import { z } from 'zod';

const mainOf = (app: 'api' | 'voice'): string =>
  fileURLToPath(new URL(`../../${app}/src/main.ts`, import.meta.url));

export interface ServerProcess {
  stop(): Promise<void>;
  /** Kills it at any point of its work. */
  kill(): Promise<void>;
}

export interface ApiProcess extends ServerProcess {
  url: string;
}

export async function startApiProcess(environment: Record<string, string>): Promise<ApiProcess> {
  const { child, ...process } = spawnServer('api', { HOST: '127.0.0.1', PORT: '0', ...environment });
  const listening = await Promise.race([readLine(child.stdout, 'The api listens'), process.exited]);
  const { address } = z.object({ address: z.object({ port: z.int() }) }).parse(listening);
  return { url: `http://127.0.0.1:${address.port}`, ...process };
}

/** Its address is in its lease, where the api finds it. */
export async function startVoiceProcess(environment: Record<string, string>): Promise<ServerProcess> {
  const { child, ...process } = spawnServer('voice', {
    VOICE_LISTEN: `127.0.0.1:${await freePort()}`,
    SIP_LISTEN: `127.0.0.1:${await freePort()}`,
    ...environment,
  });
  z.object({ sip: z.unknown() }).parse(
    await Promise.race([readLine(child.stdout, 'Voice is ready'), process.exited]),
  );
  return process;
}

function spawnServer(app: 'api' | 'voice', environment: Record<string, string>) {
  const child = spawn(process.execPath, [mainOf(app)], {
    env: { ...process.env, PARLEY_PARENT_PID: String(process.pid), ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit').then(() => null);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await exited;
  };
  return { child, exited, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}

/** The line of the log with this message; null if the process ended before it. */
async function readLine(output: NodeJS.ReadableStream, message: string): Promise<unknown> {
  for await (const text of createInterface({ input: output })) {
    const line = JSON.parse(text) as { msg: string };
    if (line.msg !== message) continue;
    // Unread output would fill the pipe and block the process.
    output.resume();
    return line;
  }
  return null;
}
