import { leadChangesBody } from '@parley/contracts';
import { Campaign, Lead } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import {
  askToDial,
  endUnanswered,
  leadState,
  liveDials,
  makeCampaign,
  nextLook,
  onlyDial,
} from '../../test/arrange-campaign.ts';
import { hangUpsOf, queueOf, writeLead } from '../../test/arrange-leads.ts';
import { arrange, freshNumber, makeUser } from '../../test/arrange.ts';
import { deleteCampaign } from '../campaigns/delete-campaign.ts';
import { runCampaign } from '../lifecycle/run-campaign.ts';
import { deleteLead } from './delete-lead.ts';
import { findLead } from './find-lead.ts';
import { updateLead } from './update-lead.ts';

const database = useTestDatabase();

async function setup(status = 'draft') {
  const about = await arrange(database.db);
  const campaignId = await makeCampaign(about, { status });
  const { ctx, identity } = about;
  const update = (id: number, body: Record<string, unknown>) =>
    updateLead(ctx, identity, { id, changes: leadChangesBody.parse(body) });
  const read = (id: number) => findLead(ctx, identity, id);
  return { ...about, about, campaignId, update, read };
}

describe('updating a lead', () => {
  it('changes only what is sent', async () => {
    const { about, clock, campaignId, update, read } = await setup();
    const lead = await writeLead(about, campaignId, { variables: { a: 1 } });
    clock.advance(60_000);
    await update(lead.id, {});
    expect(await read(lead.id)).toEqual({ ...lead, updated_at: '2026-01-01 00:01:00' });
    await update(lead.id, { phone_number: '+49 151 23456789' });
    expect(await read(lead.id)).toMatchObject({ phone_number: '+4915123456789', variables: { a: 1 } });
  });

  it('merges variables, of which the sent ones win', async () => {
    const { about, campaignId, update, read } = await setup();
    const { id } = await writeLead(about, campaignId, { variables: { kept: 1, changed: 1, deep: { a: 1 } } });
    await update(id, {
      variables: JSON.parse('{"changed":2,"added":3,"deep":{"b":1},"__proto__":4}') as unknown,
    });
    const { variables } = await read(id);
    expect(Object.entries(variables).toSorted(([a], [b]) => a.localeCompare(b))).toEqual([
      ['__proto__', 4],
      ['added', 3],
      ['changed', 2],
      ['deep', { b: 1 }],
      ['kept', 1],
    ]);
  });

  it('refuses variables that have become too large together', async () => {
    const { about, campaignId, update } = await setup();
    const { id } = await writeLead(about, campaignId, { variables: { a: 'x'.repeat(40_000) } });
    await expect(update(id, { variables: { b: 'x'.repeat(40_000) } })).rejects.toMatchObject({
      fields: { variables: ['The variables must not be greater than 64 kilobytes.'] },
    });
  });

  it.each(['completed', 'reached-max-retries'] as const)('ends dialing with %s', async (status) => {
    const { about, campaignId, update, read } = await setup();
    const { id } = await writeLead(about, campaignId);
    await update(id, { status });
    expect(await read(id)).toMatchObject({ status });
    expect(await queueOf(about, campaignId)).toEqual([]);
    expect(await leadState(about, id)).toMatchObject({ dialState: 'done' });
  });

  it('cancels what is ringing when it ends dialing, and nothing follows', async () => {
    const { about, campaignId, update } = await setup('in-progress');
    const { id } = await writeLead(about, campaignId);
    await runCampaign(about.ctx, campaignId);
    const { callId } = await onlyDial(about, campaignId);
    await askToDial(about, callId);
    await update(id, { status: 'completed' });
    expect(await hangUpsOf(about, campaignId)).toEqual([{ callId, reason: 'lead_done' }]);
    await endUnanswered(about, callId, 'failed', 'lead_done');
    expect(await leadState(about, id)).toMatchObject({ status: 'completed', readyAt: null });
  });

  it('restarts with fresh attempts, contacts included, and wakes a campaign that runs', async () => {
    const { about, clock, campaignId, update, read } = await setup();
    const lead = await writeLead(about, campaignId, {
      secondary_contacts: [{ phone_number: freshNumber() }],
    });
    const contactId = lead.secondary_contacts[0]?.id ?? 0;
    await update(lead.id, { status: 'reached-max-retries' });
    await update(contactId, { status: 'reached-max-retries' });
    await database.db.transaction(async ({ em }) => {
      await em.nativeUpdate(Lead, { id: [lead.id, contactId] }, { attempts: 4 });
      await em.nativeUpdate(Campaign, { id: campaignId }, { status: 'in-progress' });
    });
    clock.advance(1000);
    await update(lead.id, { status: 'created' });
    expect(await read(lead.id)).toMatchObject({
      status: 'created',
      secondary_contacts: [{ status: 'created' }],
    });
    const readyAt = new Date(clock.now());
    expect(await queueOf(about, campaignId)).toEqual([{ leadId: lead.id, readyAt, attempt: 1 }]);
    expect(await leadState(about, contactId)).toMatchObject({
      attempts: 0,
      dialState: 'waiting',
      readyAt: null,
    });
    expect(await nextLook(about, campaignId)).not.toBeNull();
  });

  it('does not queue a lead that is in a call; the call decides', async () => {
    const { about, campaignId, update } = await setup('in-progress');
    const { id } = await writeLead(about, campaignId);
    await runCampaign(about.ctx, campaignId);
    await update(id, { status: 'created' });
    expect(await leadState(about, id)).toMatchObject({ dialState: 'dialing', readyAt: null });
    expect(await liveDials(about, campaignId)).toHaveLength(1);
  });

  it('moves a lead with its contacts and its place in the queue', async () => {
    const { about, campaignId, update, read } = await setup();
    const lead = await writeLead(about, campaignId, {
      secondary_contacts: [{ phone_number: freshNumber() }],
    });
    const [place] = await queueOf(about, campaignId);
    const otherId = await makeCampaign(about);
    await update(lead.id, { campaign_id: otherId });
    expect(await read(lead.id)).toMatchObject({ campaign_id: otherId, campaign: { id: otherId } });
    expect(await read(lead.secondary_contacts[0]?.id ?? 0)).toMatchObject({ campaign_id: otherId });
    expect(await queueOf(about, campaignId)).toEqual([]);
    expect(await queueOf(about, otherId)).toEqual([place]);
    expect(await nextLook(about, otherId)).not.toBeNull();
  });

  it('moves a secondary contact only together with its lead', async () => {
    const { about, campaignId, update } = await setup();
    const lead = await writeLead(about, campaignId, {
      secondary_contacts: [{ phone_number: freshNumber() }],
    });
    const otherId = await makeCampaign(about);
    const contactId = lead.secondary_contacts[0]?.id ?? 0;
    await expect(update(contactId, { campaign_id: otherId })).rejects.toMatchObject({ kind: 'invalid' });
    await update(contactId, { campaign_id: campaignId, variables: { a: 1 } });
  });

  it('tells what is missing: the lead before the campaign, and both before the number', async () => {
    const { about, campaignId, update } = await setup();
    const { id } = await writeLead(about, campaignId);
    const stranger = await makeUser(about.ctx);
    const foreign = await makeCampaign({ ...about, identity: stranger });
    const rows: [number, Record<string, unknown>, unknown][] = [
      [999_999, {}, { kind: 'not-found', message: 'Lead not found' }],
      [999_999, { phone_number: '1' }, { kind: 'not-found', message: 'Lead not found' }],
      [999_999, { campaign_id: foreign }, { kind: 'not-found', message: 'Lead not found' }],
      [id, { campaign_id: foreign }, { kind: 'not-found', message: 'Campaign not found' }],
      [id, { campaign_id: 999_999 }, { kind: 'not-found', message: 'Campaign not found' }],
      [id, { phone_number: '123' }, { kind: 'invalid', message: 'Invalid phone number', fields: {} }],
    ];
    for (const [lead, body, fault] of rows) {
      await expect(update(lead, body), JSON.stringify(body)).rejects.toMatchObject(fault as object);
    }
    const theirs = updateLead(about.ctx, stranger, { id, changes: { status: 'completed' } });
    await expect(theirs).rejects.toMatchObject({ kind: 'not-found', message: 'Lead not found' });
  });

  it('keeps every one of twelve simultaneous changes', async () => {
    const { about, campaignId, update, read } = await setup();
    const { id } = await writeLead(about, campaignId);
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => update(id, { variables: { [`key_${index}`]: index } })),
    );
    expect(Object.keys((await read(id)).variables)).toHaveLength(12);
  });
});

