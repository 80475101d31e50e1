import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { arrangeCarrier, makeCallOnCarrier } from '../../test/arrange-carrier.ts';
import {
  askToDial,
  campaignStatus,
  leadState,
  liveDials,
  makeCampaign,
  makeLead,
} from '../../test/arrange-campaign.ts';
import { freshNumber, makeTestLine, makeUser } from '../../test/arrange.ts';
import { BLOCKED_NUMBERS, SCAM_NUMBERS } from '../../test/fraud-numbers.ts';
import { fillCampaign } from '../dialing/fill-campaign.ts';
import { changeDialPolicy } from '../fraud-protection/dial-policy.ts';
import { explainLead } from '../leads/explain-lead.ts';
import { addTrunk } from '../trunks/trunks.ts';
import type { Identity } from '../users/identity.ts';
import { authorizeBridge } from './authorize-bridge.ts';
import { authorizeTransfer } from './authorize-transfer.ts';
import { placeCall } from './place-call.ts';

const database = useTestDatabase();
const countCalls = statement<{ calls: number }>('', 'select count(*) as calls from calls where user_id = $1');

const FRAUD_NUMBERS = [
  ...BLOCKED_NUMBERS.map(([, number]) => number),
  ...SCAM_NUMBERS.map(([, number]) => number),
];
const GERMAN = '+4915123456789';
const JAMAICAN = '+18763551234';
const PREMIUM = '+499001123456';

async function setup(assistantFields: Record<string, unknown> = {}) {
  const about = await arrangeCarrier(database.db, assistantFields);
  const { ctx, identity, assistant } = about;
  return {
    ...about,
    place: (phoneNumber: string) => placeCall(ctx, identity, { phoneNumber, assistantId: assistant.id }),
    allow: (allowed_countries: string[] | null) => changeDialPolicy(ctx, identity, { allowed_countries }),
  };
}

const refusal = (text: string) => ({ kind: 'invalid', fields: { phone_number: [text] } });
const notAllowed = (country: string) =>
  refusal(
    `Calls to ${country} are not allowed. An operator can allow the country under "Fraud protection" in the admin app.`,
  );
const blocked = (kind: string) =>
  refusal(
    `Calls to ${kind} are blocked. An operator can allow them under "Fraud protection" in the admin app.`,
  );

