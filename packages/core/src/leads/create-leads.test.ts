import { useTestDatabase } from '@parley/testkit';
import { expect, test } from 'vitest';
import { arrange } from '../../test/arrange.ts';
import { leadsOf, queueOf, writeCampaign, writeLead } from '../../test/arrange-leads.ts';
import { numberAt } from '../../test/arrange-imports.ts';
import { createLeads, findLead } from '../index.ts';

const database = useTestDatabase();

async function setup() {
  const made = await arrange(database.db);
  const campaign = await writeCampaign(made);
  const create = (leads: Record<string, unknown>[], options: { allow_duplicate?: boolean } = {}) =>
    createLeads(made.ctx, made.identity, { campaignId: campaign.id, body: { leads, ...options } });
  return { ...made, campaignId: campaign.id, create };
}

test('each row has its own result, and the accepted ones are queued', async () => {
  const made = await setup();
  const { ctx, identity, campaignId } = made;
  const result = await made.create([
    { phone_number: '+1 202-555-0101', variables: { name: 'Ada' } },
    { phone_number: '123' },
    {},
    { phone_number: '+12025550101' },
    { phone_number: '+12025550104', variables: 'x' },
    { phone_number: '+12025550105', secondary_contacts: [{ phone_number: '+12025550106' }] },
    { phone_number: '+12025550107' },
  ]);
  expect(result).toMatchObject({ created: 2, refused: 5 });
  expect(result.rows.map(({ row }) => row)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(result.rows.map(({ errors }) => errors)).toEqual([
    {},
    { phone_number: ['Invalid phone number'] },
    { phone_number: ['The phone number field is required.'] },
    { phone_number: ['The phone number has already been taken.'] },
    { variables: ['The variables must be an array.'] },
    { secondary_contacts: ['The selected secondary contacts is invalid.'] },
    {},
  ]);
  const lead = await findLead(ctx, identity, result.rows[0]?.id ?? 0);
  expect(lead).toMatchObject({ phone_number: '+12025550101', variables: { name: 'Ada' } });
  expect(await leadsOf(made, campaignId)).toBe(2);
});

test('characters that Postgres cannot store become U+FFFD, and no row is lost', async () => {
  const { ctx, identity, create } = await setup();
  const hostile = {
    phone_number: '+12025550101',
    variables: { nul: 'a\u0000b', half: '\ud800', '\u0000': 1 },
  };
  const result = await create([hostile, { phone_number: '+12025550102' }]);
  expect(result).toMatchObject({ created: 2, refused: 0 });
  const lead = await findLead(ctx, identity, result.rows[0]?.id ?? 0);
  expect(lead.variables).toEqual({ nul: 'a\ufffdb', half: '\ufffd', '\ufffd': 1 });
});

test('a number that the campaign already has is refused unless duplicates are allowed', async () => {
  const made = await setup();
  const { phone_number } = await writeLead(made, made.campaignId);
  expect(await made.create([{ phone_number }])).toMatchObject({ created: 0, refused: 1 });
  expect(await made.create([{ phone_number }], { allow_duplicate: true })).toMatchObject({ created: 1 });
});

test('two simultaneous requests with the same rows create each lead once', async () => {
  const made = await setup();
  const rows = Array.from({ length: 300 }, (_, index) => ({ phone_number: numberAt(index) }));
  const results = await Promise.all([made.create(rows), made.create(rows.toReversed())]);
  expect(results.map(({ created }) => created).toSorted((a, b) => a - b)).toEqual([0, 300]);
  expect(await leadsOf(made, made.campaignId)).toBe(300);
  expect(await queueOf(made, made.campaignId)).toHaveLength(300);
});

test('the ids belong to their rows, across the parts in which the rows are read', async () => {
  const { ctx, identity, create } = await setup();
  const { rows } = await create(
    Array.from({ length: 450 }, (_, index) => ({ phone_number: numberAt(index) })),
  );
  for (const row of [0, 199, 200, 449])
    expect(await findLead(ctx, identity, rows[row]?.id ?? 0)).toMatchObject({ phone_number: numberAt(row) });
});

test("another user's campaign does not exist", async () => {
  const { ctx, identity, campaignId } = await setup();
  const body = { leads: [{ phone_number: '+12025550101' }] };
  const stranger = { ...identity, userId: identity.userId + 1000 };
  await expect(createLeads(ctx, stranger, { campaignId, body })).rejects.toThrow('Campaign not found');
});
