import { newAssistant, useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import { makeCampaign, makeLead } from '../../test/outreach.ts';

const database = useTestDatabase();
let live: LiveApi;
let campaignId: number;
const made: number[] = [];

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  const assistant = await live.ask('/api/user/assistant', { method: 'POST', body: newAssistant() });
  const assistantId = (assistant.body as { data: { id: number } }).data.id;
  campaignId = await makeCampaign(live, { assistant_id: assistantId });
  for (let count = 0; count < 4; count++) made.unshift(await add(`+1202555013${count}`));
});
afterAll(() => live.stop());

function add(phoneNumber: string): Promise<number> {
  const secondary_contacts = [{ phone_number: `${phoneNumber.slice(0, -2)}9${phoneNumber.at(-1)}` }];
  return makeLead(live, { campaign_id: campaignId, phone_number: phoneNumber, secondary_contacts });
}

interface Answer {
  data: { id: number; secondary_contacts: object[] }[];
  next_cursor: string | null;
}

async function read(query: string): Promise<Answer> {
  const { status, body } = await live.ask(`/api/user/leads?${query}`);
  expect(status).toBe(200);
  return body as Answer;
}

test('cursors lead through the leads, whatever is added and removed meanwhile', async () => {
  const first = await read(`cursor=&page=9&per_page=2&campaign_id=${campaignId}`);
  expect(Object.keys(first)).toEqual(['data', 'per_page', 'next_cursor']);
  expect(first.data.map(({ id }) => id)).toEqual(made.slice(0, 2));
  expect(first.data[0]?.secondary_contacts).toHaveLength(1);
  await add('+12025550134');
  await live.ask(`/api/user/leads/${made[1]}`, { method: 'DELETE' });
  const last = await read(`per_page=2&cursor=${first.next_cursor}`);
  expect(last).toMatchObject({ data: made.slice(2).map((id) => ({ id })), next_cursor: null });
  expect(await read('cursor=&phone_number=0131')).toMatchObject({ data: [{}], per_page: 15 });
});

test.each(['x', btoa('[]'), btoa('["1"]'), btoa('[-1]'), btoa('[1,2]')])(
  'the cursor %s is refused',
  async (cursor) => {
    const { status, body } = await live.ask(`/api/user/leads?cursor=${cursor}`);
    expect(status).toBe(422);
    expect(Object.keys((body as { errors: object }).errors)).toEqual(['cursor']);
  },
);