describe('make_call', () => {
  it('refuses every number of the deny list and every country of callback scams, and writes no call', async () => {
    const { ctx, identity, place } = await setup();
    expect(FRAUD_NUMBERS.length).toBeGreaterThanOrEqual(26);
    for (const phoneNumber of FRAUD_NUMBERS)
      await expect(place(phoneNumber), phoneNumber).rejects.toMatchObject({ kind: 'invalid' });
    expect(await ctx.db.query(countCalls, [identity.userId])).toEqual([{ calls: 0 }]);
  });

  it('names the country or the kind of number, and the setting', async () => {
    const { place } = await setup();
    await expect(place(JAMAICAN)).rejects.toMatchObject(notAllowed('Jamaica (JM)'));
    await expect(place(PREMIUM)).rejects.toMatchObject(blocked('premium-rate numbers'));
    await expect(place('+881612345678')).rejects.toMatchObject(blocked('satellite phones'));
  });

  it('dials ordinary countries while the operator has set nothing and has no number', async () => {
    const { place } = await setup();
    for (const phoneNumber of [GERMAN, '+15551234567', '+447911123456', '+919876543210'])
      await expect(place(phoneNumber), phoneNumber).resolves.toBeDefined();
  });

  it('dials only the countries of the operator’s own numbers once there are any', async () => {
    const { place, addOwnNumber } = await setup();
    await addOwnNumber('+4930123456');
    await expect(place(GERMAN)).resolves.toBeDefined();
    await expect(place('+33612345678')).rejects.toMatchObject(notAllowed('France (FR)'));
    await expect(place('+12024561111')).rejects.toMatchObject(notAllowed('United States (US)'));
    await addOwnNumber('+33187654321');
    await expect(place('+33612345678')).resolves.toBeDefined();
  });

  it('a number of a member on a trunk of the member does not widen the list', async () => {
    const { ctx, place, addOwnNumber } = await setup();
    await addOwnNumber('+4930123456');
    const member: Identity = { ...(await makeUser(ctx)), role: 'member' };
    await ctx.db.query(statement('', `update users set role = 'member' where id = $1`), [member.userId]);
    const trunk = {
      name: 'Own',
      host: 'sip.carrier.example',
      port: 5060,
      transport: 'udp',
      tls_verify: true,
      media_encryption: 'none',
      reach: 'any',
      dtmf: 'auto',
      number_format: 'e164',
      inbound_caller_source: 'from',
      inbound_called_source: 'request_uri',
      outbound_caller_header: 'from',
      incoming_refer: 'refused',
      registers: false,
      register_expires: 300,
    } as const;
    const { id: trunkId } = await addTrunk(ctx, member, {
      ...trunk,
      other_hosts: [],
      codecs: [],
      priority: 50,
      is_shared: false,
    });
    await addOwnNumber('+33187654321', { owner: member, trunkId });
    await expect(place('+33612345678')).rejects.toMatchObject(notAllowed('France (FR)'));
  });

  it('follows the operator’s list, whatever the numbers are', async () => {
    const { place, addOwnNumber, allow } = await setup();
    await addOwnNumber('+4930123456');
    await allow(['jm', 'FR']);
    await expect(place(JAMAICAN)).resolves.toBeDefined();
    await expect(place(GERMAN)).rejects.toMatchObject(notAllowed('Germany (DE)'));
  });

  it('dials kinds of numbers that the operator has allowed', async () => {
    const { ctx, identity, place } = await setup();
    await changeDialPolicy(ctx, identity, { blocked_number_types: ['satellite'] });
    await expect(place(PREMIUM)).resolves.toBeDefined();
    await expect(place('+881612345678')).rejects.toMatchObject(blocked('satellite phones'));
    await changeDialPolicy(ctx, identity, { blocked_number_types: ['satellite', 'premium'] });
  });

  it('test phones ring whatever the settings are, because no carrier is involved', async () => {
    const about = await setup();
    await makeTestLine(about.ctx, about.identity.userId);
    await about.allow([]);
    const { callId } = await about.place(freshNumber());
    expect(await askToDial(about, callId)).toEqual({ isAllowed: true });
  });
});

describe('the last check before the INVITE', () => {
  it.each([
    ['country_not_allowed', GERMAN, { allowed_countries: ['FR'] }],
    ['number_type_blocked', PREMIUM, { blocked_number_types: ['premium' as const] }],
  ])('sees a setting that changed after the call was placed: %s', async (reason, phoneNumber, change) => {
    const about = await setup();
    const { ctx, identity, place } = about;
    await changeDialPolicy(ctx, identity, { blocked_number_types: [] });
    const { callId } = await place(phoneNumber);
    await changeDialPolicy(ctx, identity, change);
    expect(await askToDial(about, callId)).toEqual({ isAllowed: false, reason });
  });
});

it('without a policy every call is refused, and the error says what is missing', async () => {
  const { ctx, place } = await setup();
  const kept = await ctx.db.query(
    statement<{ policy: string }>('', 'select p::text as policy from dial_policy p'),
  );
  await ctx.db.query(statement('', 'delete from dial_policy'));
  onTestFinished(async () => {
    const restore = statement('', 'insert into dial_policy select (($1::text)::dial_policy).*');
    await ctx.db.query(restore, [kept[0]?.policy ?? '']);
  });
  await expect(place(GERMAN)).rejects.toThrow('The destination policy is missing');
});

