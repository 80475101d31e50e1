import { CarrierAccount, statement, Trunk } from '@parley/db';
import {
  createTestContext,
  createTestUser,
  startTelnyx,
  startTwilio,
  useTestDatabase,
} from '@parley/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { ACCOUNTS, arrangeCarrier } from '../../test/carriers.ts';
import { addNumber } from '../trunks/phone-numbers.ts';
import { importCarrierNumbers, listCarrierNumbers } from './account-numbers.ts';
import {
  addCarrierAccount,
  changeCarrierAccount,
  listCarrierAccounts,
  removeCarrierAccount,
} from './accounts.ts';
import { connectCarrierAccount } from './connect-account.ts';

const database = useTestDatabase();
const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

const KINDS = [['twilio'], ['telnyx']] as const;
const SIP = 'sip.parley.example:5060';

async function setup(kind: 'twilio' | 'telnyx', options: { isConnected?: boolean } = {}) {
  const about = await arrangeCarrier(database.db, kind, options);
  undo.push(about.carrier.close);
  const member = { ...(await createTestUser(about.ctx)).identity, role: 'member' as const };
  return { ...about, member };
}

describe('a carrier account', () => {
  test.each(KINDS)('of %s is stored with a sealed secret that no answer contains', async (kind) => {
    const { ctx, identity } = await setup(kind, { isConnected: false });
    const [record] = await listCarrierAccounts(ctx, identity);
    expect(record).toMatchObject({ name: 'Main', kind, is_connected: false, is_shared: false });
    expect(JSON.stringify(record)).not.toContain(ACCOUNTS[kind].secret);
  });

  test.each(KINDS)('of %s with a wrong secret is refused at the secret', async (kind) => {
    const simulator = await (kind === 'twilio' ? startTwilio() : startTelnyx());
    undo.push(simulator.close);
    const ctx = createTestContext(database.db, { carrierUrls: { [kind]: simulator.url } });
    const { identity } = await createTestUser(ctx);
    const added = addCarrierAccount(ctx, identity, { ...ACCOUNTS[kind], secret: 'wrong' });
    await expect(added).rejects.toMatchObject({
      kind: 'invalid',
      fields: { secret: [expect.stringContaining('refuses these credentials')] },
    });
    expect(await listCarrierAccounts(ctx, identity)).toEqual([]);
  });

  test('is refused when it is suspended', async () => {
    const { ctx, identity, carrier, accountId } = await setup('twilio', { isConnected: false });
    carrier.world.accountStatus = 'suspended';
    const changed = changeCarrierAccount(ctx, identity, { id: accountId, secret: ACCOUNTS.twilio.secret });
    await expect(changed).rejects.toMatchObject({
      fields: { secret: [expect.stringContaining('suspended')] },
    });
  });

  test('is not stored while the carrier cannot say whether its credentials are right', async () => {
    const { ctx, identity, carrier } = await setup('twilio', { isConnected: false });
    carrier.world.faults.push({ on: /./, how: 'fail' });
    await expect(addCarrierAccount(ctx, identity, ACCOUNTS.twilio)).rejects.toMatchObject({
      kind: 'unavailable',
    });
    expect(await listCarrierAccounts(ctx, identity)).toHaveLength(1);
  });

  test('is refused above the maximum of a user, also of many requests at once', async () => {
    const { ctx, identity } = await setup('twilio', { isConnected: false });
    const copy = statement(
      '',
      `insert into carrier_accounts (user_id, name, kind, account_sid, secret_sealed, tag, created_at)
       select user_id, name, kind, account_sid, secret_sealed, tag, created_at
       from carrier_accounts, generate_series(1, 17) where user_id = $1`,
    );
    await ctx.db.query(copy, [identity.userId]);
    const add = () => addCarrierAccount(ctx, identity, ACCOUNTS.twilio);
    const added = await Promise.allSettled(Array.from({ length: 6 }, add));
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await ctx.db.em.count(CarrierAccount, { userId: identity.userId })).toBe(20);
    await expect(add()).rejects.toMatchObject({ kind: 'conflict' });
  });

  test('of another user does not exist', async () => {
    const { ctx, member, accountId } = await setup('twilio');
    expect(await listCarrierAccounts(ctx, member)).toEqual([]);
    const missing = { kind: 'not-found' };
    await expect(changeCarrierAccount(ctx, member, { id: accountId, name: 'Mine' })).rejects.toMatchObject(
      missing,
    );
    await expect(removeCarrierAccount(ctx, member, accountId)).rejects.toMatchObject(missing);
    await expect(listCarrierNumbers(ctx, member, accountId)).rejects.toMatchObject(missing);
    const connected = connectCarrierAccount(ctx, member, { id: accountId, sipAddress: SIP });
    await expect(connected).rejects.toMatchObject(missing);
  });

  test('that is shared is changed by operators only, and hides its SID from members', async () => {
    const { ctx, identity, member } = await setup('twilio', { isConnected: false });
    const shared = await addCarrierAccount(ctx, identity, { ...ACCOUNTS.twilio, is_shared: true });
    expect((await listCarrierAccounts(ctx, member)).map(({ id }) => id)).toContain(shared.id);
    const [seen] = (await listCarrierAccounts(ctx, member)).filter(({ id }) => id === shared.id);
    expect(seen).toMatchObject({ account_sid: null });
    await expect(listCarrierNumbers(ctx, member, shared.id)).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(
      addCarrierAccount(ctx, member, { ...ACCOUNTS.twilio, is_shared: true }),
    ).rejects.toMatchObject({ kind: 'forbidden' });
    await removeCarrierAccount(ctx, identity, shared.id);
  });
});

