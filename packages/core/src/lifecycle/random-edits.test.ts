/**
 * Random sequences of everything that an owner, the phones and a kill can do to two running campaigns that share their
 * numbers. After each step no lead may be left behind (`dialing/check-leads.ts`). A seed repeats a run;
 * `npm run test:random -- --runs 10000` draws that many sequences.
 */
import { campaignChangesBody, leadChangesBody } from '@parley/contracts';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { arrange, endOf, type Arrangement } from '../../test/arrange.ts';
import { askToDial, liveDials, makeCampaign } from '../../test/arrange-campaign.ts';
import { expectNoLeadFaults, writeLead } from '../../test/arrange-leads.ts';
import { dice } from '../../test/dice.ts';
import { startCampaign, stopCampaign } from '../campaigns/update-campaign-status.ts';
import { updateCampaign } from '../campaigns/update-campaign.ts';
import type { CoreContext } from '../context.ts';
import { addToDoNotCallList, removeFromDoNotCallList } from '../do-not-call/do-not-call-list.ts';
import { deleteLead } from '../leads/delete-lead.ts';
import { updateLead } from '../leads/update-lead.ts';
import { DomainError } from '../shared/domain-error.ts';
import { completeCall } from './complete-call.ts';
import { finishCall } from './finish-call.ts';
import { recordCallEvent } from './record-call-event.ts';
import { runCampaign } from './run-campaign.ts';

const database = useTestDatabase();

const SEED = Number(process.env['PARLEY_SEED'] ?? 5);
const SEQUENCES = Number(process.env['PARLEY_FUZZ_RUNS'] ?? 6);
const STEPS = 40;
const KILL_SHARE = 0.15;
/** Few numbers, so that leads share them. */
const NUMBERS = Array.from({ length: 7 }, (_, index) => `+1202555012${index}`);
const WORK_MS = 20_000;
const A_WEEK_OF_DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

const selectLeads = statement<{ id: number }>(
  'test_leads_of_user',
  'select id from leads where user_id = $1 order by id',
);
const selectUnsettled = statement<{ id: number }>(
  'test_unsettled_calls',
  `select id from calls where user_id = $1 and status like 'ended%' order by id`,
);

class Killed extends Error {}

/** A process that is killed right after its first commit: nothing that should follow happens. */
function killedAfterCommit(ctx: CoreContext): CoreContext {
  const transaction: CoreContext['db']['transaction'] = async (work) => {
    await ctx.db.transaction(work);
    throw new Killed();
  };
  const fills = { run: async () => undefined } as unknown as CoreContext['fills'];
  return { ...ctx, fills, db: { ...ctx.db, transaction } };
}

type Step = (about: Arrangement) => Promise<unknown>;

