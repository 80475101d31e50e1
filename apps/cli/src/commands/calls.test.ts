import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  bootstrapFirstUser,
  createCoreContext,
  diskStorage,
  recordCallEvent,
  type CoreContext,
} from '@parley/core';
import { silentLog, systemClock } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApiProcess, type ApiProcess } from '../../test/api-process.ts';
import { openTerminal, type Terminal } from '../../test/terminal.ts';

const SECRET_KEY = 'a key of at least thirty-two characters';
const database = useTestDatabase();
let api: ApiProcess;
let core: CoreContext;
let dataDir: string;
let token: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-cli-'));
  core = createCoreContext({
    db: database.db,
    log: silentLog,
    clock: systemClock,
    secretKey: SECRET_KEY,
    recordings: diskStorage(dataDir),
  });
  token = (await bootstrapFirstUser(core, {})).token ?? '';
  const INTERNAL_SECRET = 'an internal secret of thirty-two characters';
  api = await startApiProcess({ DATABASE_URL: database.url, SECRET_KEY, INTERNAL_SECRET, DATA_DIR: dataDir });
});

afterAll(async () => {
  await api.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** A terminal anywhere: it knows an address and a token, and no database. */
function setup(): Terminal {
  return openTerminal({ PARLEY_URL: api.url, PARLEY_TOKEN: token, DATA_DIR: join(dataDir, 'nothing-here') });
}

test('call places a call, and calls list and show know it', async () => {
  const terminal = setup();
  const placed = await terminal.run(
    'call',
    '+12025550142',
    '--assistant',
    '1',
    '--variable',
    'name=Ada',
    '--json',
  );
  expect(placed).toMatchObject({ exitCode: 0, err: '' });
  const { call_id } = JSON.parse(placed.out) as { call_id: number };
  const list = await terminal.run('calls', 'list', '--status', 'initiated');
  expect(list.out).toMatch(new RegExp(`^ID .*\\n${call_id} .*\\+12025550142 .*initiated`));
  const show = await terminal.run('calls', 'show', String(call_id));
  expect(show.out).toContain('+12025550142');
  const json = await terminal.run('calls', 'show', String(call_id), '--json');
  expect(JSON.parse(json.out)).toMatchObject({ id: call_id, input_variables: { name: 'Ada' } });
});

test('call --follow tells each step once and ends with the call', async () => {
  const terminal = setup();
  const ended = terminal.run('call', '+12025550143', '--assistant', '1', '--follow');
  const callId = await findCallTo('+12025550143', terminal);
  const step = (event: 'ringing' | 'busy') =>
    recordCallEvent(core, { callId, event, at: new Date(systemClock.now()) });
  await step('ringing');
  await terminal.untilOut((out) => out.includes('ringing'));
  await step('busy');
  const ran = await ended;
  expect(ran.out.match(/ringing/g)).toHaveLength(1);
  expect(ran.out).toContain('The call is busy.');
  expect(ran.exitCode).toBe(1);
  expect(ran.err).toBe('The call ended as busy.\n');
});

/** The follower tells the call's first event before anything has rung. */
async function findCallTo(number: string, terminal: Terminal): Promise<number> {
  await terminal.untilOut((out) => out !== '');
  const list = await setup().run('calls', 'list', '--json');
  const { data } = JSON.parse(list.out) as { data: { id: number; client_phone_number: string }[] };
  return data.find((call) => call.client_phone_number === number)?.id ?? 0;
}

test('what the api refuses is said in its own words', async () => {
  const terminal = setup();
  expect(await terminal.run('call', '123', '--assistant', '1')).toMatchObject({
    exitCode: 1,
    err: 'The given data was invalid.\nInvalid phone number\n',
  });
  expect(await terminal.run('calls', 'show', '999999')).toMatchObject({
    exitCode: 1,
    err: 'Call not found\n',
  });
  expect(await terminal.run('calls', 'list', '--token', 'wrong')).toMatchObject({
    exitCode: 1,
    err: 'Unauthenticated.\nThe token is wrong, revoked or too old.\n',
  });
});

test('without a token, or without a server, the command says what to do', async () => {
  const noToken = await openTerminal({ PARLEY_URL: api.url, DATA_DIR: join(dataDir, 'none') }).run(
    'calls',
    'list',
  );
  expect(noToken.exitCode).toBe(78);
  expect(noToken.err).toContain('token create');
  const noServer = await setup().run('calls', 'list', '--url', 'http://127.0.0.1:1');
  expect(noServer.exitCode).toBe(1);
  expect(noServer.err).toContain('http://127.0.0.1:1 does not answer.');
});
