/**
 * Two voice processes behind one SIP address: calls, over UDP, TCP and TLS, are spread over both, and when one is killed the other goes
 * on with its calls.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Person, Phone } from '@parley/phones';
import { isInstalled, makeCertificate } from '@parley/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitForCall, type CallDetail } from '../src/calls.ts';
import { freePorts } from '../src/free-ports.ts';
import { startInstallation, type Installation } from '../src/installation.ts';
import { startStranger } from '../src/stranger.ts';

/** Number of the inbound demo assistant of a fresh installation. */
const DEMO_NUMBER = '+12025550101';
const CALLS = 6;
/** Two calls over each, one for each process. */
const TRANSPORTS = isInstalled('openssl') ? (['tls', 'tcp', 'udp'] as const) : (['tcp', 'udp'] as const);
/** The level from which a 16-bit sample counts as sound. */
const AUDIBLE = 500;
const FRAMES_PER_SECOND = 50;

/** Below the rate limit of the API. */
const POLL = { timeout: 60_000, interval: 1_000 };

let installation: Installation;
let phone: Phone;
let folder: string;
let tlsPort: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-fleet-'));
  [tlsPort = 0] = await freePorts(1);
  const environment = { VOICE_PROCESSES: '2', SIP_TLS_PORT: String(tlsPort), ...(await makeTlsFiles()) };
  installation = await startInstallation({ environment });
  phone = await startStranger();
});

afterAll(async () => {
  await phone?.stop();
  await installation?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Voice processes that take calls, from their log. */
async function readyProcesses(): Promise<number> {
  const log = await readFile(join(installation.dataDir, 'logs', 'voice.log'), 'utf8');
  return log.split('"Voice is ready"').length - 1;
}

async function makeTlsFiles(): Promise<Record<string, string>> {
  if (!isInstalled('openssl')) return {};
  const { certFile, keyFile } = await makeCertificate(folder, 'front', '127.0.0.1');
  return { SIP_TLS_CERT_FILE: certFile, SIP_TLS_KEY_FILE: keyFile };
}

/** Processes that the fleet has started, from /proc. */
async function childrenOf(parent: number): Promise<number[]> {
  const entries = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const parents = await Promise.all(
    entries.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      return { pid: Number(pid), parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) };
    }),
  );
  return parents.filter((process) => process.parent === parent).map(({ pid }) => pid);
}

function call(at: number): ReturnType<Phone['call']> {
  const transport = TRANSPORTS[Math.floor(at / 2) % TRANSPORTS.length] ?? 'udp';
  return phone.call({
    to: DEMO_NUMBER,
    from: `+1202555012${at}`,
    host: '127.0.0.1',
    port: transport === 'tls' ? tlsPort : installation.sipPort,
    transport,
    script: [{ do: 'wait', ms: 120_000 }],
  });
}

/** Resolves when a second of speech was heard. */
function hearsSecond({ media }: Person['leg']): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let frames = 0;
  media.onTick(({ received }) => {
    if (received.some((sample) => Math.abs(sample) > AUDIBLE)) frames += 1;
    if (frames === FRAMES_PER_SECOND) resolve();
  });
  return promise;
}

async function callsOnRecord(): Promise<CallDetail[]> {
  const { data } = (await installation.request('GET', '/api/user/calls?type=inbound')) as {
    data: CallDetail[];
  };
  return data;
}

/** The interruptions of the calls with which another process went on. */
async function interruptions(): Promise<Record<string, unknown>[]> {
  const details = await Promise.all(
    (await callsOnRecord()).map(async ({ id }) => installation.request('GET', `/api/user/calls/${id}`)),
  );
  return (details as CallDetail[]).flatMap(({ events }) =>
    events.filter(({ type }) => type === 'process_replaced').map(({ detail }) => detail),
  );
}

it('goes on with the calls of a killed process, and takes new ones', async () => {
  // An installation is ready as soon as one of its voice processes is.
  await expect.poll(readyProcesses, POLL).toBe(2);
  const people: Person[] = [];
  const greeted: Promise<void>[] = [];
  // One after another, because calls at the same time may be sent to one process before it has reported that it holds them.
  for (let at = 0; at < CALLS; at += 1) {
    const person = call(at);
    people.push(person);
    greeted.push(hearsSecond(person.leg));
    expect(await person.answered).toBe(true);
  }
  // A process may be killed before it has stored the answer, or what is needed to go on, which it does before it has spoken
  // for a second; such a call correctly counts as failed or lost.
  await Promise.all(greeted);
  const isTalking = (record: CallDetail): boolean => record.status === 'in-progress';
  await expect
    .poll(async () => (await callsOnRecord()).filter(isTalking).length, { timeout: 60_000 })
    .toBe(CALLS);
  const ended: number[] = [];
  people.forEach((person, at) => void person.ended.then(() => ended.push(at)));

  const [victim = 0, ...others] = await childrenOf((await installation.processes())['voice'] ?? 0);
  expect(others).toHaveLength(1);
  process.kill(victim, 'SIGKILL');

  await expect.poll(async () => (await interruptions()).length, POLL).toBe(CALLS / 2);
  await expect.poll(() => people.every(({ gapMs }) => gapMs < 100), POLL).toBe(true);
  expect(ended).toEqual([]);
  // Nothing but packets of the other process can end the gap.
  for (const { silent_ms } of await interruptions()) expect(silent_ms).toBeGreaterThan(0);

  for (const person of people) await person.leg.hangUp();
  const isOver = (record: CallDetail): boolean => record.status === 'completed';
  const over = await Promise.all(
    (await callsOnRecord()).map(({ id }) => waitForCall(installation, id, isOver)),
  );
  expect(over.map((record) => record.ended_reason)).toEqual(over.map(() => 'customer_hung_up'));
  const interrupted = over.filter(({ events }) => events.some(({ type }) => type === 'process_replaced'));
  expect(interrupted).toHaveLength(CALLS / 2);

  const next = call(9);
  expect(await next.answered).toBe(true);
  await next.leg.hangUp();
});
