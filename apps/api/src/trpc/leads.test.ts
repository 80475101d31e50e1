import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import { signInOperator } from '../../test/signed-in.ts';

const database = useTestDatabase();
let live: LiveApi;
let browser: Browser;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  browser = await signInOperator(live);
});

afterAll(() => live.stop());

const lockLead = statement('', 'select id from leads where id = $1 for update');

test('a user changes many leads in two requests at a time', async () => {
  const assistants = await browser.trpc.assistants.list.query();
  const assistant_id = assistants.find(({ type }) => type === 'outbound')?.id ?? 0;
  const post = (path: string, body: object) => live.ask(`/api/user/${path}`, { method: 'POST', body });
  const campaign = (await post('campaigns', { name: 'Spring', assistant_id })).body as {
    data: { id: number };
  };
  const made = await post('lead', { campaign_id: campaign.data.id, phone_number: '+12025550142' });
  const { id } = (made.body as { data: { id: number } }).data;
  const end = () =>
    browser.trpc.leads.changeMany.mutate({ selection: { ids: [id] }, action: { type: 'end' } });
  const refused = Promise.withResolvers<unknown>();
  const waiting: Promise<unknown>[] = [];
  await database.db.transaction(async (tx) => {
    await tx.query(lockLead, [id]);
    // Two of them wait for the lock, whichever come first.
    waiting.push(
      ...[end(), end(), end()].map((one) => one.catch((error: unknown) => refused.resolve(error))),
    );
    expect(await refused.promise).toMatchObject({ data: { httpStatus: 429 } });
  });
  await Promise.all(waiting);
  expect(await end()).toMatchObject({ changed: 1 });
});