/** What can happen, by name; the dice select one, and its subject. */
function stepsOf(throwDice: () => number, campaigns: readonly number[]): Record<string, Step> {
  const pick = <Item>(items: readonly Item[]): Item | undefined =>
    items[Math.floor(throwDice() * items.length)];
  const number = () => pick(NUMBERS) ?? '';
  const campaign = () => pick(campaigns) ?? 0;
  const lead = async ({ ctx, identity }: Arrangement) =>
    pick(await ctx.db.query(selectLeads, [identity.userId]))?.id ?? 0;
  const change =
    (fields: () => Record<string, unknown>): Step =>
    async (about) => {
      const changes = leadChangesBody.parse(fields());
      await updateLead(about.ctx, about.identity, { id: await lead(about), changes });
    };
  const set =
    (fields: () => Record<string, unknown>): Step =>
    ({ ctx, identity }) =>
      updateCampaign(ctx, identity, { id: campaign(), changes: campaignChangesBody.parse(fields()) });
  const withCall =
    (work: (about: Arrangement, callId: number) => Promise<unknown>): Step =>
    async (about) => {
      const dial = pick(await liveDials(about, campaign()));
      if (dial) await work(about, dial.callId);
    };
  const unanswered = (event: 'busy' | 'no-answer' | 'failed', reason: 'busy' | 'no_answer' | 'unreachable') =>
    withCall(async (about, callId) => {
      await askToDial(about, callId);
      const at = new Date(about.clock.now());
      await recordCallEvent(about.ctx, { callId, event, at, detail: { reason }, fence: about.fence });
    });
  return {
    'add a lead': (about) => {
      const secondary = throwDice() < 0.5 ? [{ phone_number: number() }, { phone_number: number() }] : [];
      const fields = { phone_number: number(), secondary_contacts: secondary, allow_duplicate: true };
      return writeLead(about, campaign(), fields);
    },
    'change a number': change(() => ({ phone_number: number() })),
    'set a lead back': change(() => ({ status: 'created' })),
    'end a lead': change(() => ({ status: pick(['completed', 'reached-max-retries']) })),
    'move a lead': change(() => ({ campaign_id: campaign() })),
    'delete a lead': async (about) => deleteLead(about.ctx, about.identity, await lead(about)),
    'forbid a number': ({ ctx, identity }) => addToDoNotCallList(ctx, identity, { phoneNumber: number() }),
    'allow a number': ({ ctx, identity }) =>
      removeFromDoNotCallList(ctx, identity, { phoneNumber: number() }),
    'allow no day': set(() => ({ allowed_days: ['monday'], respect_lead_timezone: true })),
    'allow impossible hours': set(() => ({
      timezone: 'Pacific/Kiritimati',
      allowed_hours_start_time: '14:00:00',
      allowed_hours_end_time: '14:30:00',
      respect_lead_timezone: true,
    })),
    'allow all hours': set(() => ({
      timezone: 'UTC',
      allowed_hours_start_time: '00:00:00',
      allowed_hours_end_time: '23:59:00',
      allowed_days: A_WEEK_OF_DAYS,
      respect_lead_timezone: false,
    })),
    'change the retries': set(() => ({ max_retries: Math.floor(throwDice() * 3) })),
    start: ({ ctx, identity }) => startCampaign(ctx, identity, campaign()),
    stop: ({ ctx, identity }) =>
      stopCampaign(ctx, identity, { id: campaign(), isHangingUp: throwDice() < 0.3 }),
    run: ({ ctx }) => runCampaign(ctx, campaign()),
    'run again': ({ ctx }) => runCampaign(ctx, campaign()),
    wait: async ({ clock }) => clock.advance(Math.floor(throwDice() * WORK_MS)),
    'wait for the next round': async ({ clock }) => clock.advance(3_600_000),
    'be busy': unanswered('busy', 'busy'),
    'not answer': unanswered('no-answer', 'no_answer'),
    fail: unanswered('failed', 'unreachable'),
    answer: withCall(async (about, callId) => {
      await askToDial(about, callId);
      const at = new Date(about.clock.now());
      await recordCallEvent(about.ctx, { callId, event: 'answered', at, fence: about.fence });
    }),
    'hang up': withCall((about, callId) => finishCall(about.ctx, endOf(about, callId))),
    settle: async (about) => {
      const call = pick(await about.ctx.db.query(selectUnsettled, [about.identity.userId]));
      if (call) await completeCall(about.ctx, call.id);
    },
  };
}

it(
  `no sequence of edits, calls and kills leaves a lead behind (seed ${SEED})`,
  { timeout: 3_600_000 },
  async () => {
    const throwDice = dice(SEED);
    const done = new Set<string>();
    for (let sequence = 0; sequence < SEQUENCES; sequence++) {
      const about = await arrange(database.db);
      const campaigns = [await makeCampaign(about), await makeCampaign(about, { maxCallsInParallel: 1 })];
      const steps = Object.entries(stepsOf(throwDice, campaigns));
      const story: string[] = [];
      for (let count = 0; count < STEPS; count++) {
        const [name, step] = steps[Math.floor(throwDice() * steps.length)] ?? ['', async () => {}];
        const isKilled = throwDice() < KILL_SHARE;
        story.push(isKilled ? `${name} (killed)` : name);
        await perform(step, isKilled ? { ...about, ctx: killedAfterCommit(about.ctx) } : about);
        done.add(name);
        for (const id of campaigns)
          await expectNoLeadFaults(about, id).catch((error: unknown) => {
            throw new Error(`Sequence ${sequence}: ${story.join(', ')}`, { cause: error });
          });
      }
    }
    // Otherwise the run has proved little.
    expect(done.size).toBeGreaterThan(20);
  },
);

/** A refusal is as good as a change, and so is the end of a process. */
async function perform(step: Step, about: Arrangement): Promise<void> {
  try {
    await step(about);
  } catch (error) {
    if (!(error instanceof DomainError || error instanceof Killed)) throw error;
  }
}
