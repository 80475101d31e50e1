import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { arrange } from '../../test/arrange.ts';
import { findCampaignAssistant } from './campaign-references.ts';

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
