import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { arrangeCarrier } from '../../test/arrange-carrier.ts';
import { makeCampaign } from '../../test/arrange-campaign.ts';
import { arrange } from '../../test/arrange.ts';
import { overlapping } from '../../test/overlapping.ts';
import { removeNumber } from '../trunks/remove-line.ts';
import { findCampaignAssistant } from './campaign-references.ts';
import { updateCampaign } from './update-campaign.ts';

const database = useTestDatabase();

/** What a deletion asks for, without waiting. */
const lockAsDeletion = statement('', 'select id from assistants where id = $1 for no key update nowait');

it("a campaign's assistant cannot be deleted before the campaign is written", async () => {
  const { identity, assistant } = await arrange(database.db);
  const lock = () => database.db.query(lockAsDeletion, [assistant.id]);
  await expect(lock()).resolves.toHaveLength(1);
  await database.db.transaction(async (tx) => {
    await findCampaignAssistant(tx, identity.userId, assistant.id);
    await expect(lock()).rejects.toMatchObject({ code: '55P03' });
  });
  await expect(lock()).resolves.toHaveLength(1);
});

it('a caller number that is being removed is not given to a campaign', async () => {
  const about = await arrangeCarrier(database.db);
  const { ctx, identity } = about;
  const numberId = await about.addOwnNumber('+493012345678');
  const campaignId = await makeCampaign(about);
  const given = await overlapping(
    ctx,
    (joined) => removeNumber(joined, identity, numberId),
    () => updateCampaign(ctx, identity, { id: campaignId, changes: { phone_number_ids: [numberId] } }),
  );
  expect(given).toMatchObject({ kind: 'invalid', fields: { 'phone_number_ids.0': expect.anything() } });
});
