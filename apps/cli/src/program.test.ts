import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  authenticateToken,
  beginSecondFactor,
  changeUserAccount,
  confirmSecondFactor,
  createCoreContext,
  createSignInLink,
  diskStorage,
  findSession,
  redeemSignInLink,
} from '@parley/core';
import { silentLog, systemClock } from '@parley/runtime';
import { totpCode, useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTerminal } from '../test/terminal.ts';

const SECRET_KEY = 'a key of at least thirty-two characters';
const database = useTestDatabase();
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-cli-'));
});

afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** A terminal on the server, and access to its installation. */
function setup() {
  const core = createCoreContext({
    db: database.db,
    log: silentLog,
    clock: systemClock,
    secretKey: SECRET_KEY,
    recordings: diskStorage(dataDir),
  });
  const environment = {
    DATABASE_URL: database.url,
    SECRET_KEY,
    DATA_DIR: dataDir,
    PARLEY_URL: 'http://parley.example/',
  };
  return { core, terminal: openTerminal(environment) };
}

test('user add creates a user with a valid token', async () => {
  const { core, terminal } = setup();
  const ran = await terminal.run('user', 'add', 'Ada', 'Ada@Parley.example', '--json');
  expect(ran).toMatchObject({ exitCode: 0, err: '' });
  const printed = JSON.parse(ran.out) as { id: number; token: string };
  expect(printed).toMatchObject({ name: 'Ada', email: 'ada@parley.example', role: 'member' });
  expect(await authenticateToken(core, printed.token)).toMatchObject({ userId: printed.id, scopes: 'all' });
});

test('a duplicate or invalid address is reported in a sentence', async () => {
  const { terminal } = setup();
  await terminal.run('user', 'add', 'Bob', 'bob@parley.example');
  expect(await terminal.run('user', 'add', 'Bob', 'bob@parley.example')).toMatchObject({
    exitCode: 1,
    out: '',
    err: 'The email has already been taken.\n',
  });
  expect(await terminal.run('user', 'add', 'Bob', 'no address')).toMatchObject({
    exitCode: 1,
    err: 'The email must be a valid email address.\n',
  });
});

test('token create creates a token with scopes and an expiry', async () => {
  const { core, terminal } = setup();
  await terminal.run('user', 'add', 'Cleo', 'cleo@parley.example');
  const ran = await terminal.run(
    'token',
    'create',
    'cleo@parley.example',
    '--scope',
    'read',
    'call',
    '--expires-in',
    '1',
  );
  expect(ran.exitCode).toBe(0);
  expect(await authenticateToken(core, ran.out.trim())).toMatchObject({ scopes: ['read', 'call'] });
  const later = { ...core, clock: { ...systemClock, now: () => systemClock.now() + 24 * 3600 * 1000 + 1 } };
  expect(await authenticateToken(later, ran.out.trim())).toBeNull();
});

test('user reset-second-factor lets a user sign in without a code', async () => {
  const { core, terminal } = setup();
  const added = await terminal.run('user', 'add', 'Fay', 'fay@parley.example', '--json');
  const { id } = JSON.parse(added.out) as { id: number };
  const enter = async () =>
    redeemSignInLink(core, await createSignInLink(core, id), { networkAddress: '192.0.2.1' });
  const session = await findSession(core, (await enter())?.cookie ?? '');
  if (!session) throw new Error('There is no session');
  const given = { current_password: '', networkAddress: '192.0.2.1' };
  const { secret } = await beginSecondFactor(core, session, given);
  await confirmSecondFactor(core, session, totpCode(secret, core.clock.now()));
  await expect(enter()).rejects.toMatchObject({ kind: 'invalid' });
  const reset = ['user', 'reset-second-factor', 'fay@parley.example'];
  expect((await terminal.run(...reset)).exitCode).not.toBe(0);
  expect(await terminal.run(...reset, '--yes')).toMatchObject({
    exitCode: 0,
    out: 'fay@parley.example signs in without a code.\n',
  });
  expect(await enter()).toMatchObject({ user: { id } });
});

