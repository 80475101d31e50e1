/**
 * Parley as an extension of a PBX: kamailio is the registrar, baresip calls the extension through it, and the assistant
 * answers. Two voice processes behind one front: when the one that registers is killed, the account is registered again.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rmsDbfs } from '@parley/audio';
import {
  Baresip,
  ForeignProgram,
  isInstalled,
  newAssistant,
  startRegistrar,
  type Kamailio,
} from '@parley/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { waitForCall } from '../src/calls.ts';
import { startInstallation, type Installation } from '../src/installation.ts';

const EXTENSION = 'alice';
const NUMBER = '+12025550177';
const WAIT = { timeout: 60_000 };
/** Time for two calls that end by silence, and a lease that ends. */
const TEST_LIMIT_MS = 420_000;
const CALL_LIMIT_MS = 120_000;
const TRUNKS = '/api/user/phone-numbers/sip-trunks';
const hasPrograms = isInstalled('kamailio') && isInstalled('baresip');

let installation: Installation;
let folder: string;
let kamailio: Kamailio;
const programs: ForeignProgram[] = [];

async function create(path: string, body: Record<string, unknown>): Promise<number> {
  const answer = (await installation.request('POST', path, body)) as { data: { id: number } };
  return answer.data.id;
}

beforeEach(async () => {
  if (!hasPrograms) return;
  installation = await startInstallation({ environment: { VOICE_PROCESSES: '2' } });
  folder = await mkdtemp(join(tmpdir(), 'parley-registration-'));
  kamailio = await startRegistrar(folder, {
    algorithm: 'MD5',
    password: 'secret',
    maxExpires: 3600,
    nonceExpire: 300,
  });
});

afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.stop()));
  await kamailio?.stop();
  await installation?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** The REGISTERs that kamailio has accepted: from which port, with which Contact, for how long. */
function registers(): { port: string; contact: string; expires: string }[] {
  const lines = kamailio.output.matchAll(/REGISTER from (\d+) with (\S+) expires (\d+)/g);
  return [...lines].map(([, port = '', contact = '', expires = '']) => ({ port, contact, expires }));
}

async function registration(id: number): Promise<unknown> {
  const trunks = (await installation.request('GET', TRUNKS)) as { id: number; registration: unknown }[];
  return trunks.find((trunk) => trunk.id === id)?.registration;
}

/** The process of the fleet whose SIP line listens on a port. */
async function processAt(port: string): Promise<number> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    const variables = environment.split('\0');
    if (variables.includes(`SIP_LISTEN=127.0.0.1:${port}`) && variables.includes('VOICE_PROCESSES=1'))
      return Number(pid);
  }
  throw new Error(`No voice process listens on port ${port}`);
}

/** Calls the extension through kamailio, and hears the assistant. */
async function callExtension(): Promise<void> {
  const home = await mkdtemp(join(folder, 'baresip-'));
  const run = (program: string, args: readonly string[]): ForeignProgram => {
    const started = new ForeignProgram(program, args, home);
    programs.push(started);
    return started;
  };
  const known = await inboundCalls();
  const baresip = await Baresip.start({ folder: home, run }, new Int16Array(8000 * 60));
  baresip.dial(`sip:${EXTENSION}@127.0.0.1:${kamailio.port}`);
  const isNew = ({ id }: { id: number }): boolean => known.every((call) => call.id !== id);
  await expect.poll(async () => (await inboundCalls()).filter(isNew), WAIT).toHaveLength(1);
  const [call] = (await inboundCalls()).filter(isNew);
  // Nobody speaks to the assistant, so that it says goodbye after a while.
  const isOver = ({ status }: { status: string }): boolean => status === 'completed';
  const ended = await waitForCall(installation, call?.id ?? 0, isOver, CALL_LIMIT_MS);
  expect(ended).toMatchObject({ assistant_phone_number: NUMBER, ended_by: 'assistant' });
  expect(ended.transcript).toMatch(/^AI: /);
  // baresip closes its file some time after the BYE.
  await expect
    .poll(async () => rmsDbfs(await baresip.heard().catch(() => new Int16Array(1))), WAIT)
    .toBeGreaterThan(-40);
}

async function inboundCalls(): Promise<{ id: number }[]> {
  return ((await installation.request('GET', '/api/user/calls?type=inbound')) as { data: { id: number }[] })
    .data;
}

it.skipIf(!hasPrograms)(
  'a registered trunk takes calls, also after its process was killed',
  async () => {
    const account = { username: EXTENSION, password: 'secret', registers: true, reach: 'fictional' };
    const trunkId = await create(TRUNKS, {
      name: 'PBX',
      host: '127.0.0.1',
      port: kamailio.port,
      ...account,
    });
    const numberId = await create('/api/user/phone-numbers', {
      phone_number: NUMBER,
      sip_trunk_id: trunkId,
    });
    const greeting = 'Good morning, this is the office. How can I help you today?';
    await create(
      '/api/user/assistant',
      newAssistant({ calls_direction: 'receive', phone_number_id: numberId, initial_message: greeting }),
    );
    await expect
      .poll(() => registration(trunkId), WAIT)
      .toMatchObject({ state: 'registered', sip_status: 200 });
    const [first, ...others] = registers();
    expect(others).toEqual([]);
    expect(first?.contact).toContain(`sip:${EXTENSION}@127.0.0.1:${installation.sipPort}`);
    expect(first?.port).not.toBe(String(installation.sipPort));
    await callExtension();

    process.kill(await processAt(first?.port ?? ''), 'SIGKILL');
    await expect.poll(() => registers().length, WAIT).toBe(2);
    await expect.poll(() => registration(trunkId), WAIT).toMatchObject({ state: 'registered' });
    expect(registers()[1]?.contact).toContain(`sip:${EXTENSION}@127.0.0.1:${installation.sipPort}`);
    await callExtension();

    await installation.request('PUT', `${TRUNKS}/${trunkId}`, { password: 'wrong' });
    await expect
      .poll(() => registration(trunkId), WAIT)
      .toMatchObject({ state: 'failed', sip_status: 401, expires_at: null });
    await installation.request('PUT', `${TRUNKS}/${trunkId}`, { registers: false });
    await expect.poll(() => registration(trunkId), WAIT).toBeNull();
  },
  TEST_LIMIT_MS,
);
