/**
 * Creates a campaign with leads, starts it, and shows its status until it is completed.
 *
 *   PARLEY_URL=http://127.0.0.1:3000 PARLEY_TOKEN=parley_... node dial-campaign.ts +12025550110 +12025550111
 */
import { setTimeout as wait } from 'node:timers/promises';
import { createParleyClient, eachRecord, isParleyError } from '@parley/client';

const parley = createParleyClient({
  baseUrl: process.env['PARLEY_URL'] ?? 'http://127.0.0.1:3000',
  token: process.env['PARLEY_TOKEN'] ?? '',
});
const phoneNumbers = process.argv.slice(2);

const { body: assistants } = await parley.assistants.listOutbound();
const assistant = assistants.find(({ status }) => status === 'active');
if (!assistant) throw new Error('There is no active outbound assistant');

const { body: made } = await parley.campaigns.create({
  body: { name: 'Example campaign', assistant_id: assistant.id, max_retries: 0 },
});
const campaignId = made.data.id;

for (const phoneNumber of phoneNumbers) {
  try {
    const { body } = await parley.leads.create({
      body: { campaign_id: campaignId, phone_number: phoneNumber, variables: { source: 'example' } },
    });
    console.log(`Lead ${body.data.id}: ${body.data.phone_number}`);
  } catch (error) {
    // An invalid or duplicate number does not prevent the others.
    if (!isParleyError(error, 422)) throw error;
    console.log(`${phoneNumber} was refused: ${Object.values(error.errors).flat().join(' ')}`);
  }
}

await parley.campaigns.updateStatus({ body: { campaign_id: campaignId, action: 'start' } });
for (let last = ''; last !== 'completed'; await wait(500)) {
  const { body: campaign } = await parley.campaigns.get({ params: { id: campaignId } });
  if (campaign.status !== last) console.log(`Campaign ${campaignId}: ${campaign.status}`);
  last = campaign.status;
}
for await (const call of eachRecord(parley.calls.list, { campaign_id: campaignId }))
  console.log(`${call.client_phone_number}: ${call.status}`);
