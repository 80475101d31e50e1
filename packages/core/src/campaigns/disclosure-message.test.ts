import { newCampaignBody, updateAssistantBody } from '@parley/contracts';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { arrange, makeAnsweredCall } from '../../test/arrange.ts';
import { updateAssistant } from '../assistants/update-assistant.ts';
import { freezeConfiguration } from '../calls/call-configuration.ts';
import { findCall } from '../calls/find-call.ts';
import { readCampaign } from '../dialing/campaign-rows.ts';
import { recordCallNote } from '../lifecycle/record-call-event.ts';
import { createCampaign } from './create-campaign.ts';
import { findCampaign } from './find-campaign.ts';
import { updateCampaign } from './update-campaign.ts';

const database = useTestDatabase();
const makeMultimodal = statement('', `update assistants set mode = 'multimodal' where id = $1`);

async function setup() {
  const about = await arrange(database.db);
  const { ctx, identity, assistant } = about;
  const change = async (fields: Record<string, unknown>) =>
    updateAssistant(ctx, identity, { id: assistant.id, changes: updateAssistantBody.parse(fields) });
  const campaign = async (disclosure_message: string | null) => {
    const body = { name: 'Spring', assistant_id: assistant.id, disclosure_message };
    return createCampaign(ctx, identity, newCampaignBody.parse(body));
  };
  return { ...about, change, campaign };
}

it('of a campaign replaces that of the assistant in the calls of the campaign', async () => {
  const { ctx, identity, change, campaign } = await setup();
  await change({ disclosure_message: 'I am an assistant.' });
  const frozen = async (id: number) => {
    const row = await readCampaign(ctx.db, id);
    return row && (await freezeConfiguration(ctx.db, row))?.assistant.disclosureMessage;
  };
  const own = await campaign('This call is recorded.');
  expect(await frozen(own.id)).toBe('This call is recorded.');
  expect(await findCampaign(ctx, identity, own.id)).toMatchObject({
    disclosure_message: 'This call is recorded.',
  });
  expect(await frozen((await campaign(null)).id)).toBe('I am an assistant.');
});

it('is refused where no voice of a multimodal assistant can speak it', async () => {
  const { ctx, identity, assistant, change, campaign } = await setup();
  const plain = await campaign(null);
  await ctx.db.query(makeMultimodal, [assistant.id]);
  await change({ disclosure_message: 'I am an assistant.' });
  const refused = {
    kind: 'invalid',
    fields: { disclosure_message: [expect.stringContaining('English only')] },
  };
  await expect(change({ language: 'German' })).rejects.toMatchObject(refused);
  await change({ language: 'German', disclosure_message: null });
  await expect(change({ disclosure_message: 'Dieser Anruf wird aufgezeichnet.' })).rejects.toMatchObject(
    refused,
  );
  const changes = { disclosure_message: 'Dieser Anruf wird aufgezeichnet.' };
  await expect(updateCampaign(ctx, identity, { id: plain.id, changes })).rejects.toMatchObject(refused);
  await expect(campaign('Dieser Anruf wird aufgezeichnet.')).rejects.toMatchObject(refused);
});

it('that was spoken to its end gives the call the time of it', async () => {
  const about = await setup();
  const { ctx, clock, identity } = about;
  const callId = await makeAnsweredCall(about);
  const note = async (isComplete: boolean) => {
    clock.advance(1000);
    const detail = { text: 'I am', start_ms: 0, end_ms: 900, is_complete: isComplete };
    const fence = about.fence;
    await recordCallNote(ctx, { callId, fence, type: 'disclosed', at: new Date(clock.now()), detail });
  };
  expect(await findCall(ctx, identity, callId)).toMatchObject({ disclosed_at: null });
  await note(false);
  expect(await findCall(ctx, identity, callId)).toMatchObject({ disclosed_at: null });
  await note(true);
  const at = new Date(clock.now()).toISOString().slice(0, 19);
  expect(await findCall(ctx, identity, callId)).toMatchObject({
    disclosed_at: expect.stringContaining(at) as string,
  });
});
