import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { arrange, freshNumber, makeUser } from '../../test/arrange.ts';
import { endUnanswered, makeCampaign, makeLead, onlyDial } from '../../test/arrange-campaign.ts';
import { runCampaign } from '../lifecycle/run-campaign.ts';
import { deleteLead } from './delete-lead.ts';
import { findLeadOfCall } from './find-lead-of-call.ts';

const database = useTestDatabase();

it('is the main lead, also of a call to another of its numbers, and for its user only', async () => {
  const about = await arrange(database.db);
  const { ctx, identity } = about;
  const campaignId = await makeCampaign(about, { maxCallsInParallel: 1 });
  const lead = await makeLead(about, campaignId, { contacts: [freshNumber()] });
  const called: number[] = [];
  for (let round = 0; round < 2; round += 1) {
    await runCampaign(ctx, campaignId);
    const dial = await onlyDial(about, campaignId);
    called.push(dial.callId);
    await endUnanswered(about, dial.callId, 'no-answer');
  }
  expect(new Set(called).size).toBe(2);
  for (const callId of called) expect(await findLeadOfCall(ctx, identity, callId)).toEqual({ id: lead.id });
  const stranger = await makeUser(ctx);
  expect(await findLeadOfCall(ctx, stranger, called[0] ?? 0)).toBeNull();
  await deleteLead(ctx, identity, lead.id);
  expect(await findLeadOfCall(ctx, identity, called[0] ?? 0)).toBeNull();
});
