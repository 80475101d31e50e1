import { NumberPurchase, PhoneNumber, statement } from '@parley/db';
import { createTestUser, useTestDatabase } from '@parley/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { ACCOUNTS, arrangeCarrier, HurriedClock, waitingJobs } from '../../test/carriers.ts';
import { addCarrierAccount } from './accounts.ts';
import { purchaseNumber } from './purchase-number.ts';
import { searchCarrierNumbers } from './search-numbers.ts';
import { settlePurchase } from './settle-purchase.ts';

const database = useTestDatabase();
const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

const KINDS = [['twilio'], ['telnyx']] as const;
let made = 0;

async function setup(kind: 'twilio' | 'telnyx' = 'twilio', options: { isConnected?: boolean } = {}) {
  const clock = new HurriedClock(Date.now());
  const about = await arrangeCarrier(database.db, kind, { ...options, clock });
  undo.push(about.carrier.close);
  const phoneNumber = `+1312556${1000 + made++}`;
  about.carrier.world.sell(phoneNumber);
  const { ctx, identity, carrier } = about;
  const buy = (more: { max_monthly_price?: number } = {}) =>
    purchaseNumber(ctx, identity, { phone_number: phoneNumber, ...more });
  const purchase = () => ctx.db.em.findOne(NumberPurchase, { phoneNumber });
  const settle = async () => settlePurchase(ctx, (await purchase())?.id ?? 0);
  const owned = () => ctx.db.em.count(PhoneNumber, { phoneNumber });
  return { ...about, clock, world: carrier.world, phoneNumber, buy, purchase, settle, owned };
}

describe('a search', () => {
  test.each(KINDS)('at %s finds numbers with their prices', async (kind) => {
    const { ctx, identity, phoneNumber, accountId } = await setup(kind);
    const query = { country_code: 'us', area_code: '312', contains: '556' };
    expect(await searchCarrierNumbers(ctx, identity, query)).toMatchObject([
      {
        phone_number: phoneNumber,
        country_code: 'US',
        currency: 'USD',
        price: kind === 'twilio' ? 1.15 : 1,
        sms_capable: true,
        carrier_account_id: accountId,
      },
    ]);
  });

  test.each(KINDS)('at %s in a country without numbers finds none', async (kind) => {
    const { ctx, identity } = await setup(kind);
    expect(await searchCarrierNumbers(ctx, identity, { country_code: 'DE', type: 'mobile' })).toEqual([]);
  });

  test('without an account says what to do', async () => {
    const { ctx } = await setup();
    const { identity } = await createTestUser(ctx);
    await expect(searchCarrierNumbers(ctx, identity, {})).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('Add a Twilio or Telnyx account'),
    });
  });

  test('says how long to wait when the carrier limits requests', async () => {
    const { ctx, identity, world } = await setup();
    world.faults.push({ on: /AvailablePhoneNumbers/, how: 'rate-limit' });
    const expected = { kind: 'unavailable', retryAfterSeconds: 7 };
    await expect(searchCarrierNumbers(ctx, identity, {})).rejects.toMatchObject(expected);
  });
});

