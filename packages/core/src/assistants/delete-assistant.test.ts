import { Assistant, statement, type AssistantRow, type DeliveryRow } from '@parley/db';
import { createHostedModel, useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import {
  arrange,
  claimDelivery,
  endOf,
  makeAnsweredCall,
  makeAssistant,
  makeCall,
  makeContext,
  makeNumber,
  makeUser,
  talkedEndOf,
  type Arrangement,
} from '../../test/arrange.ts';
import { startCampaign } from '../campaigns/update-campaign-status.ts';
import { completeCall } from '../lifecycle/complete-call.ts';
import { findCall } from '../calls/find-call.ts';
import { finishCall } from '../lifecycle/finish-call.ts';
import { loadCallForVoice } from '../calls/load-call-for-voice.ts';
import { sweepCalls } from '../lifecycle/sweep-calls.ts';
import { eraseDeletedAssistants } from './erase-assistants.ts';
import { deleteAssistant } from './delete-assistant.ts';
import { findAssistant } from './find-assistant.ts';
import { addRecordedPhrase, listRecordedPhrases } from './recorded-phrases.ts';
import { listAllAssistants, listAssistants, listOutboundAssistants } from './list-assistants.ts';

const database = useTestDatabase();

const HOOK = 'https://owner.test/hook';
const SECRETS = {
  system_prompt: 'Our secret plan.',
  variables: { secret: 1 },
  webhook_url: HOOK,
  is_webhook_active: true,
  inbound_webhook_url: HOOK,
  widget_settings: { color: '#f00' },
  'end_call_tool.description': 'A secret too.',
  filler_config: { neutral: ['Secret.'] },
};

async function setup(fields: Record<string, unknown> = SECRETS) {
  const about = await arrange(database.db, fields);
  const { ctx, clock, identity, assistant } = about;
  const remove = () => deleteAssistant(ctx, identity, assistant.id);
  const row = () => ctx.db.em.findOneOrFail(Assistant, { id: assistant.id });
  /** Longer after a deletion than any transaction may take. */
  const sweepLater = async () => {
    clock.advance(61_000);
    await sweepCalls(ctx, { hasBeenReachableForMs: 0, unreachable: [] });
    await eraseDeletedAssistants(ctx);
  };
  return { ...about, remove, row, sweepLater };
}

/** Null once the configuration is erased. */
function secretsOf(row: AssistantRow) {
  return row.erasedAt === null ? row.systemPrompt : null;
}

const selectDeliveries = statement<DeliveryRow>('', 'select * from deliveries where assistant_id = $1');

const insertCampaign = statement<{ id: number }>(
  '',
  `insert into campaigns (user_id, assistant_id, name, status, timezone, max_calls_in_parallel,
     is_completed_without_leads, allowed_from, allowed_until, allowed_days, max_retries, retry_interval_seconds,
     is_voicemail_retried, is_unmet_goal_retried, phone_number_ids, created_at, updated_at)
   values ($1, $2, 'Spring', $3, 'UTC', 3, true, '00:00:00', '23:59:00', '{monday}', 3, 3600, false, false, '[]',
     now(), now())
   returning id`,
);
const selectStatus = statement<{ status: string }>('', 'select status from campaigns where id = $1');

async function makeCampaign(
  { ctx, identity }: Arrangement,
  assistantId: number,
  status: 'draft' | 'in-progress' | 'stopped' | 'completed',
): Promise<{ id: number; status: () => Promise<string | undefined> }> {
  const [campaign] = await ctx.db.query(insertCampaign, [identity.userId, assistantId, status]);
  const id = campaign?.id ?? 0;
  return { id, status: async () => (await ctx.db.query(selectStatus, [id]))[0]?.status };
}

const selectPhrases = statement<{ assistantId: number }>(
  '',
  `select p.assistant_id from recorded_phrases p join recorded_phrase_sounds s on s.recorded_phrase_id = p.id
   where p.assistant_id = any($1::bigint[])`,
);

describe('deleting an assistant', () => {
  it('erases its recorded phrases with its configuration, and those of no other', async () => {
    const { ctx, identity, assistant, remove, sweepLater } = await setup();
    const other = await makeAssistant(ctx, identity);
    const input = { text: 'Hello.', file: 'UklGRg==' };
    const ids = [assistant.id, other.id];
    for (const assistantId of ids) await addRecordedPhrase(ctx, identity, { assistantId, input });
    await remove();
    await expect(listRecordedPhrases(ctx, identity, assistant.id)).rejects.toMatchObject({
      kind: 'not-found',
    });
    expect(await ctx.db.query(selectPhrases, [ids])).toHaveLength(2);
    await sweepLater();
    expect(await ctx.db.query(selectPhrases, [ids])).toEqual([{ assistantId: other.id }]);
  });

  it('is final for its owner: it is found nowhere and makes no calls', async () => {
    const about = await setup();
    const { ctx, identity, assistant, remove } = about;
    await remove();
    const notFound = { kind: 'not-found', message: 'Assistant not found' };
    await expect(findAssistant(ctx, identity, assistant.id)).rejects.toMatchObject(notFound);
    await expect(makeCall(about)).rejects.toMatchObject(notFound);
    await expect(remove()).rejects.toMatchObject(notFound);
    expect(await listAllAssistants(ctx, identity)).toEqual([]);
    expect(await listOutboundAssistants(ctx, identity)).toEqual([]);
    expect(await listAssistants(ctx, identity, { page: 1, perPage: 10 })).toEqual({ rows: [], total: 0 });
  });

  it("does not delete another user's assistant", async () => {
    const { ctx, identity, assistant } = await setup();
    const stranger = await makeUser(ctx);
    await expect(deleteAssistant(ctx, stranger, assistant.id)).rejects.toMatchObject({ kind: 'not-found' });
    expect(await findAssistant(ctx, identity, assistant.id)).toMatchObject(assistant);
  });

  it('stops its campaigns that run, and no other', async () => {
    const about = await setup();
    const other = await makeAssistant(about.ctx, about.identity);
    const statuses = ['draft', 'in-progress', 'stopped', 'completed'] as const;
    const own = await Promise.all(statuses.map((status) => makeCampaign(about, about.assistant.id, status)));
    const foreign = await makeCampaign(about, other.id, 'in-progress');
    await about.remove();
    expect(await Promise.all(own.map((campaign) => campaign.status()))).toEqual([
      'draft',
      'stopped',
      'stopped',
      'completed',
    ]);
    expect(await foreign.status()).toBe('in-progress');
  });

  it('and starting its campaign at the same time leaves nothing running', async () => {
    const about = await setup();
    const { ctx, identity, assistant, remove } = about;
    const campaign = await makeCampaign(about, assistant.id, 'draft');
    await Promise.all([startCampaign(ctx, identity, campaign.id), remove()]);
    expect(await campaign.status()).not.toBe('in-progress');
  });

  it('frees its number at once', async () => {
    const about = await setup({ calls_direction: 'receive' });
    const number = await makeNumber(about);
    const make = () =>
      makeAssistant(about.ctx, about.identity, { calls_direction: 'receive', phone_number_id: number });
    const first = await make();
    await expect(make()).rejects.toMatchObject({ kind: 'invalid' });
    await deleteAssistant(about.ctx, about.identity, first.id);
    await expect(make()).resolves.toMatchObject({ phone_number_id: number });
  });
});

describe('the configuration of a deleted assistant', () => {
  it('is erased when no call is left; id and name stay', async () => {
    const { assistant, remove, row, sweepLater } = await setup();
    await remove();
    await sweepLater();
    const erased = await row();
    expect(erased).toMatchObject({
      id: assistant.id,
      uuid: assistant.uuid,
      name: assistant.name,
      systemPrompt: '',
      initialMessage: '',
      variables: {},
      tools: [],
      postCallSchema: [],
      webhookUrl: null,
      inboundWebhookUrl: null,
      isWebhookActive: false,
      phoneNumberId: null,
      widgetSettings: {},
      erasedAt: expect.any(Date) as Date,
    });
    expect(JSON.stringify(erased).toLowerCase()).not.toContain('secret');
  });

  it('outlives the moment in which a call may have been placed unseen', async () => {
    const { ctx, clock, remove, row } = await setup();
    await remove();
    clock.advance(59_000);
    await sweepCalls(ctx, { hasBeenReachableForMs: 0, unreachable: [] });
    await eraseDeletedAssistants(ctx);
    expect(secretsOf(await row())).toBe('Our secret plan.');
  });

  it('of one that is not deleted is never erased', async () => {
    const { row, sweepLater } = await setup();
    await sweepLater();
    expect(secretsOf(await row())).toBe('Our secret plan.');
  });

  it('is erased after the end of its last live call was reported', async () => {
    const about = await setup();
    const { ctx, identity, remove, row, sweepLater } = about;
    const callId = await makeAnsweredCall(about);
    await remove();
    await sweepLater();
    expect(secretsOf(await row())).toBe('Our secret plan.');
    expect((await loadCallForVoice(ctx, callId)).assistant.systemPrompt).toBe('Our secret plan.');

    await finishCall(ctx, endOf(about, callId));
    await completeCall(ctx, callId);
    await sweepLater();
    expect(secretsOf(await row())).toBeNull();
    expect(await findCall(ctx, identity, callId)).toMatchObject({
      status: 'completed',
      assistant_name: about.assistant.name,
      assistant_id: about.assistant.id,
    });
    const [delivery] = await ctx.db.query(selectDeliveries, [about.assistant.id]);
    expect(await claimDelivery(ctx, delivery?.id ?? '')).toMatchObject({ url: HOOK });
  });

  it('outlives a call that has ended but is not completed yet', async () => {
    const model = await createHostedModel(makeContext(database.db).ctx);
    const about = await setup({ ...SECRETS, llm_model: model });
    const callId = await makeAnsweredCall(about);
    await about.remove();
    about.clock.advance(61_000);
    await finishCall(about.ctx, talkedEndOf(about, callId));
    await eraseDeletedAssistants(about.ctx);
    expect(secretsOf(await about.row())).toBe('Our secret plan.');
  });

  it('takes with it what the webhook would not send any more', async () => {
    const about = await setup();
    const { ctx, assistant, remove, sweepLater } = about;
    const callId = await makeAnsweredCall(about);
    await finishCall(ctx, endOf(about, callId));
    await completeCall(ctx, callId);
    await ctx.db.query(statement('', 'update assistants set is_webhook_active = false where id = $1'), [
      assistant.id,
    ]);
    await remove();
    await sweepLater();
    const [delivery] = await ctx.db.query(selectDeliveries, [assistant.id]);
    expect(delivery?.status).toBe('disabled');
    expect(await claimDelivery(ctx, delivery?.id ?? '')).toBeNull();
  });
});
