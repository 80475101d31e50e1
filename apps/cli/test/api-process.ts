/** Runs the real api as a separate process on a free port, for commands that use HTTP. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../api/src/main.ts', import.meta.url));

export interface ApiProcess {
  url: string;
  stop(): Promise<void>;
  /** Kills it at any point of its work. */
  kill(): Promise<void>;
}

export async function startApiProcess(environment: Record<string, string>): Promise<ApiProcess> {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: '0',
      PARLEY_PARENT_PID: String(process.pid),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const port = await Promise.race([readPort(child.stdout), exited.then(() => null)]);
  if (port === null) throw new Error('The api ended before it listened');
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function readPort(output: NodeJS.ReadableStream): Promise<number | null> {
  for await (const line of createInterface({ input: output })) {
    const { msg, address } = JSON.parse(line) as { msg: string; address?: { port: number } };
    if (msg !== 'The api listens' || !address) continue;
    // Unread output would fill the pipe and block the process.
    output.resume();
    return address.port;
  }
  return null;
}
