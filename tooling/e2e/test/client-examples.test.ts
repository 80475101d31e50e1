/**
 * The programs of `packages/client/examples`, as an integrator runs them: each in a separate process, against a complete
 * installation whose test phones answer.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAssistant } from '../src/assistants.ts';
import { placeCall } from '../src/calls.ts';
import { startInstallation, type Installation } from '../src/installation.ts';

const examples = fileURLToPath(new URL('../../../packages/client/examples/', import.meta.url));
/** Test phones: one that talks for a while, one that soon hangs up, two that are engaged. */
const ANSWERING = '+12025550110';
const BRIEF = '+12025550185';
const BUSY = ['+12025550162', '+12025550163'];

const children: ChildProcess[] = [];
let installation: Installation;

beforeAll(async () => {
  installation = await startInstallation({ environment: { WEBHOOK_ALLOW_PRIVATE: 'loopback' } });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGTERM');
  await installation.stop();
});

function environment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { ...process.env, PARLEY_URL: installation.baseUrl, PARLEY_TOKEN: installation.token, ...more };
}

/** Runs an example to its end. @returns its output */
async function run(name: string, ...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(examples, name), ...words], {
    env: environment(),
  });
  return stdout;
}

it('an assistant is created and places a call', async () => {
  const output = await run('create-assistant-and-call.ts', ANSWERING);
  expect(output).toMatch(/^Created assistant \d+$/m);
  expect(output).toMatch(/^Call \d+: completed$/m);
  // The phone may interrupt the sentence when the machine is busy and its sound arrives with gaps.
  expect(output).toMatch(/^AI: Hello Ada/m);
});

it('a number that cannot be called is explained', async () => {
  await expect(run('create-assistant-and-call.ts', '+1')).rejects.toThrow(
    '+1 cannot be called: The given data was invalid. Invalid phone number',
  );
});

it('calls are listed page by page', async () => {
  const output = await run('list-calls.ts', 'completed');
  expect(output).toMatch(/^Page 1 of \d+: \d+ of \d+ calls$/m);
  expect(output).toMatch(/^Example caller: \d+ s$/m);
});

it('webhooks are received, and invalid signatures are refused', async () => {
  const secret = await installation.cli(['webhook-secret', installation.email]);
  const receiver = spawn(process.execPath, [join(examples, 'receive-webhooks.ts')], {
    env: environment({ WEBHOOK_SECRET: secret, PORT: '0' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(receiver);
  const lines = createInterface({ input: receiver.stdout });
  const [listening] = (await once(lines, 'line')) as [string];
  const url = listening.replace('Listening on ', '');

  const forged = await fetch(url, { method: 'POST', body: '{"event":"call.finished"}' });
  expect(forged.status).toBe(400);

  const finished = once(lines, 'line') as Promise<[string]>;
  const assistantId = await createAssistant(installation, { webhookUrl: url });
  const callId = await placeCall(installation, { assistantId, phoneNumber: BRIEF });
  expect((await finished)[0]).toMatch(new RegExp(`^Call ${callId} with \\+12025550185: completed, \\d+ s$`));
});

it('a campaign calls its leads', async () => {
  const output = await run('dial-campaign.ts', BUSY[0] ?? '', BUSY[0] ?? '', BUSY[1] ?? '');
  expect(output.match(/^Lead \d+: \+1202555016\d$/gm)).toHaveLength(2);
  expect(output).toMatch(/^\+12025550162 was refused: ./m);
  expect(output).toMatch(/^Campaign \d+: completed$/m);
  for (const phoneNumber of BUSY) expect(output).toContain(`${phoneNumber}: busy`);
});