describe('deleting a lead', () => {
  it('removes its contacts and its place in the queue', async () => {
    const { about, ctx, identity, campaignId, read } = await setup();
    const lead = await writeLead(about, campaignId, {
      secondary_contacts: [{ phone_number: freshNumber() }],
    });
    await deleteLead(ctx, identity, lead.id);
    await expect(read(lead.id)).rejects.toMatchObject({ kind: 'not-found', message: 'Lead not found' });
    await expect(read(lead.secondary_contacts[0]?.id ?? 0)).rejects.toMatchObject({ kind: 'not-found' });
    expect(await queueOf(about, campaignId)).toEqual([]);
    await expect(deleteLead(ctx, identity, lead.id)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('frees its number for another lead', async () => {
    const { about, ctx, identity, campaignId } = await setup();
    const { id, phone_number } = await writeLead(about, campaignId);
    await deleteLead(ctx, identity, id);
    expect((await writeLead(about, campaignId, { phone_number })).phone_number).toBe(phone_number);
  });

  it('cancels an unanswered call', async () => {
    const { about, ctx, identity, campaignId } = await setup('in-progress');
    const { id } = await writeLead(about, campaignId);
    await runCampaign(ctx, campaignId);
    const { callId } = await onlyDial(about, campaignId);
    await askToDial(about, callId);
    await deleteLead(ctx, identity, id);
    expect(await liveDials(about, campaignId)).toMatchObject([{ callId }]);
    await endUnanswered(about, callId, 'failed', 'lead_deleted');
    expect(await liveDials(about, campaignId)).toEqual([]);
  });

  it('is not found for a stranger, nor in a campaign that is gone', async () => {
    const { about, ctx, identity, campaignId } = await setup();
    const { id } = await writeLead(about, campaignId);
    const stranger = await makeUser(ctx);
    await expect(deleteLead(ctx, stranger, id)).rejects.toMatchObject({ kind: 'not-found' });
    await deleteCampaign(ctx, identity, campaignId);
    await expect(deleteLead(ctx, identity, id)).rejects.toMatchObject({ kind: 'not-found' });
  });
});
