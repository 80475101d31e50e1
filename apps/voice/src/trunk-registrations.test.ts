import { newTrunkBody, trunkChangesBody } from '@parley/contracts';
import { addTrunk, changeTrunk, LEASE_MS, LEASE_RENEWAL_MS, listTrunks, removeTrunk } from '@parley/core';
import { statement } from '@parley/db';
import { BackgroundWork, ManualClock } from '@parley/runtime';
import type { RegistrationRequest } from '@parley/telephony';
import { FakeEndpoint } from '@parley/telephony/fakes';
import { captureLog, createTestContext, createTestUser, useTestDatabase } from '@parley/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { TrunkRegistrations } from './trunk-registrations.ts';

const database = useTestDatabase();
const FRONT = { host: '127.0.0.1', port: 5060 };
const WAIT = { timeout: 20_000 };

const endLeases = statement(
  '',
  `update trunk_registrations set lease_until = now() - interval '1 ms' where trunk_id = $1`,
);
const giveLease = statement(
  '',
  `update trunk_registrations set lease_until = now() + interval '1 day', holder_id = gen_random_uuid()
   where trunk_id = $1`,
);
const switchOthersOff = statement('', 'update trunks set registers = false');

/** A trunk that registers, and voice processes that may do it. */
async function setup(fields: Record<string, unknown> = {}) {
  const { log, lines } = captureLog();
  const core = createTestContext(database.db, { clock: new ManualClock(), log });
  const { identity } = await createTestUser(core);
  await core.db.query(switchOthersOff);
  const body = { name: 'Office', host: 'pbx.example', username: '1001', password: 'secret' };
  const { id } = await addTrunk(core, identity, newTrunkBody.parse({ ...body, registers: true, ...fields }));
  const change = (given: Record<string, unknown>) =>
    changeTrunk(core, identity, { ...trunkChangesBody.parse(given), id });
  const shown = async () =>
    (await listTrunks(core, identity)).find((trunk) => trunk.id === id)?.registration ?? null;
  const startProcess = async (contactAddress?: typeof FRONT, db = database.db, fault?: Error) => {
    const clock = new ManualClock();
    const endpoint = new FakeEndpoint();
    endpoint.fault = fault ?? null;
    const background = new BackgroundWork(log);
    const context = { ...core, db, clock };
    const registrations = new TrunkRegistrations({
      core: context,
      endpoint,
      background,
      ...(contactAddress ? { contactAddress } : {}),
    });
    onTestFinished(async () => {
      // Otherwise an unregistration could wait for a clock that stands still.
      const stopped = registrations.stop();
      endpoint.registrationClock.advance(5000);
      await stopped;
    });
    await registrations.start();
    const mine = (): RegistrationRequest[] => endpoint.registered;
    return { clock, endpoint, registrations, background, mine };
  };
  return { core, identity, id, change, shown, startProcess, lines };
}

type Process = Awaited<ReturnType<Awaited<ReturnType<typeof setup>>['startProcess']>>;

/** Moves the clock of a process until a condition holds. */
async function renewUntil({ clock }: Process, holds: () => unknown): Promise<void> {
  await expect
    .poll(async () => {
      clock.advance(LEASE_RENEWAL_MS);
      return Boolean(await holds());
    }, WAIT)
    .toBe(true);
}

test('one of two processes registers a trunk, and its state is stored', async () => {
  const about = { transport: 'tcp', register_expires: 60, other_hosts: ['second.example:5070'] };
  const { startProcess, shown } = await setup(about);
  const first = await startProcess();
  await expect.poll(shown, WAIT).toMatchObject({ state: 'registered', sip_status: 200, reason: null });
  const second = await startProcess();
  await expect.poll(() => second.clock.pendingTimers(), WAIT).toBeGreaterThan(0);
  expect(second.endpoint.registered).toEqual([]);
  const [request] = first.mine();
  expect(request).toMatchObject({
    registrar: {
      host: 'pbx.example',
      port: null,
      otherHosts: [{ host: 'second.example', port: 5070 }],
      transport: 'tcp',
      isTrusted: true,
    },
    username: '1001',
    password: 'secret',
    expiresSeconds: 60,
  });
  expect(request).not.toHaveProperty('contactAddress');
});

test('behind a front, the Contact is that of the front', async () => {
  const { startProcess } = await setup();
  const process = await startProcess(FRONT);
  await expect.poll(() => process.mine()[0]?.contactAddress, WAIT).toEqual(FRONT);
});

