import { priceList, priceListBody } from '@parley/contracts';
import { statement } from '@parley/db';
import { createHostedModel, useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange, talkedEndOf, endOf, makeAnsweredCall, makeContext } from '../../test/arrange.ts';
import { findCall } from '../calls/find-call.ts';
import { finishCall } from '../lifecycle/finish-call.ts';
import { completeCall } from '../lifecycle/complete-call.ts';
import { listModels, listVoices } from '../lookups/list-lookups.ts';
import { listProviders } from '../lookups/providers/providers.ts';
import { listTrunks } from '../trunks/trunks.ts';
import { listPrices, readCurrency, setPrices } from './price-list.ts';

const database = useTestDatabase();
const NO_PRICES = { currency: null, sip_trunks: [], providers: [], models: [], voices: [] };
const SCHEMA = [{ name: 'status', type: 'bool', description: 'Whether it went well' }];
const makeReal = statement('', 'update trunks set is_test = false where id = $1');

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
      currency: null,
      sip_trunks: [{ sip_trunk_id: trunkId, name: 'Test phones', per_minute: 0.012345 }],
      providers: [{ provider_id: providerId, name: 'Built in', per_minute: 0.5 }],
      models: [],
      voices: [],
    });
    expect(await listPrices(ctx, identity)).toEqual(list);
    expect(await setPrices(ctx, identity, priceListBody.parse({}))).toEqual({
      currency: null,
      sip_trunks: [],
      providers: [],
      models: [],
      voices: [],
    });
  });

  it('has a currency, which stays when the list is replaced, and converts nothing', async () => {
    const { ctx, identity, set, talk } = await setup();
    const list = await set(0.01, 0.5);
    const callId = await talk(60);
    const before = await findCall(ctx, identity, callId);
    expect(await setPrices(ctx, identity, { ...priceListBody.parse(list), currency: 'EUR' })).toEqual({
      ...list,
      currency: 'EUR',
    });
    expect(await set(0.01, 0.5)).toEqual({ ...list, currency: 'EUR' });
    expect(await readCurrency(ctx)).toBe('EUR');
    expect(await findCall(ctx, identity, callId)).toEqual(before);
    expect((await setPrices(ctx, identity, { ...NO_PRICES, currency: null })).currency).toBeNull();
    expect(await readCurrency(ctx)).toBeNull();
  });

  it.each(['QQQ', 'eur', 'EURO'])('refuses %s as its currency', async (currency) => {
    const { ctx, identity } = await setup();
    const body = priceListBody.safeParse({ currency });
    if (!body.success) return expect(body.error.issues[0]?.path).toEqual(['currency']);
    await expect(setPrices(ctx, identity, body.data)).rejects.toMatchObject({
      kind: 'invalid',
      fields: { currency: [expect.any(String)] },
    });
  });

  it('has prices by unit for models, voices and providers', async () => {
    const { ctx, identity, providerId } = await setup();
    const [model] = await listModels(ctx, identity);
    const [voice] = await listVoices(ctx, identity);
    const tokens = { per_million_input_tokens: 2.5, per_million_output_tokens: 10 };
    const list = await setPrices(
      ctx,
      identity,
      priceListBody.parse({
        providers: [{ provider_id: providerId, transcription_per_minute: 0.0077, per_minute: null }],
        models: [{ llm_model_id: model?.id, ...tokens }],
        voices: [{ voice_id: voice?.id, per_million_characters: 30 }],
      }),
    );
    expect(priceList.parse(list)).toEqual({
      currency: null,
      sip_trunks: [],
      providers: [{ provider_id: providerId, name: 'Built in', transcription_per_minute: 0.0077 }],
      models: [{ llm_model_id: model?.id, name: model?.name, ...tokens }],
      voices: [{ voice_id: voice?.id, name: voice?.name, per_million_characters: 30 }],
    });
  });

  it('is refused with what is none, or is there twice, and then changes nothing', async () => {
    const { ctx, identity, providerId, set } = await setup();
    const before = await set(1, 2);
    const price = { provider_id: providerId, per_minute: 1 };
    await expect(
      setPrices(ctx, identity, { ...NO_PRICES, sip_trunks: [{ sip_trunk_id: 999_999, per_minute: 1 }] }),
    ).rejects.toMatchObject({
      fields: { 'sip_trunks.0.sip_trunk_id': ['The selected sip_trunks.0.sip_trunk_id is invalid.'] },
    });
    await expect(setPrices(ctx, identity, { ...NO_PRICES, providers: [price, price] })).rejects.toMatchObject(
      { fields: { 'providers.1.provider_id': [expect.any(String)] } },
    );
    expect(await listPrices(ctx, identity)).toEqual(before);
  });

  it('is for operators only', async () => {
    const { ctx, identity } = await setup();
    const member = { ...identity, role: 'member' as const };
    await expect(listPrices(ctx, member)).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(setPrices(ctx, member, NO_PRICES)).rejects.toMatchObject({
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
    expect(call.sip_trunk_name).toBe('Test phones');
  });

  it('keeps what it was reckoned from, whatever the list says later', async () => {
    const { ctx, identity, set, talk } = await setup();
    await set(0.1, 0.2);
    const callId = await talk(90);
    await set(9, 9);
    const part = { unit: 'second', quantity: 90, is_estimated: false, basis: 'listed', price_per: 60 };
    expect((await findCall(ctx, identity, callId)).costs.slice(0, 2)).toEqual([
      { ...part, stage: 'carrier', name: 'Test phones', price: 0.1, amount: 0.15 },
      { ...part, stage: 'provider', name: 'Built in', price: 0.2, amount: 0.3 },
    ]);
  });

  it('is exact in the database', async () => {
    const { ctx, set, talk } = await setup();
    await set(0.1, 0.2);
    const text = statement<{ total: string }>(
      '',
      'select total_cost::text as total from calls where id = $1',
    );
    expect(await ctx.db.query(text, [await talk(90)])).toEqual([{ total: '0.450000' }]);
  });

  it('is not known where the line has no price', async () => {
    const { ctx, identity, talk, trunkId } = await setup();
    await setPrices(ctx, identity, NO_PRICES);
    await ctx.db.query(makeReal, [trunkId]);
    const call = await findCall(ctx, identity, await talk(60));
    expect(call).toMatchObject({ carrier_cost: 0, total_cost: 0, are_costs_complete: false });
    expect(call.costs[0]).toMatchObject({ stage: 'carrier', basis: 'unknown', price: null, amount: null });
  });

  it('is nothing where all of it ran in this installation', async () => {
    const { ctx, identity, talk } = await setup();
    await setPrices(ctx, identity, NO_PRICES);
    const call = await findCall(ctx, identity, await talk(60));
    expect(call).toMatchObject({ total_cost: 0, are_costs_complete: true });
    expect(call.costs.map(({ stage, basis }) => [stage, basis])).toEqual([
      ['carrier', 'built_in'],
      ['voice', 'built_in'],
    ]);
  });

  it('holds what the evaluation took, once, on top of the conversation', async () => {
    const llm_model = await createHostedModel(makeContext(database.db).ctx);
    const wanted = { post_call_evaluation: true, post_call_schema: SCHEMA };
    const about = await arrange(database.db, { ...wanted, llm_model });
    const { ctx, identity, clock } = about;
    const callId = await makeAnsweredCall(about);
    clock.advance(60_000);
    await finishCall(ctx, talkedEndOf(about, callId));
    const [model] = await listModels(ctx, identity);
    const models = [{ llm_model_id: model?.id, per_million_output_tokens: 10 }];
    await setPrices(ctx, identity, priceListBody.parse({ models }));
    const token = { stage: 'evaluation', name: 'A model', providerId: null, isEstimated: false } as const;
    const used = [{ ...token, llmModelId: model?.id, unit: 'output_token', quantity: 1234 } as const];
    const outcome = { unevaluatedBecause: 'invalid_answer', used } as const;
    await completeCall(ctx, callId, outcome);
    await completeCall(ctx, callId, outcome);
    const call = await findCall(ctx, identity, callId);
    expect(call.total_cost).toBe(0.01234);
    expect(call.costs.at(-1)).toMatchObject({ stage: 'evaluation', quantity: 1234, amount: 0.01234 });
    expect(call.costs.filter(({ stage }) => stage === 'evaluation')).toHaveLength(1);
  });

  it('is not complete where the process that held the call has died', async () => {
    const { ctx, identity, clock, ...about } = await setup();
    const callId = await makeAnsweredCall({ ...about, ctx, identity, clock });
    clock.advance(60_000);
    const { used: _used, ...end } = endOf({ ...about, ctx, identity, clock }, callId);
    await finishCall(ctx, end);
    const { costs } = await findCall(ctx, identity, callId);
    expect(costs.slice(1)).toMatchObject([
      { stage: 'model', quantity: null, basis: 'built_in' },
      { stage: 'voice', quantity: null, basis: 'built_in' },
    ]);
  });
});