describe('a purchase', () => {
  test.each(KINDS)('at %s buys the number once, also when it is requested again', async (kind) => {
    const { buy, world, phoneNumber, accountId, purchase } = await setup(kind);
    const bought = await buy({ max_monthly_price: 2 });
    expect(bought).toMatchObject({
      phone_number: phoneNumber,
      carrier_account_id: accountId,
      type_label: 'Normal',
    });
    expect(await buy()).toEqual(bought);
    expect(world.purchases).toEqual([phoneNumber]);
    expect(await purchase()).toMatchObject({ state: 'bought', currency: 'USD' });
  });

  test.each(KINDS)('at %s whose answer is lost finds the number and buys nothing again', async (kind) => {
    const { buy, world, phoneNumber } = await setup(kind);
    const on = kind === 'twilio' ? /POST .*IncomingPhoneNumbers/ : /POST .*number_orders/;
    world.faults.push({ on, how: 'lose-answer' });
    expect(await buy()).toMatchObject({ phone_number: phoneNumber });
    expect(world.purchases).toEqual([phoneNumber]);
  });

  test('that the carrier confirms late is completed by the job, and nothing is bought meanwhile', async () => {
    const { buy, world, phoneNumber, settle, owned, ctx } = await setup('telnyx');
    world.orderLookups = 8;
    await expect(buy()).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 30 });
    await expect(buy()).rejects.toMatchObject({ kind: 'conflict' });
    expect(await waitingJobs(ctx.db, 'settle_purchase')).not.toEqual([]);
    await settle();
    expect(await owned()).toBe(0);
    await settle();
    await settle();
    expect(await owned()).toBe(1);
    await settle();
    expect(world.purchases).toEqual([phoneNumber]);
    expect(await buy()).toMatchObject({ phone_number: phoneNumber });
  });

  test('that was never carried out can be repeated when the carrier does not own the number for long', async () => {
    const { buy, world, phoneNumber, settle, purchase, clock } = await setup();
    world.faults.push({ on: /POST .*IncomingPhoneNumbers/, how: 'refuse' });
    await expect(buy()).rejects.toMatchObject({ kind: 'unavailable' });
    clock.advance(16 * 60_000);
    await settle();
    expect(await purchase()).toMatchObject({ state: 'failed' });
    expect(world.purchases).toEqual([]);
    await buy();
    expect(world.purchases).toEqual([phoneNumber]);
  });

  test('by many requests at once buys once', async () => {
    const { buy, world, phoneNumber } = await setup();
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => buy()));
    expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ kind: 'conflict' });
    expect(world.purchases).toEqual([phoneNumber]);
  });

  test('is imported and not bought when the account owns the number already', async () => {
    const { buy, world, phoneNumber } = await setup();
    world.buy(phoneNumber, `PN${world.nextId()}`);
    world.purchases = [];
    expect(await buy()).toMatchObject({ phone_number: phoneNumber });
    expect(world.purchases).toEqual([]);
  });

  test('that costs more than the user agreed to buys nothing and says the price', async () => {
    const { buy, world } = await setup();
    const text = expect.stringContaining('1.15 USD');
    await expect(buy({ max_monthly_price: 1.1 })).rejects.toMatchObject({
      fields: { max_monthly_price: [text] },
    });
    expect(world.purchases).toEqual([]);
    await buy({ max_monthly_price: 1.15 });
  });

  test('of a number that needs an address, or is not on sale, buys nothing', async () => {
    const { ctx, identity, world } = await setup();
    world.sell('+13125570001', { addressRequirements: 'local' });
    for (const phone_number of ['+13125570001', '+13125570002'])
      await expect(purchaseNumber(ctx, identity, { phone_number })).rejects.toMatchObject({
        fields: { phone_number: expect.anything() },
      });
    expect(world.purchases).toEqual([]);
  });

  test('needs an account that is connected', async () => {
    const { buy } = await setup('twilio', { isConnected: false });
    await expect(buy()).rejects.toMatchObject({ kind: 'conflict' });
  });

  test('above the maximum of numbers is refused before it costs money, also of two requests at once', async () => {
    const { ctx, identity, world, accountId, phoneNumber } = await setup();
    const fill = statement(
      '',
      `insert into phone_numbers (user_id, trunk_id, phone_number, country_code, type_label, carrier_account_id, created_at)
       select user_id, trunk_id, '+881' || (id * 10000 + number), 'US', 'Normal', id, created_at
       from carrier_accounts, generate_series(1, 9999) as number where id = $1`,
    );
    await ctx.db.query(fill, [accountId]);
    const other = `${phoneNumber.slice(0, 5)}7${phoneNumber.slice(6)}`;
    world.sell(other);
    const buy = (number: string) => purchaseNumber(ctx, identity, { phone_number: number });
    const results = await Promise.allSettled([buy(phoneNumber), buy(other)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(world.purchases).toHaveLength(1);
    await expect(buy(world.purchases[0] === other ? phoneNumber : other)).rejects.toMatchObject({
      fields: { phone_number: [expect.stringContaining('at most 10000 phone numbers')] },
    });
    expect(world.purchases).toHaveLength(1);
  });

  test('by a member on a shared account is refused', async () => {
    const { ctx, identity, world, phoneNumber } = await setup();
    const shared = await addCarrierAccount(ctx, identity, { ...ACCOUNTS.twilio, is_shared: true });
    const member = { ...(await createTestUser(ctx)).identity, role: 'member' as const };
    const bought = purchaseNumber(ctx, member, { phone_number: phoneNumber, carrier_account_id: shared.id });
    await expect(bought).rejects.toMatchObject({ kind: 'forbidden' });
    expect(world.purchases).toEqual([]);
  });
});
