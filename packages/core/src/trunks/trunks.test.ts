import {
  newNumberBody,
  newTrunkBody,
  ownNumberRecord,
  trunkChangesBody,
  trunkRecord,
} from '@parley/contracts';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import {
  arrange,
  freshNumber,
  makeAssistant,
  makeContext,
  makeTestLine,
  makeUser,
} from '../../test/arrange.ts';
import { makeCampaign } from '../../test/arrange-campaign.ts';
import { placeCall } from '../lifecycle/place-call.ts';
import { loadCallForVoice } from '../calls/load-call-for-voice.ts';
import type { Identity } from '../users/identity.ts';
import { addNumber, listOwnNumbers } from './phone-numbers.ts';
import { isAllowedHost } from './allowed-host.ts';
import { removeNumber, removeTrunk } from './remove-line.ts';
import { addTrunk, changeTrunk, listTrunks } from './trunks.ts';

const database = useTestDatabase();

async function setup() {
  const { ctx } = makeContext(database.db);
  const operator = await makeUser(ctx);
  const member: Identity = { ...(await makeUser(ctx)), role: 'member' };
  const trunk = (owner: Identity, fields: Record<string, unknown> = {}) =>
    addTrunk(ctx, owner, newTrunkBody.parse({ name: 'Carrier', host: 'sip.carrier.example', ...fields }));
  const change = (owner: Identity, id: number, fields: Record<string, unknown>) =>
    changeTrunk(ctx, owner, { ...trunkChangesBody.parse(fields), id });
  const number = (owner: Identity, trunkId: number, fields: Record<string, unknown> = {}) =>
    addNumber(
      ctx,
      owner,
      newNumberBody.parse({ phone_number: freshNumber(), sip_trunk_id: trunkId, ...fields }),
    );
  return { ctx, operator, member, trunk, change, number };
}

const FORBIDDEN = { kind: 'forbidden', message: 'This needs the role "operator".' };
const TRUNK_MISSING = { kind: 'not-found', message: 'SIP trunk not found' };
const NUMBER_MISSING = { kind: 'not-found', message: 'Phone number not found' };

