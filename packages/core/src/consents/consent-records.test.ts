import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange, freshNumber, makeCall, makeUser } from '../../test/arrange.ts';
import { expectNoLeadFaults } from '../../test/arrange-leads.ts';
import {
  askToDial,
  leadState,
  liveDials,
  makeCampaign,
  makeLead,
  onlyDial,
} from '../../test/arrange-campaign.ts';
import { forecastCampaign } from '../campaigns/forecast-campaign.ts';
import { updateCampaign } from '../campaigns/update-campaign.ts';
import { explainLead } from '../leads/explain-lead.ts';
import { runCampaign } from '../lifecycle/run-campaign.ts';
import { listConsents, recordConsent, removeConsent } from './consent-records.ts';

const database = useTestDatabase();

async function setup() {
  const about = await arrange(database.db);
  const { ctx, identity } = about;
  const record = (phoneNumber: string, source = 'Web form') =>
    recordConsent(ctx, identity, { phoneNumber, source });
  const remove = (phoneNumber: string) => removeConsent(ctx, identity, { phoneNumber });
  const list = (phoneNumber?: string) => listConsents(ctx, identity, { page: 1, perPage: 15, phoneNumber });
  /** A campaign in progress that requires consent, with one lead. */
  const campaignWithLead = async () => {
    const campaignId = await makeCampaign(about, { isCompletedWithoutLeads: false });
    await require(campaignId, true);
    return { campaignId, lead: await makeLead(about, campaignId) };
  };
  const require = (campaignId: number, isRequired: boolean) =>
    updateCampaign(ctx, identity, { id: campaignId, changes: { require_consent: isRequired } });
  const dialed = async (campaignId: number) => {
    await runCampaign(ctx, campaignId);
    return (await liveDials(about, campaignId)).map(({ leadId }) => leadId);
  };
  return { ...about, about, record, remove, list, campaignWithLead, require, dialed };
}

describe('records of consent', () => {
  it('keep source, words and time; a second record of a number replaces the first', async () => {
    const { ctx, identity, clock, record, list } = await setup();
    await record('+1 (202) 555-0171', 'Phone');
    clock.advance(1_000);
    const consentedAt = new Date(clock.now() - 3_600_000);
    const words = 'I agree to be called.';
    await recordConsent(ctx, identity, {
      phoneNumber: '+12025550171',
      source: 'Web form',
      text: words,
      consentedAt,
    });
    const createdAt = new Date(clock.now());
    const row = { phoneNumber: '+12025550171', source: 'Web form', text: words, consentedAt, createdAt };
    expect(await list()).toEqual({ total: 1, rows: [row] });
    expect(await list('0172')).toEqual({ total: 0, rows: [] });
    expect((await list('50171')).total).toBe(1);
  });

  it('cannot be given in the future, or for what is no number', async () => {
    const { ctx, identity, clock, record } = await setup();
    const consentedAt = new Date(clock.now() + 60_000);
    const early = recordConsent(ctx, identity, { phoneNumber: '+12025550171', source: 'Form', consentedAt });
    await expect(early).rejects.toMatchObject({
      kind: 'invalid',
      fields: { consented_at: [expect.any(String)] },
    });
    const fields = { phone_number: ['Invalid phone number'] };
    await expect(record('hello')).rejects.toMatchObject({ kind: 'invalid', fields });
  });

  it('belong to one user', async () => {
    const { ctx, record, remove, list } = await setup();
    const phoneNumber = freshNumber();
    const stranger = await makeUser(ctx);
    await recordConsent(ctx, stranger, { phoneNumber, source: 'Web form' });
    expect((await list()).total).toBe(0);
    await expect(remove(phoneNumber)).rejects.toMatchObject({ kind: 'not-found' });
    await record(phoneNumber);
    await remove(phoneNumber);
    await expect(remove(phoneNumber)).rejects.toMatchObject({ kind: 'not-found' });
  });
});

describe('a campaign that requires consent', () => {
  it('blocks a lead without it, says why, and calls it once there is consent', async () => {
    const { ctx, identity, about, campaignWithLead, dialed, record } = await setup();
    const { campaignId, lead } = await campaignWithLead();
    expect(await dialed(campaignId)).toEqual([]);
    expect(await leadState(about, lead.id)).toMatchObject({
      dialState: 'blocked',
      dialReason: 'consent_missing',
    });
    expect((await explainLead(ctx, identity, lead.id)).now).toMatchObject({
      decision: 'never',
      reason: 'consent_missing',
      explanation: 'The campaign requires consent, and there is no record of consent for the number.',
    });
    await expectNoLeadFaults(about, campaignId);
    await record(lead.phoneNumber);
    expect(await dialed(campaignId)).toEqual([lead.id]);
  });

  it('consent of another user does not count', async () => {
    const { ctx, campaignWithLead, dialed } = await setup();
    const { campaignId, lead } = await campaignWithLead();
    const stranger = await makeUser(ctx);
    await recordConsent(ctx, stranger, { phoneNumber: lead.phoneNumber, source: 'Web form' });
    expect(await dialed(campaignId)).toEqual([]);
  });

  it('calls the blocked leads when it no longer requires consent', async () => {
    const { campaignWithLead, dialed, require } = await setup();
    const { campaignId, lead } = await campaignWithLead();
    expect(await dialed(campaignId)).toEqual([]);
    await require(campaignId, false);
    expect(await dialed(campaignId)).toEqual([lead.id]);
  });

  it('a call that was placed before consent was withdrawn is not dialed', async () => {
    const { about, campaignWithLead, dialed, record, remove } = await setup();
    const { campaignId, lead } = await campaignWithLead();
    await record(lead.phoneNumber);
    expect(await dialed(campaignId)).toEqual([lead.id]);
    const { callId } = await onlyDial(about, campaignId);
    await remove(lead.phoneNumber);
    expect(await askToDial(about, callId)).toEqual({ isAllowed: false, reason: 'consent_missing' });
    expect(await dialed(campaignId)).toEqual([]);
    expect(await leadState(about, lead.id)).toMatchObject({
      dialState: 'blocked',
      dialReason: 'consent_missing',
    });
  });

  it('its forecast counts the leads without consent as unreachable, before and after they are blocked', async () => {
    const { ctx, identity, about, campaignWithLead, dialed, record } = await setup();
    const { campaignId } = await campaignWithLead();
    const consented = await makeLead(about, campaignId);
    await record(consented.phoneNumber);
    const question = { answer_rate: 1, average_duration_seconds: 30, ring_seconds: 10 };
    const unreachable = async () =>
      (await forecastCampaign(ctx, identity, { ...question, id: campaignId })).unreachable;
    const expected = [expect.objectContaining({ reason: 'consent_missing', leads: 1 })];
    expect(await unreachable()).toEqual(expected);
    expect(await dialed(campaignId)).toEqual([consented.id]);
    expect(await unreachable()).toEqual(expected);
  });

  it('a call of no campaign needs no record', async () => {
    const { about } = await setup();
    await expect(makeCall(about, freshNumber())).resolves.toBeGreaterThan(0);
  });
});
