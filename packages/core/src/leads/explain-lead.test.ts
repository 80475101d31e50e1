import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange, freshNumber, makeUser } from '../../test/arrange.ts';
import {
  askToDial,
  endUnanswered,
  makeCampaign,
  makeLead,
  onlyDial,
  setCampaign,
  talkAndSettle,
  type CampaignFields,
} from '../../test/arrange-campaign.ts';
import { setAccountLimit, setTrunkLimits, setTrunkPause } from '../../test/arrange-limits.ts';
import { runCampaign } from '../lifecycle/run-campaign.ts';
import { addToDoNotCallList } from '../do-not-call/do-not-call-list.ts';
import { explainLead } from './explain-lead.ts';

const database = useTestDatabase();

/** A campaign at midnight UTC of a Thursday, with one lead. */
async function setup(fields: CampaignFields = {}, contacts: string[] = []) {
  const about = await arrange(database.db);
  const campaignId = await makeCampaign(about, { maxCallsInParallel: 1, ...fields });
  const lead = await makeLead(about, campaignId, { contacts });
  const explain = (id = lead.id) => explainLead(about.ctx, about.identity, id);
  const run = () => runCampaign(about.ctx, campaignId);
  const dial = () => onlyDial(about, campaignId);
  return { ...about, about, campaignId, lead, explain, run, dial };
}

type Setup = Awaited<ReturnType<typeof setup>>;

describe('why a lead is or is not being called now', () => {
  it.each<[string, object, CampaignFields, ((found: Setup) => Promise<unknown>)?]>([
    ['nothing speaks against it', { decision: 'dial', reason: 'first_call', round: 1 }, {}],
    ['not started', { decision: 'wait', reason: 'campaign_not_started', until: null }, { status: 'draft' }],
    [
      'outside the hours',
      { decision: 'wait', reason: 'window_closed', until: '2026-01-01T09:00:00.000000Z' },
      { allowedFrom: '09:00:00' },
    ],
    ['no hour is allowed', { decision: 'never', reason: 'no_allowed_time' }, { allowedDays: [] }],
    [
      'on the list',
      { decision: 'never', reason: 'do_not_call' },
      {},
      ({ ctx, identity, lead }) => addToDoNotCallList(ctx, identity, lead),
    ],
    ['the account is full', { reason: 'account_calls' }, {}, ({ about }) => setAccountLimit(about, 0)],
    [
      'its line is full',
      { reason: 'trunk_calls' },
      {},
      ({ about }) => setTrunkLimits(about, { maxCalls: 0 }),
    ],
    [
      'its line is paused',
      { reason: 'trunk_paused', until: '2026-01-01T00:00:30.000000Z' },
      {},
      ({ about, clock }) => setTrunkPause(about, { until: new Date(clock.now() + 30_000), seconds: 30 }),
    ],
    ['it is being called', { decision: 'wait', reason: 'calls_in_parallel' }, {}, ({ run }) => run()],
  ])('%s', async (_what, expected, fields, change) => {
    const found = await setup(fields);
    await change?.(found);
    const { now } = await found.explain();
    expect(now).toMatchObject(expected);
    expect(now.explanation).toMatch(/^[A-Z].*\.$/);
  });

  it('names the local time of the number if the window is closed there', async () => {
    const { about, campaignId, explain } = await setup({
      timezone: 'Asia/Tokyo',
      allowedFrom: '09:00:00',
      allowedUntil: '18:00:00',
    });
    await setCampaign(about, campaignId, 'is_lead_timezone_respected', true);
    const { id } = await makeLead(about, campaignId, { phoneNumber: '+4930901820' });
    const { now } = await explain(id);
    expect(now).toMatchObject({ decision: 'wait', reason: 'lead_window_closed' });
    expect(now.explanation).toContain('(09:00 to 18:00)');
    expect(now.explanation).toContain('it is 01:00 on Thursday in Europe/Berlin');
  });

  it('waits for its next round', async () => {
    const { about, run, dial, explain } = await setup({ retryIntervalSeconds: 600 });
    await run();
    await endUnanswered(about, (await dial()).callId, 'busy');
    expect((await explain()).now).toMatchObject({
      decision: 'wait',
      reason: 'not_due',
      until: '2026-01-01T00:10:00.000000Z',
      round: 2,
    });
  });

  it('says the same as the claim does', async () => {
    const { about, campaignId, explain, run, dial } = await setup({ status: 'stopped' });
    await run();
    expect((await explain()).now.decision).toBe('wait');
    await setCampaign(about, campaignId, 'status', 'in-progress');
    expect((await explain()).now.decision).toBe('dial');
    await run();
    expect((await dial()).callId).toBeGreaterThan(0);
  });
});

describe('why a lead was called', () => {
  it('every call with its reason, newest first, contacts included', async () => {
    const { about, clock, lead, run, dial, explain } = await setup({ retryIntervalSeconds: 600 }, [
      freshNumber(),
    ]);
    await run();
    await endUnanswered(about, (await dial()).callId, 'no-answer');
    await endUnanswered(about, (await dial()).callId, 'busy');
    clock.advance(600_000);
    await run();
    await talkAndSettle(about, (await dial()).callId);
    const { lead_id, now, attempts } = await explain();
    expect(lead_id).toBe(lead.id);
    expect(now).toMatchObject({ decision: 'never', reason: 'lead_done', until: null });
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['talked', 'busy', 'no_answer']);
    expect(attempts.map((attempt) => [attempt.round, attempt.decision?.reason, attempt.status])).toEqual([
      [2, 'retry', 'completed'],
      [1, 'next_contact', 'busy'],
      [1, 'first_call', 'no-answer'],
    ]);
    expect(attempts[0]).toMatchObject({
      lead_id: lead.id,
      phone_number: lead.phoneNumber,
      at: '2026-01-01T00:10:00.000000Z',
      is_counted: true,
      decision: {
        due_at: '2026-01-01T00:10:00.000000Z',
        window_closes_at: '2026-01-02T00:00:00.000000Z',
        free_calls: 1,
      },
    });
  });

  it('tells what was no attempt, and what is not over', async () => {
    const { about, campaignId, run, dial, explain } = await setup();
    await run();
    const { callId } = await dial();
    expect((await explain()).attempts).toMatchObject([{ call_id: callId, is_counted: null }]);
    await setCampaign(about, campaignId, 'status', 'stopped');
    await askToDial(about, callId);
    expect((await explain()).attempts).toMatchObject([
      { ended_reason: 'campaign_stopped', is_counted: false },
    ]);
  });

  it('accepts the id of a contact too, and only from the owner', async () => {
    const { ctx, lead, explain } = await setup({}, [freshNumber()]);
    expect((await explain(lead.contactIds[0])).lead_id).toBe(lead.id);
    const stranger = await makeUser(ctx);
    await expect(explainLead(ctx, stranger, lead.id)).rejects.toMatchObject({ kind: 'not-found' });
  });
});