describe('SIP trunks', () => {
  it('are written with a password that is sealed and never comes back', async () => {
    const { ctx, member, trunk, change } = await setup();
    const made = await trunk(member, {
      username: 'ada',
      password: 'a secret word',
      caller_number: '+1 202 555 0177',
      default_country: 'us',
      rtp_timeout_seconds: 60,
      dtmf: 'info',
      number_format: 'e164_without_plus',
      inbound_caller_source: 'p_asserted_identity',
      inbound_called_source: 'diversion',
      outbound_caller_header: 'p_preferred_identity',
      from_user: 'ada-7',
    });
    expect(trunkRecord.parse(made)).toMatchObject({
      host: 'sip.carrier.example',
      port: null,
      transport: 'udp',
      reach: 'any',
      username: 'ada',
      has_password: true,
      caller_number: '+12025550177',
      default_country: 'US',
      max_calls: null,
      max_cps: null,
      rtp_timeout_seconds: 60,
      dtmf: 'info',
      number_format: 'e164_without_plus',
      inbound_caller_source: 'p_asserted_identity',
      inbound_called_source: 'diversion',
      outbound_caller_header: 'p_preferred_identity',
      from_user: 'ada-7',
      health: { state: 'healthy', paused_until: null, first_success_at: null },
      is_test: false,
      is_shared: false,
    });
    const [row] = await ctx.db.query(
      statement<{ passwordSealed: string }>('', 'select * from trunks where id = $1'),
      [made.id],
    );
    expect(JSON.stringify(row)).not.toContain('secret word');
    expect(ctx.secretBox.open(row?.passwordSealed ?? '')).toBe('a secret word');
    expect(await change(member, made.id, { port: 5080 })).toEqual({ ...made, port: 5080 });
    expect(
      await change(member, made.id, { password: null, reach: 'fictional', rtp_timeout_seconds: null }),
    ).toMatchObject({
      has_password: false,
      rtp_timeout_seconds: null,
      reach: 'fictional',
      username: 'ada',
    });
  });

  it('have several hosts, a priority, and a user name for authentication', async () => {
    const { member, trunk, change } = await setup();
    const fields = { other_hosts: ['sip2.carrier.example:5070', '203.0.114.9'], priority: 10 };
    const account = { username: 'extension', auth_username: 'auth-id', password: 'secret' };
    const made = await trunk(member, { ...fields, ...account });
    expect(made).toMatchObject({ ...fields, auth_username: 'auth-id', port: null });
    expect(await change(member, made.id, { other_hosts: ['203.0.114.9'], port: 5080 })).toMatchObject({
      other_hosts: ['203.0.114.9'],
      port: 5080,
      priority: 10,
    });
    expect(await change(member, made.id, { port: null })).toMatchObject({ port: null });
  });

  it('send a stored password to no new host, and need an account for a user name of its own', async () => {
    const { member, trunk, change } = await setup();
    const made = await trunk(member, { username: 'ada', password: 'secret' });
    await expect(change(member, made.id, { other_hosts: ['sip.thief.example'] })).rejects.toMatchObject({
      kind: 'invalid',
      fields: { password: expect.anything() as unknown },
    });
    await expect(trunk(member, { other_hosts: ['10.0.0.7'] })).rejects.toMatchObject({
      fields: { other_hosts: expect.anything() as unknown },
    });
    await expect(trunk(member, { auth_username: 'auth-id' })).rejects.toMatchObject({
      fields: { username: expect.anything() as unknown },
    });
  });

  it('numbers in their national form need the country of the trunk', async () => {
    const { member, trunk, change } = await setup();
    const missing = {
      kind: 'invalid',
      fields: { default_country: ['The default country field is required when number format is national.'] },
    };
    await expect(trunk(member, { number_format: 'national' })).rejects.toMatchObject(missing);
    const made = await trunk(member, { number_format: 'national', default_country: 'de' });
    expect(made).toMatchObject({ number_format: 'national', default_country: 'DE' });
    await expect(change(member, made.id, { default_country: null })).rejects.toMatchObject(missing);
  });

  it('over TLS verify, and may encrypt the audio', async () => {
    const { member, trunk, change } = await setup();
    const made = await trunk(member, { transport: 'tls', media_encryption: 'required' });
    const secure = { transport: 'tls', tls_verify: true, media_encryption: 'required' };
    expect(made).toMatchObject({ ...secure, port: null });
    expect(await trunk(member, { transport: 'tls', port: 5060 })).toMatchObject({ port: 5060 });
    expect(await change(member, made.id, { tls_verify: false })).toMatchObject({
      ...secure,
      tls_verify: false,
    });
  });

  it('without TLS neither encrypt nor verify, also after a change of the transport', async () => {
    const { member, trunk, change } = await setup();
    const fault = (attribute: string) => [`The ${attribute} can only be set when the transport is tls.`];
    await expect(trunk(member, { transport: 'tcp', media_encryption: 'required' })).rejects.toMatchObject({
      kind: 'invalid',
      fields: { media_encryption: fault('media encryption') },
    });
    const { id } = await trunk(member, { transport: 'tls', media_encryption: 'required', tls_verify: false });
    await expect(change(member, id, { transport: 'udp' })).rejects.toMatchObject({
      fields: { media_encryption: fault('media encryption'), tls_verify: fault('tls verify') },
    });
    const plain = { transport: 'udp', media_encryption: 'none', tls_verify: true } as const;
    expect(await change(member, id, plain)).toMatchObject(plain);
  });

  it('codecs keep the order of their setting, which a change replaces', async () => {
    const { member, trunk, change } = await setup();
    expect(await trunk(member, {})).toMatchObject({ codecs: [] });
    const { id, codecs } = await trunk(member, { codecs: ['opus', 'pcmu', 'g722'] });
    expect(codecs).toEqual(['opus', 'pcmu', 'g722']);
    expect(await change(member, id, { name: 'Renamed' })).toMatchObject({ codecs });
    expect(await change(member, id, { codecs: ['pcma'] })).toMatchObject({ codecs: ['pcma'] });
    expect(await change(member, id, { codecs: [] })).toMatchObject({ codecs: [] });
  });

  it('a new host needs the password again, so that a stored one is never sent elsewhere', async () => {
    const { ctx, member, trunk, change } = await setup();
    const { id } = await trunk(member, { username: 'ada', password: 'for the first' });
    await expect(change(member, id, { host: 'evil.example' })).rejects.toMatchObject({
      kind: 'invalid',
      fields: { password: ['The password field is required when the host changes.'] },
    });
    expect(await change(member, id, { host: 'SIP.carrier.example' })).toMatchObject({ has_password: true });
    await change(member, id, { host: 'other.example', password: 'for the second' });
    const [row] = await ctx.db.query(
      statement<{ passwordSealed: string }>('', 'select password_sealed from trunks where id = $1'),
      [id],
    );
    expect(ctx.secretBox.open(row?.passwordSealed ?? '')).toBe('for the second');
    const moved = await change(member, id, { host: 'third.example', password: null });
    expect(moved).toMatchObject({ host: 'third.example', has_password: false });
    await expect(change(member, id, { host: 'fourth.example' })).resolves.toMatchObject({ username: 'ada' });
  });

  it('a line is opened with the password for voice', async () => {
    const { ctx, member, trunk } = await setup();
    const fields = { outbound_caller_header: 'p_asserted_identity', from_user: 'ada' };
    const { id } = await trunk(member, { username: 'ada', password: 'pw', ...fields });
    const assistant = await makeAssistant(ctx, member);
    const { callId } = await placeCall(ctx, member, {
      phoneNumber: '+4915123456789',
      assistantId: assistant.id,
    });
    expect((await loadCallForVoice(ctx, callId)).trunk).toMatchObject({
      id,
      username: 'ada',
      password: 'pw',
      outboundCallerHeader: 'p_asserted_identity',
      fromUser: 'ada',
    });
    await expect(removeTrunk(ctx, member, id)).rejects.toMatchObject({
      kind: 'conflict',
      message: 'This SIP trunk is carrying a call.',
    });
  });

  it('a member sees shared trunks without their address and user name, and no trunks of other members', async () => {
    const { ctx, operator, member, trunk } = await setup();
    const shared = await trunk(operator, { username: 'shared', from_user: 'account', is_shared: true });
    const own = await trunk(operator);
    const seen = await listTrunks(ctx, member);
    expect(seen.find(({ id }) => id === shared.id)).toEqual({
      ...shared,
      host: null,
      username: null,
      from_user: null,
      sip_address: null,
      sip_username: null,
    });
    expect(seen.map(({ id }) => id)).not.toContain(own.id);
    expect(await listTrunks(ctx, operator)).toContainEqual(shared);
  });

  it('members neither share nor change what is shared', async () => {
    const { ctx, operator, member, trunk, change } = await setup();
    const { id } = await trunk(operator, { is_shared: true });
    await expect(trunk(member, { is_shared: true })).rejects.toMatchObject(FORBIDDEN);
    await expect(change(member, id, { host: 'evil.example' })).rejects.toMatchObject(FORBIDDEN);
    await expect(removeTrunk(ctx, member, id)).rejects.toMatchObject(FORBIDDEN);
  });

  it('the limits of calls and costs are set by operators; members send back what they have read', async () => {
    const { ctx, operator, member, trunk, change } = await setup();
    const none = { max_calls_per_second: null, max_calls_per_day: null, max_cost_per_day: null };
    const limits = { max_calls_per_second: 2, max_calls_per_day: 30, max_cost_per_day: 4.5 };
    const shared = await trunk(operator, { is_shared: true, max_calls_per_day: 50 });
    expect(shared).toMatchObject({ ...none, max_calls_per_day: 50 });
    expect(await change(operator, shared.id, limits)).toMatchObject(limits);
    expect(await change(operator, shared.id, { name: 'Other' })).toMatchObject(limits);
    expect(await change(operator, shared.id, none)).toMatchObject(none);
    for (const limit of Object.entries(limits))
      await expect(trunk(member, Object.fromEntries([limit]))).rejects.toMatchObject(FORBIDDEN);
    const own = await trunk(member, none);
    const raise = statement('', 'update trunks set max_calls_per_day = 10 where id = $1');
    await ctx.db.query(raise, [own.id]);
    for (const limit of [null, 11])
      await expect(change(member, own.id, { max_calls_per_day: limit })).rejects.toMatchObject(FORBIDDEN);
    const same = { ...none, max_calls_per_day: 10, port: 5070 };
    expect(await change(member, own.id, same)).toMatchObject(same);
  });

  it("another user's trunk is treated as missing, also for operators", async () => {
    const { ctx, operator, member, trunk, change } = await setup();
    const { id } = await trunk(member);
    for (const target of [id, 999_999]) {
      await expect(change(operator, target, { name: 'x' })).rejects.toMatchObject(TRUNK_MISSING);
      await expect(removeTrunk(ctx, operator, target)).rejects.toMatchObject(TRUNK_MISSING);
    }
  });

  it('the test line is seen, and stays as it is', async () => {
    const { ctx, operator, change } = await setup();
    const id = await makeTestLine(ctx, operator.userId);
    const message = 'The test line is built in: it can be neither changed nor removed.';
    expect((await listTrunks(ctx, operator)).find((line) => line.id === id)?.is_test).toBe(true);
    await expect(change(operator, id, { reach: 'any' })).rejects.toMatchObject({ kind: 'conflict', message });
    await expect(removeTrunk(ctx, operator, id)).rejects.toMatchObject({ kind: 'conflict', message });
  });

  it('one with numbers is kept; without them it goes', async () => {
    const { ctx, member, trunk, number } = await setup();
    const { id } = await trunk(member);
    const { id: numberId } = await number(member, id);
    await expect(removeTrunk(ctx, member, id)).rejects.toMatchObject({
      message: 'This SIP trunk still has phone numbers. Remove them first.',
    });
    await removeNumber(ctx, member, numberId);
    await removeTrunk(ctx, member, id);
    expect((await listTrunks(ctx, member)).map((line) => line.id)).not.toContain(id);
  });

  it.each([
    ['none', '10.0.0.5', false],
    ['loopback', '10.0.0.5', false],
    ['loopback', '127.0.0.1', true],
    ['loopback', 'localhost', true],
    ['all', '10.0.0.5', true],
    ['all', 'pbx', true],
  ] as const)('with TRUNK_ALLOW_PRIVATE=%s a member may enter %s: %s', async (allowed, host, isAllowed) => {
    const { ctx, member } = await setup();
    const input = newTrunkBody.parse({ name: 'Own', host });
    const made = addTrunk({ ...ctx, allowPrivateTrunks: allowed }, member, input);
    if (isAllowed) await expect(made).resolves.toMatchObject({ host });
    else await expect(made).rejects.toMatchObject({ fields: { host: ['The selected host is invalid.'] } });
  });

  it.each([
    ['127.0.0.1', false],
    ['10.1.2.3', false],
    ['169.254.169.254', false],
    ['::1', false],
    ['::ffff:10.0.0.1', false],
    ['fd00::1', false],
    ['localhost', false],
    ['pbx', false],
    ['pbx.internal', false],
    ['8.8.8.8', true],
    ['2606:4700::1111', true],
    ['sip.carrier.example', true],
  ])('a member may lead calls to %s: %s', async (host, isAllowed) => {
    expect(isAllowedHost(host, 'none')).toBe(isAllowed);
    const { member, operator, trunk } = await setup();
    await expect(trunk(operator, { host })).resolves.toMatchObject({ host });
    const made = trunk(member, { host });
    if (isAllowed) await expect(made).resolves.toMatchObject({ host });
    else await expect(made).rejects.toMatchObject({ fields: { host: ['The selected host is invalid.'] } });
  });
});