test('a process that stops unregisters, and the next one registers at once', async () => {
  const { startProcess, shown } = await setup();
  const first = await startProcess();
  await expect.poll(shown, WAIT).toMatchObject({ state: 'registered' });
  const second = await startProcess();
  await first.registrations.stop();
  expect(first.endpoint.registrationClock.pendingTimers()).toBe(0);
  await renewUntil(second, () => second.mine().length === 1);
  await expect.poll(shown, WAIT).toMatchObject({ state: 'registered' });
});

test('the trunk of a killed process is registered by another when the lease has ended', async () => {
  const { core, id, startProcess, shown } = await setup();
  const killed = await startProcess(FRONT);
  await expect.poll(shown, WAIT).toMatchObject({ state: 'registered' });
  const other = await startProcess(FRONT);
  await core.db.query(endLeases, [id]);
  await renewUntil(other, () => other.mine().length === 1);
  // It was only frozen: it finds out, and leaves the Contact to the other process.
  const before = killed.clock.pendingTimers();
  await renewUntil(killed, () => killed.endpoint.registrationClock.pendingTimers() === 0);
  expect(before).toBeGreaterThan(0);
  expect(killed.mine()).toHaveLength(1);
});

test('a changed trunk is registered anew', async () => {
  const { change, startProcess, shown } = await setup();
  const process = await startProcess();
  await expect.poll(shown, WAIT).toMatchObject({ state: 'registered' });
  await change({ registrar: 'sbc.example:5080', password: 'another' });
  await renewUntil(process, () => process.mine().length === 2);
  expect(process.mine()[1]).toMatchObject({
    registrar: { host: 'sbc.example', port: 5080 },
    password: 'another',
  });
  await change({ name: 'Another name', max_calls: 4 });
  await renewUntil(process, async () => (await shown())?.state === 'registered');
  expect(process.mine()).toHaveLength(2);
});

test.each(['switched off', 'removed'])('a trunk that is %s is unregistered', async (how) => {
  const { core, identity, id, change, startProcess, shown } = await setup();
  const process = await startProcess();
  await expect.poll(shown, WAIT).toMatchObject({ state: 'registered' });
  if (how === 'removed') await removeTrunk(core, identity, id);
  else await change({ registers: false });
  await renewUntil(process, () => process.endpoint.registrationClock.pendingTimers() === 0);
  expect(process.mine()).toHaveLength(1);
  expect(await shown()).toBeNull();
});

test('a failure is stored with its status and its words', async () => {
  const { startProcess, shown } = await setup();
  const process = await startProcess();
  await expect.poll(shown, WAIT).toMatchObject({ state: 'registered' });
  process.endpoint.registerOutcome = { by: 'response', status: 403, reason: 'No', retryAfterSeconds: null };
  process.endpoint.registrationClock.advance(300_000);
  await expect.poll(shown, WAIT).toMatchObject({
    state: 'failed',
    sip_status: 403,
    reason: 'The registrar refuses the registration: 403 No',
  });
});

test('a process that cannot renew its leases gives them up, because others may have them', async () => {
  const { core, id, startProcess, shown, lines } = await setup();
  let isAway = false;
  const query: typeof core.db.query = async (...args) => {
    if (isAway) throw new Error('The database does not answer');
    return core.db.query(...args);
  };
  const process = await startProcess(FRONT, { ...core.db, query });
  await expect.poll(shown, WAIT).toMatchObject({ state: 'registered' });
  isAway = true;
  await core.db.query(giveLease, [id]);
  process.clock.advance(LEASE_MS);
  await expect.poll(() => process.endpoint.registrationClock.pendingTimers(), WAIT).toBe(0);
  expect(lines.map(({ msg }) => msg)).toContain('The leases of registrations have ended');
  isAway = false;
  await renewUntil(process, () => true);
  expect(process.mine()).toHaveLength(1);
});

test('settings that cannot be used are shown also when the database did not answer at first', async () => {
  const { core, startProcess, shown } = await setup();
  const stores: unknown[] = [];
  const query: typeof core.db.query = async (...args) => {
    if (args[0].name === 'store_trunk_registration' && stores.push(args) === 1)
      throw new Error('The database does not answer');
    return core.db.query(...args);
  };
  const process = await startProcess(undefined, { ...core.db, query }, new RangeError('No such account'));
  await expect.poll(() => stores.length, WAIT).toBe(1);
  await renewUntil(process, async () => (await shown())?.state === 'failed');
  expect(await shown()).toMatchObject({ reason: 'The settings cannot be used: No such account' });
});
