import { leadRecord } from '@parley/contracts';
import { User } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { makeCampaign, nextLook } from '../../test/arrange-campaign.ts';
import { leadsOf, queueOf, writeLead } from '../../test/arrange-leads.ts';
import { arrange, freshNumber, makeUser } from '../../test/arrange.ts';
import { deleteCampaign } from '../campaigns/delete-campaign.ts';
import { DomainError } from '../shared/domain-error.ts';

const database = useTestDatabase();

async function setup(fields: Parameters<typeof makeCampaign>[1] = { status: 'draft' }) {
  const about = await arrange(database.db);
  const campaignId = await makeCampaign(about, fields);
  const create = (body: Record<string, unknown> = {}) => writeLead(about, campaignId, body);
  const fault = async (body: Record<string, unknown>): Promise<unknown> => {
    const error: unknown = await create(body).catch((thrown: unknown) => thrown);
    return error instanceof DomainError ? error.fields : error;
  };
  return { ...about, about, campaignId, create, fault };
}

const TAKEN = 'has already been taken.';

describe('creating a lead', () => {
  it('answers with the whole record and queues it for now', async () => {
    const { about, campaignId, create } = await setup();
    const lead = await create({
      phone_number: '+1 (202) 555-0111',
      variables: [{ customer_name: 'Ada' }, { email: 'ada@example.org' }],
      secondary_contacts: [
        { phone_number: '+12025550112', variables: { customer_name: 'Bo' } },
        { phone_number: '+12025550113' },
      ],
    });
    expect(leadRecord.parse(lead)).toEqual(lead);
    const at = { created_at: '2026-01-01 00:00:00', updated_at: '2026-01-01 00:00:00' };
    expect(lead).toMatchObject({
      campaign_id: campaignId,
      phone_number: '+12025550111',
      variables: { customer_name: 'Ada', email: 'ada@example.org' },
      status: 'created',
      campaign: { id: campaignId, name: 'Spring' },
      ...at,
    });
    expect(lead.secondary_contacts).toEqual([
      {
        id: lead.id + 1,
        phone_number: '+12025550112',
        variables: { customer_name: 'Bo' },
        status: 'created',
        ...at,
      },
      { id: lead.id + 2, phone_number: '+12025550113', variables: {}, status: 'created', ...at },
    ]);
    expect(await queueOf(about, campaignId)).toEqual([
      { leadId: lead.id, readyAt: new Date(about.clock.now()), attempt: 1 },
    ]);
  });

  it('wakes a campaign that runs, and only such a one', async () => {
    const draft = await setup();
    await draft.create();
    expect(await nextLook(draft.about, draft.campaignId)).toBeNull();
    const running = await setup({ status: 'in-progress' });
    const lead = await running.create();
    expect(await nextLook(running.about, running.campaignId)).not.toBeNull();
    expect(await queueOf(running.about, running.campaignId)).toMatchObject([{ leadId: lead.id }]);
  });

  it('lets one of twelve simultaneous creations win', async () => {
    for (const secondary_contacts of [[], [{ phone_number: freshNumber() }]]) {
      const { about, campaignId, create } = await setup();
      const phone_number = freshNumber();
      const tries = Array.from({ length: 12 }, () => create({ phone_number, secondary_contacts }));
      const results = await Promise.allSettled(tries);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(DomainError);
      }
      expect(await leadsOf(about, campaignId)).toBe(1 + secondary_contacts.length);
    }
  });

  it('lets one of twelve win when the number is a lead here and a contact there, in a running campaign', async () => {
    const { about, campaignId, create } = await setup({ status: 'in-progress' });
    const phone_number = freshNumber();
    const tries = Array.from({ length: 12 }, (_, index) =>
      index % 2 ? create({ phone_number }) : create({ secondary_contacts: [{ phone_number }] }),
    );
    const won = (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled');
    expect(won).toHaveLength(1);
    expect(await queueOf(about, campaignId)).toHaveLength(1);
  });

  it('refuses a number that the campaign has as a lead or as a contact, at its field', async () => {
    const { create, fault } = await setup();
    const [lead, contact] = [freshNumber(), freshNumber()];
    await create({ phone_number: lead, secondary_contacts: [{ phone_number: contact }] });
    const phoneFault = { phone_number: [`The phone number ${TAKEN}`] };
    expect(await fault({ phone_number: lead })).toEqual(phoneFault);
    expect(await fault({ phone_number: contact })).toEqual(phoneFault);
    expect(
      await fault({ secondary_contacts: [{ phone_number: freshNumber() }, { phone_number: lead }] }),
    ).toEqual({
      'secondary_contacts.1.phone_number': [`The secondary_contacts.1.phone_number ${TAKEN}`],
    });
  });

  it('refuses a lead that is its own contact', async () => {
    const { fault } = await setup();
    const phone_number = freshNumber();
    expect(await fault({ phone_number, secondary_contacts: [{ phone_number }] })).toEqual({
      'secondary_contacts.0.phone_number': [`The secondary_contacts.0.phone_number ${TAKEN}`],
    });
  });

  it.each(['allow_dupplicate', 'allow_duplicate'])('takes duplicates with %s', async (field) => {
    const { about, campaignId, create } = await setup();
    const phone_number = freshNumber();
    await create({ phone_number });
    await create({ phone_number, [field]: true, secondary_contacts: [{ phone_number }] });
    expect(await leadsOf(about, campaignId)).toBe(3);
  });

  it('lets the specified spelling win over the other one', async () => {
    const { create, fault } = await setup();
    const phone_number = freshNumber();
    await create({ phone_number });
    expect(await fault({ phone_number, allow_dupplicate: false, allow_duplicate: true })).toHaveProperty(
      'phone_number',
    );
  });

  it('takes the same number into another campaign', async () => {
    const { about, create } = await setup();
    const phone_number = freshNumber();
    await create({ phone_number });
    const other = await makeCampaign(about);
    expect((await writeLead(about, other, { phone_number })).campaign_id).toBe(other);
  });

  it('tells every fault at once, and writes nothing', async () => {
    const { about, campaignId, fault } = await setup();
    expect(
      await fault({ campaign_id: 999_999, phone_number: '123', secondary_contacts: [{ phone_number: 'x' }] }),
    ).toEqual({
      campaign_id: ['The selected campaign id is invalid.'],
      phone_number: ['Invalid phone number'],
      'secondary_contacts.0.phone_number': ['Invalid phone number'],
    });
    expect(await leadsOf(about, campaignId)).toBe(0);
  });

  it('reads numbers without a plus only where the account has a country', async () => {
    const { about, create, fault } = await setup();
    expect(await fault({ phone_number: '0151 23456789' })).toEqual({
      phone_number: ['Invalid phone number'],
    });
    await setDefaultCountry(about.identity.userId, 'DE');
    expect((await create({ phone_number: '0151 23456789' })).phone_number).toBe('+4915123456789');
    expect((await create({ phone_number: '+12025550110' })).phone_number).toBe('+12025550110');
  });

  it("answers the same for another user's campaign, a deleted one and a missing one", async () => {
    const { about, campaignId, fault } = await setup();
    const stranger = await makeUser(about.ctx);
    const foreign = await writeLead({ ctx: about.ctx, identity: stranger }, campaignId).catch(
      (error: unknown) => error,
    );
    expect(foreign).toMatchObject({ fields: { campaign_id: ['The selected campaign id is invalid.'] } });
    await deleteCampaign(about.ctx, about.identity, campaignId);
    expect(await fault({})).toEqual({ campaign_id: ['The selected campaign id is invalid.'] });
  });

  it('keeps keys such as __proto__ as plain data', async () => {
    const { create } = await setup();
    const variables: unknown = JSON.parse('{"__proto__":{"a":1}}');
    expect(JSON.stringify((await create({ variables })).variables)).toBe('{"__proto__":{"a":1}}');
  });

  it('takes the most contacts that the contract allows without a lock for each', async () => {
    const { create } = await setup();
    const secondary_contacts = Array.from({ length: 1000 }, (_, index) => ({
      phone_number: `+1202${String(2_000_000 + index)}`,
    }));
    const lead = await create({ secondary_contacts });
    expect(lead.secondary_contacts).toHaveLength(1000);
    expect(lead.secondary_contacts[999]).toMatchObject({ id: lead.id + 1000, phone_number: '+12022000999' });
  });
});

async function setDefaultCountry(userId: number, country: string): Promise<void> {
  await database.db.transaction(({ em }) =>
    em.nativeUpdate(User, { id: userId }, { defaultCountry: country }),
  );
}