describe('phone numbers', () => {
  it('are read as people write them and stored as E.164 with their country', async () => {
    const { ctx, member, trunk, number } = await setup();
    const { id } = await trunk(member);
    const made = await number(member, id, { phone_number: '+49 (151) 234-56789' });
    expect(ownNumberRecord.parse(made)).toMatchObject({
      phone_number: '+4915123456789',
      country_code: 'DE',
      type_label: 'SIP',
      is_available: true,
      sip_trunk_id: id,
      user_id: member.userId,
      assistants: [],
    });
    expect(await listOwnNumbers(ctx, member)).toEqual([made]);
  });

  it.each([
    ['+12025550100', 'US'],
    ['+1 800 555 0100', 'US'],
    ['+44 20 7946 0000', 'GB'],
    ['+800 1234 5678', 'ZZ'],
  ])('%s is a number of %s', async (text, country) => {
    const { member, trunk, number } = await setup();
    const { id } = await trunk(member);
    expect((await number(member, id, { phone_number: text })).country_code).toBe(country);
  });

  it('one that cannot be, is taken, or has no trunk is refused at its field', async () => {
    const { operator, member, trunk, number } = await setup();
    const { id } = await trunk(member);
    const { id: foreign } = await trunk(operator);
    const { phone_number: taken } = await number(member, id);
    const refusals: [Record<string, unknown>, Record<string, string[]>][] = [
      [{ phone_number: '123' }, { phone_number: ['Invalid phone number'] }],
      [{ phone_number: taken }, { phone_number: ['The phone number has already been taken.'] }],
      [{ sip_trunk_id: 999_999 }, { sip_trunk_id: ['The selected sip trunk id is invalid.'] }],
      [{ sip_trunk_id: foreign }, { sip_trunk_id: ['The selected sip trunk id is invalid.'] }],
    ];
    for (const [fields, expected] of refusals) {
      await expect(number(member, id, fields)).rejects.toMatchObject({ kind: 'invalid', fields: expected });
    }
  });

  it('on a shared trunk are handed out by operators only', async () => {
    const { ctx, operator, member, trunk, number } = await setup();
    const { id } = await trunk(operator, { is_shared: true });
    await expect(number(member, id)).rejects.toMatchObject(FORBIDDEN);
    await expect(number(member, id, { user_id: operator.userId })).rejects.toMatchObject(FORBIDDEN);
    const given = await number(operator, id, { user_id: member.userId });
    expect(await listOwnNumbers(ctx, member)).toEqual([given]);
    expect(await listOwnNumbers(ctx, operator, member.userId)).toEqual([given]);
    await expect(listOwnNumbers(ctx, member, operator.userId)).rejects.toMatchObject(FORBIDDEN);
    await expect(number(operator, id, { user_id: 999_999 })).rejects.toMatchObject({
      fields: { user_id: ['The selected user id is invalid.'] },
    });
    await removeNumber(ctx, operator, given.id);
    expect(await listOwnNumbers(ctx, member)).toEqual([]);
  });

  it('one in use is kept, and says by whom', async () => {
    const { ctx, member, trunk, number } = await setup();
    const { id: trunkId } = await trunk(member);
    const { id } = await number(member, trunkId);
    const inbound = { phone_number_id: id, calls_direction: 'receive', assistant_name: 'Reception' };
    await makeAssistant(ctx, member, inbound);
    expect((await listOwnNumbers(ctx, member))[0]).toMatchObject({
      is_available: false,
      assistants: [{ name: 'Reception' }],
    });
    await expect(removeNumber(ctx, member, id)).rejects.toMatchObject({
      kind: 'conflict',
      message: 'This phone number is assigned to the assistant "Reception".',
    });
  });

  it('one that a campaign shows is kept too', async () => {
    const about = await arrange(database.db);
    const { ctx, identity } = about;
    const line = await addTrunk(ctx, identity, newTrunkBody.parse({ name: 'Line', host: 'x.example' }));
    const input = newNumberBody.parse({ phone_number: freshNumber(), sip_trunk_id: line.id });
    const { id } = await addNumber(ctx, identity, input);
    await makeCampaign(about, { phoneNumberIds: [id] });
    await expect(removeNumber(ctx, identity, id)).rejects.toMatchObject({
      kind: 'conflict',
      message: 'This phone number is assigned to the campaign "Spring".',
    });
  });

  it("another user's trunk is treated as missing", async () => {
    const { ctx, operator, member, trunk, number } = await setup();
    const { id } = await number(member, (await trunk(member)).id);
    for (const target of [id, 999_999]) {
      await expect(removeNumber(ctx, operator, target)).rejects.toMatchObject(NUMBER_MISSING);
    }
  });
});
