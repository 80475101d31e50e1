import { addTrunk } from '@parley/core';
import { newTrunkBody } from '@parley/contracts';
import { ManualClock } from '@parley/runtime';
import { createTestContext, createTestUser, useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { TrunkAddresses } from './trunk-addresses.ts';

const database = useTestDatabase();

async function setup() {
  const clock = new ManualClock();
  const core = createTestContext({ ...database.db }, { clock });
  const { identity } = await createTestUser(core);
  const add = (host: string) => addTrunk(core, identity, newTrunkBody.parse({ name: 'Carrier', host }));
  const asked: string[] = [];
  const trunks = new TrunkAddresses(core, async ({ host: name }) => {
    asked.push(name);
    if (name === 'broken.example') throw new Error('ENOTFOUND');
    return ['203.0.113.1', '203.0.113.2', '2001:db8::1'];
  });
  return { clock, core, add, asked, trunks };
}

it('are those of every trunk, by address and by every address of a name', async () => {
  const { add, trunks } = await setup();
  await add('198.51.100.7');
  await add('sip.carrier.example');
  await add('broken.example');
  for (const address of ['198.51.100.7', '203.0.113.2', '2001:db8::1', '::ffff:203.0.113.1'])
    expect(await trunks.includes(address, { ifUnknown: false })).toBe(true);
  expect(await trunks.includes('192.0.2.1', { ifUnknown: false })).toBe(false);
});

it('are read once a minute, however many strangers call', async () => {
  const { add, trunks, asked, clock } = await setup();
  await add('other.example');
  await Promise.all(
    Array.from({ length: 50 }, (_, n) => trunks.includes(`192.0.2.${n}`, { ifUnknown: false })),
  );
  expect(asked.filter((name) => name === 'other.example')).toHaveLength(1);
  clock.advance(60_000);
  await trunks.includes('192.0.2.1', { ifUnknown: false });
  expect(asked.filter((name) => name === 'other.example')).toHaveLength(2);
});

it.each([true, false])(
  'include what their user wants while the database is unavailable: %s',
  async (ifUnknown) => {
    const { trunks, core } = await setup();
    const working = { ...core.db };
    core.db.query = async () => Promise.reject(new Error('Connection terminated unexpectedly'));
    expect(await trunks.includes('192.0.2.1', { ifUnknown })).toBe(ifUnknown);
    Object.assign(core.db, working);
    expect(await trunks.includes('192.0.2.1', { ifUnknown: true })).toBe(false);
  },
);
