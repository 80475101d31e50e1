import { priceList, priceListBody } from '@parley/contracts';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange, endOf, makeAnsweredCall } from '../../test/arrange.ts';
import { findCall } from '../calls/find-call.ts';
import { finishCall } from '../calls/finish-call.ts';
import { listProviders } from '../lookups/providers/providers.ts';
import { listTrunks } from '../lines/trunks.ts';
import { listPrices, setPrices } from './price-list.ts';

const database = useTestDatabase();

async function setup() {
  const about = await arrange(database.db);
  const { ctx, identity } = about;
  const trunkId = (await listTrunks(ctx, identity)).find(({ is_shared }) => !is_shared)?.id ?? 0;
  const providerId = (await listProviders(ctx, identity)).find(({ kind }) => kind === 'built-in')?.id ?? 0;
  const set = (line: number, provider: number) =>
    setPrices(
      ctx,
      identity,
      priceListBody.parse({
        sip_trunks: [{ sip_trunk_id: trunkId, per_minute: line }],
        providers: [{ provider_id: providerId, per_minute: provider }],
      }),
    );
  const talk = async (seconds: number) => {
    const callId = await makeAnsweredCall(about);
    about.clock.advance(seconds * 1000);
    await finishCall(ctx, endOf(about, callId));
    return callId;
  };
  return { ...about, trunkId, providerId, set, talk };
}

describe('the price list', () => {
  it('is replaced as a whole', async () => {
    const { ctx, identity, trunkId, providerId, set } = await setup();
    const list = await set(0.012345, 0.5);
    expect(priceList.parse(list)).toEqual({
      sip_trunks: [{ sip_trunk_id: trunkId, name: 'Test phones', per_minute: 0.012345 }],
      providers: [{ provider_id: providerId, name: 'Built in', per_minute: 0.5 }],
    });
    expect(await listPrices(ctx, identity)).toEqual(list);
    expect(await setPrices(ctx, identity, priceListBody.parse({}))).toEqual({
      sip_trunks: [],
      providers: [],
    });
  });

  it('is refused with what is none, or is there twice, and then changes nothing', async () => {
    const { ctx, identity, providerId, set } = await setup();
    const before = await set(1, 2);
    const price = { provider_id: providerId, per_minute: 1 };
    await expect(
      setPrices(ctx, identity, { sip_trunks: [{ sip_trunk_id: 999_999, per_minute: 1 }], providers: [] }),
    ).rejects.toMatchObject({
      fields: { 'sip_trunks.0.sip_trunk_id': ['The selected sip_trunks.0.sip_trunk_id is invalid.'] },
    });
    await expect(
      setPrices(ctx, identity, { sip_trunks: [], providers: [price, price] }),
    ).rejects.toMatchObject({ fields: { 'providers.1.provider_id': [expect.any(String)] } });
    expect(await listPrices(ctx, identity)).toEqual(before);
  });

  it('is for operators only', async () => {
    const { ctx, identity } = await setup();
    const member = { ...identity, role: 'member' as const };
    await expect(listPrices(ctx, member)).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(setPrices(ctx, member, { sip_trunks: [], providers: [] })).rejects.toMatchObject({
      kind: 'forbidden',
    });
  });
});

describe('what a call costs', () => {
  it.each([
    // seconds, line, provider: carrier cost, total cost
    [60, 0.012345, 0.5, 0.012345, 0.512345],
    [61, 0.01, 0, 0.010167, 0.010167],
    [1, 0.1, 0.2, 0.001667, 0.005],
    [90, 0.1, 0.2, 0.15, 0.45],
    [20, 0, 0, 0, 0],
  ])('%d s at %d a minute for the line and %d for the provider: %d, %d in all', async (...row) => {
    const [seconds, line, provider, carrier, total] = row;
    const { ctx, identity, set, talk } = await setup();
    await set(line, provider);
    const call = await findCall(ctx, identity, await talk(seconds));
    expect(call).toMatchObject({ duration: seconds, carrier_cost: carrier, total_cost: total });
  });

  it('keeps what it was reckoned from, whatever the list says later', async () => {
    const { ctx, identity, set, talk } = await setup();
    await set(0.1, 0.2);
    const callId = await talk(90);
    await set(9, 9);
    expect((await findCall(ctx, identity, callId)).costs).toEqual([
      { kind: 'carrier', name: 'Test phones', seconds: 90, per_minute: 0.1, amount: 0.15 },
      { kind: 'provider', name: 'Built in', seconds: 90, per_minute: 0.2, amount: 0.3 },
    ]);
  });

  it('is exact in the database', async () => {
    const { ctx, set, talk } = await setup();
    await set(0.1, 0.2);
    const text = statement<{ total: string }>(
      'test_exact_total',
      'select total_cost::text as total from calls where id = $1',
    );
    expect(await ctx.db.query(text, [await talk(90)])).toEqual([{ total: '0.450000' }]);
  });

  it('is nothing where nothing has a price', async () => {
    const { ctx, identity, talk } = await setup();
    await setPrices(ctx, identity, { sip_trunks: [], providers: [] });
    expect(await findCall(ctx, identity, await talk(60))).toMatchObject({ total_cost: 0, costs: [] });
  });
});