describe('connecting an account', () => {
  test.each(KINDS)('of %s sets up a SIP trunk whose password is the one at the carrier', async (kind) => {
    const { ctx, identity, carrier } = await setup(kind);
    const [account] = await listCarrierAccounts(ctx, identity);
    expect(account?.is_connected).toBe(true);
    const trunk = await ctx.db.em.findOneOrFail(Trunk, { id: account?.sip_trunk_id ?? 0 });
    expect(trunk).toMatchObject({ reach: 'any', registers: kind === 'telnyx', userId: identity.userId });
    if (kind === 'telnyx') {
      const [connection] = carrier.world.list('/v2/credential_connections');
      expect(connection).toMatchObject({
        user_name: trunk.username,
        password: ctx.secretBox.open(trunk.passwordSealed ?? ''),
      });
      return;
    }
    const [made] = carrier.world.list('/v1/Trunks');
    expect(trunk.host).toBe(made?.['domain_name']);
    const urls = carrier.world.list(`/v1/Trunks/${String(made?.['sid'])}/OriginationUrls`);
    expect(urls).toMatchObject([{ sip_url: `sip:${SIP}`, enabled: true }]);
  });

  test.each(KINDS)('of %s a second time uses what exists again', async (kind) => {
    const { ctx, identity, carrier, accountId } = await setup(kind);
    const before = await listCarrierAccounts(ctx, identity);
    const counts = () => [...carrier.world.resources.values()].map((entries) => entries.length);
    const made = counts();
    await connectCarrierAccount(ctx, identity, { id: accountId, sipAddress: SIP });
    expect(counts()).toEqual(made);
    expect(await listCarrierAccounts(ctx, identity)).toEqual(before);
  });

  test.each([
    ['twilio', /POST .*Trunks$/],
    ['twilio', /POST .*CredentialLists\.json/],
    ['twilio', /POST .*Credentials\.json/],
    ['twilio', /POST .*CredentialLists$/],
    ['twilio', /POST .*OriginationUrls/],
    ['telnyx', /POST .*outbound_voice_profiles/],
    ['telnyx', /POST .*messaging_profiles/],
    ['telnyx', /POST .*credential_connections/],
  ] as const)('of %s whose answer to %s is lost is continued', async (kind, on) => {
    const { ctx, identity, carrier, accountId } = await setup(kind, { isConnected: false });
    carrier.world.faults.push({ on, how: 'lose-answer' });
    const first = connectCarrierAccount(ctx, identity, { id: accountId, sipAddress: SIP });
    await expect(first).rejects.toMatchObject({ kind: 'unavailable' });
    const second = await connectCarrierAccount(ctx, identity, { id: accountId, sipAddress: SIP });
    expect(second.is_connected).toBe(true);
    for (const entries of carrier.world.resources.values()) expect(entries).toHaveLength(1);
  });

  test('of Twilio needs the address of this installation', async () => {
    const { ctx, identity, accountId } = await setup('twilio', { isConnected: false });
    const connected = connectCarrierAccount(ctx, identity, { id: accountId, sipAddress: null });
    await expect(connected).rejects.toMatchObject({
      kind: 'invalid',
      fields: { sip_address: expect.anything() },
    });
  });
});

describe('numbers that the account owns', () => {
  test.each(KINDS)('are listed from %s, page by page, and imported with their trunk', async (kind) => {
    const { ctx, identity, carrier, accountId } = await setup(kind);
    const area = kind === 'twilio' ? '+1312555' : '+1217555';
    for (let index = 0; index < 250; index++)
      carrier.world.own(
        `${area}${1000 + index}`,
        kind === 'twilio' ? `PN${carrier.world.nextId()}` : `n${index}`,
      );
    expect(await listCarrierNumbers(ctx, identity, accountId)).toHaveLength(250);
    const phoneNumber = `${area}1240`;
    const input = { accountId, phone_numbers: [phoneNumber, phoneNumber] };
    const imported = await importCarrierNumbers(ctx, identity, input);
    expect(imported).toMatchObject([
      { phone_number: phoneNumber, carrier_account_id: accountId, sms_capable: true },
    ]);
    expect(carrier.world.owned.find((number) => number.phoneNumber === phoneNumber)?.trunkRef).not.toBeNull();
    expect(await importCarrierNumbers(ctx, identity, input)).toEqual(imported);
    const listed = await listCarrierNumbers(ctx, identity, accountId);
    expect(listed.filter((number) => number.is_imported)).toMatchObject([{ phone_number: phoneNumber }]);
    await expect(removeCarrierAccount(ctx, identity, accountId)).rejects.toMatchObject({ kind: 'conflict' });
  });

  test('that are not the account’s are refused, and so are those of a trunk that was added by hand', async () => {
    const { ctx, identity, carrier, accountId } = await setup('twilio');
    const refused = importCarrierNumbers(ctx, identity, { accountId, phone_numbers: ['+13125552000'] });
    await expect(refused).rejects.toMatchObject({ fields: { 'phone_numbers.0': expect.anything() } });
    carrier.world.own('+13125552001', `PN${carrier.world.nextId()}`);
    const [trunk] = await ctx.db.em.find(Trunk, { userId: identity.userId });
    const byHand = { phone_number: '+13125552001', sip_trunk_id: trunk?.id ?? 0, type_label: 'SIP' as const };
    await addNumber(ctx, identity, byHand);
    const taken = importCarrierNumbers(ctx, identity, { accountId, phone_numbers: ['+13125552001'] });
    await expect(taken).rejects.toMatchObject({ kind: 'invalid' });
  });

  test('are not imported before the account is connected', async () => {
    const { ctx, identity, accountId } = await setup('twilio', { isConnected: false });
    const early = importCarrierNumbers(ctx, identity, { accountId, phone_numbers: ['+13125552002'] });
    await expect(early).rejects.toMatchObject({ kind: 'conflict' });
  });
});
