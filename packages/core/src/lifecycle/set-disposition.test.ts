import { callDetail, callFinishedPayload, campaignChangesBody, newCampaignBody } from '@parley/contracts';
import { statement, type DeliveryRow } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange, arrangeHosted, makeCall, makeUser, talkedEndOf, waitingJobs } from '../../test/arrange.ts';
import { makeCampaign, makeLead, onlyDial, talk } from '../../test/arrange-campaign.ts';
import { exportCalls } from '../calls/export-calls.ts';
import { findCall } from '../calls/find-call.ts';
import { listCalls, listCallsAfter } from '../calls/list-calls.ts';
import { createCampaign } from '../campaigns/create-campaign.ts';
import { findCampaign } from '../campaigns/find-campaign.ts';
import { updateCampaign } from '../campaigns/update-campaign.ts';
import { completeCall } from './complete-call.ts';
import { removeCall } from './remove-call.ts';
import { runCampaign } from './run-campaign.ts';
import { setDisposition } from './set-disposition.ts';

const database = useTestDatabase();

const LIST = ['Interested', 'Call back', '=Wrong number'];
const WEBHOOK = { is_webhook_active: true, webhook_url: 'https://a.test/hook' };
const selectPayload = statement<Pick<DeliveryRow, 'payload'>>(
  '',
  `select payload from deliveries where call_id = $1`,
);

/** A campaign with one call, which has just ended. `isHosted`: a model can evaluate it, and the assistant asks for nothing. */
async function setup({
  isHosted = false,
  variables = {},
}: { isHosted?: boolean; variables?: Record<string, unknown> } = {}) {
  const about = await (isHosted ? arrangeHosted : arrange)(database.db, WEBHOOK);
  const { ctx, identity } = about;
  const campaignId = await makeCampaign(about, { dispositions: LIST });
  await makeLead(about, campaignId);
  await runCampaign(ctx, campaignId);
  const { callId } = await onlyDial(about, campaignId);
  const { turns } = talkedEndOf(about, callId);
  await talk(about, callId, { turns, variables });
  const set = (disposition: string | null, by = identity) => setDisposition(ctx, by, { callId, disposition });
  const detail = () => findCall(ctx, identity, callId);
  const counts = async () => (await findCampaign(ctx, identity, campaignId)).progress.dispositions;
  return { ...about, campaignId, callId, set, detail, counts };
}

const evaluated = (disposition: string | null) => ({ values: {}, disposition, detail: {} });

