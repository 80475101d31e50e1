/** Limits of one API token: in races, at the placing and at the permission, and for what it cannot do at all. */
import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { askToDial, makeCampaign } from '../../test/arrange-campaign.ts';
import { arrangeCarrier } from '../../test/arrange-carrier.ts';
import { startCampaign } from '../campaigns/update-campaign-status.ts';
import { authenticateToken } from '../users/authenticate-token.ts';
import { issueToken } from '../users/own-tokens.ts';
import { placeCall, previewCall } from './place-call.ts';

const database = useTestDatabase();
let numbers = 0;
/** A number in Germany that no other call has. */
const nextNumber = (): string => `+4915100${String(700_000 + numbers++)}`;

async function setup(limits: Record<string, unknown>) {
  const about = await arrangeCarrier(database.db);
  const { ctx, identity: owner, assistant } = about;
  const wanted = { name: 'Agent', scopes: ['read', 'call'] as ('read' | 'call')[], ...limits };
  const { token } = await issueToken(ctx, owner, wanted);
  const identity = await authenticateToken(ctx, token ?? '');
  if (!identity) throw new Error('The token is unknown');
  const input = (phoneNumber = nextNumber()) => ({ phoneNumber, assistantId: assistant.id });
  return { ...about, owner, identity, input };
}

it('no race exceeds the calls of a day, and other tokens go on', async () => {
  const about = await setup({ max_calls_per_day: 3 });
  const { ctx, identity, owner, input } = about;
  const placed = [];
  for (let index = 0; index < 8; index++) placed.push(await placeCall(ctx, identity, input()));
  const answers = await Promise.all(placed.map(async ({ callId }) => askToDial(about, callId)));
  expect(answers.filter(({ isAllowed }) => isAllowed)).toHaveLength(3);
  await expect(placeCall(ctx, identity, input())).rejects.toMatchObject({
    fields: { phone_number: ['This API token has reached its limit of calls per day (3).'] },
  });
  await expect(placeCall(ctx, owner, input())).resolves.toBeDefined();
});

it('calls only the numbers of its list, however they are written', async () => {
  const { ctx, identity, input } = await setup({ allowed_numbers: ['+49151*'] });
  const refused = { fields: { phone_number: ['This API token must not call this number.'] } };
  await expect(placeCall(ctx, identity, input('+4917012345678'))).rejects.toMatchObject(refused);
  await expect(placeCall(ctx, identity, input(' 0049 170 12345678 '))).rejects.toMatchObject(refused);
  await expect(previewCall(ctx, identity, input('+4917012345678'))).rejects.toMatchObject(refused);
  const allowed = nextNumber();
  expect(await previewCall(ctx, identity, input(allowed))).toMatchObject({ to: allowed });
  await expect(placeCall(ctx, identity, input(allowed))).resolves.toBeDefined();
});

it('starts no campaign, whose leads have other numbers', async () => {
  const about = await setup({ allowed_numbers: ['+49151*'] });
  const id = await makeCampaign(about, { status: 'draft' });
  await expect(startCampaign(about.ctx, about.identity, id)).rejects.toMatchObject({ kind: 'forbidden' });
});

it.each([{ allowed_numbers: ['+49151*'] }, { max_calls_per_day: 1 }, { max_cost_per_day: 1 }])(
  'with %j it cannot have the scope write',
  async (limits) => {
    const { ctx, identity: owner } = await arrangeCarrier(database.db);
    const refused = { kind: 'invalid', fields: { scopes: [expect.any(String)] } };
    await expect(issueToken(ctx, owner, { name: 'Agent', ...limits })).rejects.toMatchObject(refused);
    const wide = { name: 'Agent', scopes: ['write', 'call'] as ('write' | 'call')[], ...limits };
    await expect(issueToken(ctx, owner, wide)).rejects.toMatchObject(refused);
  },
);