test('sign-in-link prints an address that signs in', async () => {
  const { core, terminal } = setup();
  await terminal.run('user', 'add', 'Dora', 'dora@parley.example');
  const ran = await terminal.run('sign-in-link', 'dora@parley.example');
  const secret = /^http:\/\/parley\.example\/admin\/sign-in\/link\/([\w-]+)\n$/.exec(ran.out)?.[1] ?? '';
  expect((await redeemSignInLink(core, secret, { networkAddress: '127.0.0.1' }))?.user.name).toBe('Dora');
});

test('sign-in-link says that a user is disabled', async () => {
  const { core, terminal } = setup();
  const added = await terminal.run('user', 'add', 'Gus', 'gus@parley.example', '--json');
  const { id } = JSON.parse(added.out) as { id: number };
  await terminal.run('user', 'add', 'Hal', 'hal@parley.example', '--role', 'operator');
  const operator = { userId: 0, role: 'operator', scopes: 'all', tokenId: null, timezone: 'UTC' } as const;
  await changeUserAccount(core, operator, { id, is_disabled: true });
  expect(await terminal.run('sign-in-link', 'gus@parley.example')).toMatchObject({
    exitCode: 1,
    out: '',
    err: 'This user is disabled and cannot sign in. Enable the user first.\n',
  });
});

test('an unknown user is reported', async () => {
  const { terminal } = setup();
  expect(await terminal.run('sign-in-link', 'nobody@parley.example')).toMatchObject({
    exitCode: 1,
    err: 'There is no user with the address nobody@parley.example\n',
  });
});

test('provider add offers its models and voices', async () => {
  const { terminal } = setup();
  const args = ['provider', 'add', 'Local', '--url', 'http://127.0.0.1:11434/v1', '--json'];
  const ran = await terminal.run(...args, '--model', 'Llama 3=llama3.2:3b', '--voice', 'Nova=nova');
  expect(ran.exitCode).toBe(0);
  expect(JSON.parse(ran.out)).toMatchObject({
    name: 'Local',
    models: [{ name: 'Llama 3', wireName: 'llama3.2:3b' }],
    voices: [{ name: 'Nova', wireName: 'nova' }],
  });
});

test.each([
  [
    'a provider without models and voices',
    ['provider', 'add', 'Empty', '--url', 'http://127.0.0.1:1/v1'],
    /Specify at least one/,
  ],
  ['an invalid address', ['provider', 'add', 'X', '--url', 'nowhere', '--model', 'a'], /http:\/\//],
  ['an unknown command', ['dance'], /unknown command/],
  ['a missing argument', ['user', 'add', 'Ada'], /missing required argument/],
  ['an invalid id', ['call', '+12025550142', '--assistant', 'first'], /whole number/],
])('%s is an invalid command line', async (_name, args, err) => {
  const ran = await setup().terminal.run(...args);
  expect(ran.exitCode).toBe(2);
  expect(ran.err).toMatch(err);
});

test('help exits with code 0', async () => {
  const ran = await setup().terminal.run('--help');
  expect(ran.exitCode).toBe(0);
  expect(ran.out).toContain('sign-in-link');
});

test('a running installation is found through its data folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-cli-'));
  const runtime = {
    processes: {},
    url: 'http://127.0.0.1:3456',
    environment: { DATABASE_URL: database.url },
  };
  await writeFile(join(folder, 'runtime.json'), JSON.stringify(runtime));
  await writeFile(join(folder, 'secrets.json'), JSON.stringify({ SECRET_KEY, INTERNAL_SECRET: 'x' }));
  const terminal = openTerminal({ DATA_DIR: folder });
  await terminal.run('user', 'add', 'Eve', 'eve@parley.example');
  const ran = await terminal.run('sign-in-link', 'eve@parley.example');
  expect(ran.out).toMatch(/^http:\/\/127\.0\.0\.1:3456\/admin\//);
  await rm(folder, { recursive: true });
});

test('without an installation, the command says what to do and exits with the code for missing configuration', async () => {
  const terminal = openTerminal({ DATA_DIR: join(dataDir, 'nothing-here') });
  const ran = await terminal.run('user', 'add', 'Ada', 'ada@parley.example');
  expect(ran.exitCode).toBe(78);
  expect(ran.err).toContain('npm start');
});