describe('campaigns', () => {
  it('block leads with such numbers, call their other contacts, and end', async () => {
    const about = await setup();
    const { ctx } = about;
    const campaignId = await makeCampaign(about, { maxCallsInParallel: 100 });
    const leads = [];
    for (const phoneNumber of FRAUD_NUMBERS) leads.push(await makeLead(about, campaignId, { phoneNumber }));
    await fillCampaign(ctx, { campaignId });
    expect(await liveDials(about, campaignId)).toEqual([]);
    for (const { id } of leads)
      expect(await leadState(about, id)).toMatchObject({ dialState: 'blocked', readyAt: null });
    expect(await campaignStatus(about, campaignId)).toBe('completed');
  });

  it('say why in the explanation of the lead', async () => {
    const about = await setup();
    const campaignId = await makeCampaign(about);
    const { id } = await makeLead(about, campaignId, { phoneNumber: PREMIUM });
    expect((await explainLead(about.ctx, about.identity, id)).now).toMatchObject({
      decision: 'never',
      reason: 'number_type_blocked',
    });
  });

  it('pass over a refused number of a lead and call its contact', async () => {
    const about = await setup();
    const campaignId = await makeCampaign(about);
    await makeLead(about, campaignId, { phoneNumber: JAMAICAN, contacts: [GERMAN] });
    await fillCampaign(about.ctx, { campaignId });
    expect(await liveDials(about, campaignId)).toMatchObject([{ clientPhoneNumber: GERMAN }]);
  });

  it('call leads again that a change of the settings allows', async () => {
    const about = await setup();
    const campaignId = await makeCampaign(about, { isCompletedWithoutLeads: false });
    const { id } = await makeLead(about, campaignId, { phoneNumber: JAMAICAN });
    await fillCampaign(about.ctx, { campaignId });
    expect(await leadState(about, id)).toMatchObject({
      dialState: 'blocked',
      dialReason: 'country_not_allowed',
    });
    await about.allow(['JM']);
    await fillCampaign(about.ctx, { campaignId });
    expect(await liveDials(about, campaignId)).toMatchObject([{ clientPhoneNumber: JAMAICAN }]);
  });

  it('call leads again in the country of a number that the operator adds', async () => {
    const about = await setup();
    await about.addOwnNumber('+4930123456');
    const campaignId = await makeCampaign(about, { isCompletedWithoutLeads: false });
    const { id } = await makeLead(about, campaignId, { phoneNumber: '+33612345678' });
    await fillCampaign(about.ctx, { campaignId });
    expect(await leadState(about, id)).toMatchObject({ dialState: 'blocked' });
    await about.addOwnNumber('+33187654321');
    expect(await leadState(about, id)).toMatchObject({ dialState: 'waiting', round: 1 });
  });
});

/** A tool that may transfer to any of them; a tool lists twenty numbers at most. */
const transferTo = (numbers: readonly string[]) => ({
  tools: [
    {
      type: 'call_transfer',
      destinations: numbers.map((number) => ({ name: number, phone_number: number })),
    },
  ],
});

describe('transfers', () => {
  it.each([[FRAUD_NUMBERS.slice(0, 20)], [FRAUD_NUMBERS.slice(20)]])(
    'go to none of these numbers, neither by REFER nor by a bridge: %j',
    async (numbers) => {
      const about = await setup(transferTo(numbers));
      const { ctx, fence } = about;
      const callId = await makeCallOnCarrier(about);
      const reason: unknown = expect.stringMatching(/^(country_not_allowed|number_type_blocked)$/);
      for (const phoneNumber of numbers) {
        const input = { callId, phoneNumber, fence };
        expect(await authorizeTransfer(ctx, input), phoneNumber).toEqual({ isAllowed: false, reason });
        expect(await authorizeBridge(ctx, input), phoneNumber).toEqual({ isAllowed: false, reason });
      }
    },
  );

  it('go to an ordinary number', async () => {
    const about = await setup(transferTo([GERMAN]));
    const callId = await makeCallOnCarrier(about);
    const input = { callId, phoneNumber: GERMAN, fence: about.fence };
    expect(await authorizeTransfer(about.ctx, input)).toEqual({ isAllowed: true });
    expect(await authorizeBridge(about.ctx, input)).toMatchObject({ isAllowed: true });
  });
});

describe('the settings', () => {
  it('are the operator’s alone', async () => {
    const { ctx, identity } = await setup();
    const member: Identity = { ...identity, role: 'member' };
    await expect(changeDialPolicy(ctx, member, { allowed_countries: ['JM'] })).rejects.toMatchObject({
      kind: 'forbidden',
    });
  });

  it('refuse what is no country, and list the countries in force', async () => {
    const { allow, addOwnNumber } = await setup();
    await expect(allow(['DE', 'XX'])).rejects.toMatchObject({
      fields: { 'allowed_countries.1': ['The selected allowed_countries.1 is invalid.'] },
    });
    expect(await allow(['GG', 'DE', 'DE'])).toMatchObject({
      allowed_countries: ['DE', 'GB'],
      countries_in_force: ['DE', 'GB'],
    });
    expect(await allow(null)).toMatchObject({ allowed_countries: null, countries_in_force: null });
    await addOwnNumber('+4930123456');
    expect(await allow(null)).toMatchObject({ allowed_countries: null, countries_in_force: ['DE'] });
  });
});