describe('the disposition of a call', () => {
  it('is chosen by the evaluation, also when the assistant asks for none, and sent with the webhook', async () => {
    const { ctx, callId, detail, counts } = await setup({ isHosted: true });
    expect(await waitingJobs(ctx, 'evaluate_call', { callId })).toBe(1);
    await completeCall(ctx, callId, evaluated('Interested'));
    const call = await detail();
    expect(callDetail.parse(call)).toEqual(call);
    expect(call).toMatchObject({ disposition: 'Interested', disposition_source: 'evaluation' });
    const [delivery] = await ctx.db.query(selectPayload, [callId]);
    expect(callFinishedPayload.parse(delivery?.payload).disposition).toBe('Interested');
    expect(await counts()).toEqual([{ disposition: 'Interested', calls: 1 }]);
  });

  it('is collected in a call that no model evaluates', async () => {
    const { detail } = await setup({ variables: { disposition: 'call back' } });
    expect(await detail()).toMatchObject({ disposition: 'Call back', disposition_source: 'evaluation' });
  });

  it('that a person has set is never replaced by the evaluation', async () => {
    const { ctx, callId, set, detail } = await setup({ isHosted: true });
    await set('Call back');
    await completeCall(ctx, callId, evaluated('Interested'));
    expect(await detail()).toMatchObject({
      status: 'completed',
      disposition: 'Call back',
      disposition_source: 'person',
    });
  });

  it('is set, repeated and removed by its owner, with a line in the timeline for each change', async () => {
    const { set, detail, counts, ...about } = await setup();
    const set1 = { callId: about.callId, disposition: 'Interested', source: 'person' };
    expect(await set('Interested')).toEqual(set1);
    expect(await set('Interested')).toEqual(set1);
    expect(await counts()).toEqual([{ disposition: 'Interested', calls: 1 }]);
    expect(await set(null)).toEqual({ callId: about.callId, disposition: null, source: null });
    await set(null);
    const { events, ...call } = await detail();
    expect(call).toMatchObject({ disposition: null, disposition_source: null });
    const changes = events.filter(({ type }) => type === 'disposition_set').map((event) => event.detail);
    expect(changes).toEqual([
      { disposition: 'Interested', source: 'person' },
      { disposition: null, source: 'person' },
    ]);
    expect(await counts()).toEqual([]);
  });

  it('must be one that the campaign lists', async () => {
    const { ctx, set, ...about } = await setup();
    const refused = { kind: 'invalid', fields: { disposition: ['The selected disposition is invalid.'] } };
    await expect(set('Refunded')).rejects.toMatchObject(refused);
    const callId = await makeCall({ ctx, ...about });
    const plain = setDisposition(ctx, about.identity, { callId, disposition: 'Interested' });
    await expect(plain).rejects.toMatchObject(refused);
    await expect(set('Interested', await makeUser(ctx))).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('filters the lists, and goes with the call', async () => {
    const { ctx, identity, callId, set, ...about } = await setup();
    await makeCall({ ctx, identity, ...about });
    await set('Interested');
    const found = async (disposition: string) => {
      const { rows, total } = await listCalls(ctx, identity, { disposition, page: 1, perPage: 15 });
      const after = await listCallsAfter(ctx, identity, { disposition }, { after: null, perPage: 15 });
      expect(after.rows).toEqual(rows);
      return [total, ...rows.map(({ id }) => id)];
    };
    expect(await found('Interested')).toEqual([1, callId]);
    expect(await found('Call back')).toEqual([0]);
    await removeCall(ctx, identity, callId);
    expect(await found('Interested')).toEqual([0]);
    const { progress } = await findCampaign(ctx, identity, about.campaignId);
    expect(progress.dispositions).toEqual([]);
  });

  it('is a column of the file of calls, in which no cell is a formula', async () => {
    const { ctx, identity, set, callId, ...about } = await setup({ variables: { mood: '=1+1, "good"' } });
    for (let more = 0; more < 101; more++) await makeCall({ ctx, identity, ...about });
    await set('=Wrong number');
    let file = '';
    for await (const piece of exportCalls(ctx, identity, {})) file += piece;
    const lines = file.split('\r\n');
    expect(lines).toHaveLength(1 + 102 + 1);
    expect(lines[0]).toContain('id,created_at,type,client_phone_number');
    const line = lines.find((text) => text.startsWith(`${callId},`));
    expect(line).toContain(`,talked,'=Wrong number,human,`);
    expect(line).toContain(String.raw`"{""mood"":""=1+1, \""good\""""}"`);
    let filtered = '';
    for await (const piece of exportCalls(ctx, identity, { disposition: 'Call back' })) filtered += piece;
    expect(filtered.split('\r\n')).toHaveLength(2);
  });
});

describe('the list of a campaign', () => {
  it('is stored in its order without spaces, and refuses a name twice', async () => {
    const { ctx, identity, assistant } = await arrange(database.db);
    const body = { name: 'Spring', assistant_id: assistant.id };
    const parsed = newCampaignBody.parse({ ...body, dispositions: [' Won ', 'Lost'] });
    const { id } = await createCampaign(ctx, identity, parsed);
    expect((await findCampaign(ctx, identity, id)).dispositions).toEqual(['Won', 'Lost']);
    const changes = campaignChangesBody.parse({ dispositions: [] });
    await updateCampaign(ctx, identity, { id, changes });
    expect((await findCampaign(ctx, identity, id)).dispositions).toEqual([]);
    const twice = newCampaignBody.safeParse({ ...body, dispositions: ['Won', 'won '] });
    expect(twice.error?.issues[0]?.message).toBe('The :attribute field has a duplicate value.');
  });
});
