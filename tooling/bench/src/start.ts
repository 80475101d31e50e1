/**
 * `npm run bench:start`: the waiting time of a new user and the memory of an installation. Clones this checkout into an empty folder, types
 * `npm start` there, and measures until the product is ready, until the first call is answered and until the
 * assistant's first word; then disk, memory, and a second start. The npm cache of the machine is used as it is.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { placeCall, startInstallation, waitForCall, type Installation } from '@parley/e2e';
import { systemClock } from '@parley/runtime';
import { memoryMegabytes } from './process-memory.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
/** A test phone that answers and talks. */
const TALKING_PHONE = '+12025550110';

interface Figures {
  cloneSeconds: number;
  readySeconds: number;
  firstAnswerSeconds: number;
  firstWordSeconds: number;
  secondStartSeconds: number;
  diskMegabytes: number;
  memoryMegabytes: number;
}

const secondsSince = (startMs: number): number => (systemClock.monotonic() - startMs) / 1000;

async function firstCall(
  installation: Installation,
): Promise<{ answerSeconds: number; wordSeconds: number }> {
  const assistants = (await installation.request('GET', '/api/user/assistants/outbound')) as { id: number }[];
  const assistantId = assistants[0]?.id ?? 0;
  const startMs = systemClock.monotonic();
  const startedAt = systemClock.now();
  const callId = await placeCall(installation, { assistantId, phoneNumber: TALKING_PHONE });
  await waitForCall(installation, callId, (call) => call.status === 'in-progress');
  const answerSeconds = secondsSince(startMs);
  const call = await waitForCall(installation, callId, (record) => record.status === 'completed', 120_000);
  const word = call.turns.find((turn) => turn.sender === 'bot');
  return { answerSeconds, wordSeconds: word ? word.timestamp - startedAt / 1000 : Number.NaN };
}

async function measure(folder: string): Promise<Figures> {
  const clone = join(folder, 'parley');
  const start = (): Promise<Installation> =>
    startInstallation({
      environment: { DATA_DIR: join(clone, '.parley') },
      command: { program: 'npm', arguments: ['start'], folder: clone },
    });
  let startMs = systemClock.monotonic();
  execFileSync('git', ['clone', '--quiet', repository, clone]);
  const cloneSeconds = secondsSince(startMs);
  startMs = systemClock.monotonic();
  const installation = await start();
  const readySeconds = secondsSince(startMs);
  const { answerSeconds, wordSeconds } = await firstCall(installation);
  const memory = await memoryMegabytes(installation.supervisor.pid ?? 0);
  await installation.stop();
  startMs = systemClock.monotonic();
  const again = await start();
  const secondStartSeconds = secondsSince(startMs);
  await again.stop();
  return {
    cloneSeconds,
    readySeconds,
    firstAnswerSeconds: answerSeconds,
    firstWordSeconds: wordSeconds,
    secondStartSeconds,
    diskMegabytes: Number(execFileSync('du', ['-sm', clone], { encoding: 'utf8' }).split('\t')[0]),
    memoryMegabytes: memory,
  };
}

function print(figures: Figures): void {
  const line = (name: string, value: string): void =>
    void process.stdout.write(`${name.padEnd(44)}${value}\n`);
  line('git clone', `${figures.cloneSeconds.toFixed(1)} s`);
  line('npm start to ready, installation included', `${figures.readySeconds.toFixed(1)} s`);
  line('make_call to answered', `${figures.firstAnswerSeconds.toFixed(2)} s`);
  line("make_call to the assistant's first word", `${figures.firstWordSeconds.toFixed(2)} s`);
  line('npm start to ready, second time', `${figures.secondStartSeconds.toFixed(1)} s`);
  line('disk after it', `${figures.diskMegabytes} MB`);
  line('memory of all processes (PSS)', `${figures.memoryMegabytes} MB`);
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}

const folder = await mkdtemp(join(tmpdir(), 'parley-bench-start-'));
try {
  print(await measure(folder));
} finally {
  await rm(folder, { recursive: true, force: true });
}
