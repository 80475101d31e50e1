/**
 * Random sequences of everything that an owner, the phones and a kill can do to two running campaigns that share their
 * numbers. After each step no lead may be left behind (`dialing/check-leads.ts`). A seed repeats a run;
 * `npm run test:random -- --runs 10000` draws that many sequences.
 */
import {
  api,
  campaignChangesBody,
  dialPolicyBody,
  leadChangesBody,
  newTrunkBody,
  routesOf,
  trunkChangesBody,
} from '@parley/contracts';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { arrange, endOf, freshNumber, type Arrangement } from '../../test/arrange.ts';
import { askToDial, liveDials, makeCampaign } from '../../test/arrange-campaign.ts';
import { importCsv } from '../../test/arrange-imports.ts';
import { expectNoLeadFaults, writeLead } from '../../test/arrange-leads.ts';
import { dice } from '../../test/dice.ts';
import { changeUserAccount } from '../accounts/user-accounts.ts';
import { deleteAssistant } from '../assistants/delete-assistant.ts';
import { deleteCampaign } from '../campaigns/delete-campaign.ts';
import { startCampaign, stopCampaign } from '../campaigns/update-campaign-status.ts';
import { updateCampaign } from '../campaigns/update-campaign.ts';
import { recordConsent, removeConsent } from '../consents/consent-records.ts';
import type { CoreContext } from '../context.ts';
import { addToDoNotCallList, removeFromDoNotCallList } from '../do-not-call/do-not-call-list.ts';
import { changeDialPolicy } from '../fraud-protection/dial-policy.ts';
import { undoImport } from '../imports/undo-import.ts';
import { createLeads } from '../leads/create-leads.ts';
import { deleteLead } from '../leads/delete-lead.ts';
import { updateLead } from '../leads/update-lead.ts';
import { DomainError } from '../shared/domain-error.ts';
import { addNumber } from '../trunks/phone-numbers.ts';
import { removeNumber, removeTrunk } from '../trunks/remove-line.ts';
import { addTrunk, changeTrunk } from '../trunks/trunks.ts';
import { completeCall } from './complete-call.ts';
import { finishCall } from './finish-call.ts';
import { placeCall } from './place-call.ts';
import { recordCallEvent } from './record-call-event.ts';
import { removeCall } from './remove-call.ts';
import { requestHangUp } from './request-hang-up.ts';
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

const selectLeads = statement<{ id: number }>('', 'select id from leads where user_id = $1 order by id');
const selectUnsettled = statement<{ id: number }>(
  '',
  `select id from calls where user_id = $1 and status like 'ended%' order by id`,
);

const selectImports = statement<{ id: number }>(
  '',
  'select id from lead_imports where user_id = $1 order by id',
);
const selectCalls = statement<{ id: number }>('', 'select id from calls where user_id = $1 order by id');
const selectTrunks = statement<{ id: number }>('', 'select id from trunks where user_id = $1 order by id');
const selectNumbers = statement<{ id: number }>(
  '',
  'select id from phone_numbers where user_id = $1 order by id',
);

/**
 * Every write of the contract with the steps that perform it, or with the reason why it cannot leave a lead behind. A new
 * write belongs in here.
 */
const WRITES: Readonly<Record<string, readonly string[] | string>> = {
  'assistants.create': 'no campaign uses it yet',
  'assistants.update': 'calls take a copy of the settings; the dial rule does not read them',
  'assistants.remove': ['delete the assistant'],
  'assistants.generateReply': 'writes nothing',
  'assistants.disableWebhook': 'webhooks only',
  'assistants.disableInboundWebhook': 'webhooks only',
  'assistants.enableWebhook': 'webhooks only',
  'assistants.enableInboundWebhook': 'webhooks only',
  'assistants.disableConversationEndedWebhook': 'webhooks only',
  'assistants.enableConversationEndedWebhook': 'webhooks only',
  'assistantVersions.restore': 'the same as assistants.update',
  'folders.create': 'the order of assistants only',
  'folders.update': 'the order of assistants only',
  'folders.remove': 'the order of assistants only',
  'labels.create': 'the order of assistants only',
  'labels.update': 'the order of assistants only',
  'labels.remove': 'the order of assistants only',
  'tools.create': 'what assistants do in calls only',
  'tools.update': 'what assistants do in calls only',
  'tools.remove': 'what assistants do in calls only',
  'knowledgebases.create': 'what assistants know only',
  'knowledgebases.update': 'what assistants know only',
  'knowledgebases.remove': 'what assistants know only',
  'documents.create': 'what assistants know only',
  'documents.update': 'what assistants know only',
  'documents.remove': 'what assistants know only',
  'recordedPhrases.create': 'what calls play only',
  'recordedPhrases.remove': 'what calls play only',
  'suites.create': 'simulated callers only',
  'suites.update': 'simulated callers only',
  'suites.remove': 'simulated callers only',
  'suites.start': 'simulated callers only',
  'suiteRuns.cancel': 'simulated callers only',
  'suiteRuns.remove': 'simulated callers only',
  'suiteRuns.replay': 'simulated callers only',
  'leads.create': ['add a lead'],
  'leads.createMany': ['add leads'],
  'leads.update': ['change a number', 'set a lead back', 'end a lead', 'move a lead'],
  'leads.remove': ['delete a lead'],
  'leadImports.create': ['import leads'],
  'leadImports.undo': ['undo an import'],
  'campaigns.create': 'a draft without leads',
  'campaigns.update': ['allow no day', 'allow impossible hours', 'allow all hours', 'change the retries'],
  'campaigns.remove': ['delete a campaign'],
  'campaigns.forecast': 'writes nothing',
  'campaigns.updateStatus': ['start', 'stop'],
  'calls.evaluate': 'writes nothing',
  'calls.make': ['place a call'],
  'calls.makeStream': 'places a call as calls.make does',
  'calls.setDisposition': 'the record only',
  'calls.remove': ['remove a call'],
  'calls.hangUp': ['hang a call up'],
  'users.create': 'another account',
  'users.update': ['limit the account', 'limit the attempts'],
  'users.remove': 'deletes the leads and calls of a user who is disabled',
  'tokens.create': 'access only',
  'tokens.revoke': 'access only',
  'phoneNumbers.create': ['add a phone number'],
  'phoneNumbers.remove': ['remove a phone number'],
  'phoneNumbers.setRoute': 'inbound calls only',
  'phoneNumbers.removeRoute': 'inbound calls only',
  'phoneNumbers.purchase': 'stores a number as phoneNumbers.create does',
  'phoneNumbers.update': 'a name only',
  'carrierAccounts.create': 'accounts only',
  'carrierAccounts.update': 'accounts only',
  'carrierAccounts.remove': 'accounts only',
  'carrierAccounts.connect': 'stores a trunk as sipTrunks.create and sipTrunks.update do',
  'carrierAccounts.importNumbers': 'stores numbers as phoneNumbers.create does',
  'sms.send': 'messages only',
  'sipTrunks.create': ['add a trunk'],
  'sipTrunks.update': ['change a trunk'],
  'sipTrunks.diagnose': 'writes nothing',
  'sipTrunks.remove': ['remove a trunk'],
  'providers.create': 'engines only',
  'providers.update': 'engines only',
  'providers.remove': 'engines only',
  'prices.set': 'costs only',
  'doNotCall.add': ['forbid a number'],
  'doNotCall.remove': ['allow a number'],
  'consents.add': ['record consent'],
  'consents.remove': ['remove consent'],
  'people.erase': ['delete a lead', 'remove a call', 'remove consent', 'forbid a number', 'allow a number'],
  'webhookDeliveries.resend': 'webhooks only',
  'webhookDeliveries.resendMany': 'webhooks only',
  'webhookSecrets.rotate': 'webhooks only',
  'writtenConversations.create': 'written conversations only',
  'writtenConversations.disableAi': 'written conversations only',
  'writtenConversations.enableAi': 'written conversations only',
  'writtenConversations.generateReply': 'written conversations only',
  'writtenConversations.write': 'written conversations only',
  'webhookEndpoints.create': 'webhooks only',
  'webhookEndpoints.update': 'webhooks only',
  'webhookEndpoints.remove': 'webhooks only',
  'webhookEndpoints.rotateSecret': 'webhooks only',
  'webhookEndpoints.test': 'webhooks only',
};

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
  const one = async (rows: Promise<readonly { id: number }[]>): Promise<number> => pick(await rows)?.id ?? 0;
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
    'add leads': ({ ctx, identity }) =>
      createLeads(ctx, identity, {
        campaignId: campaign(),
        body: { leads: [{ phone_number: number() }, { phone_number: number() }], allow_duplicate: true },
      }),
    'import leads': ({ ctx, identity }) =>
      importCsv({ ctx, identity, campaignId: campaign() }, `phone_number\n${number()}\n${number()}\n`),
    'undo an import': async ({ ctx, identity }) =>
      undoImport(ctx, identity, await one(ctx.db.query(selectImports, [identity.userId]))),
    'delete a campaign': async ({ ctx, identity }) => {
      // Rarely, because what follows would have nothing left to act on.
      if (throwDice() < 0.1) await deleteCampaign(ctx, identity, campaign());
    },
    'delete the assistant': async ({ ctx, identity, assistant }) => {
      if (throwDice() < 0.1) await deleteAssistant(ctx, identity, assistant.id);
    },
    'place a call': ({ ctx, identity, assistant }) =>
      placeCall(ctx, identity, { phoneNumber: number(), assistantId: assistant.id }),
    'remove a call': async ({ ctx, identity }) =>
      removeCall(ctx, identity, await one(ctx.db.query(selectCalls, [identity.userId]))),
    'hang a call up': async ({ ctx, identity }) =>
      requestHangUp(ctx, identity, await one(ctx.db.query(selectCalls, [identity.userId]))),
    'limit the account': ({ ctx, identity }) =>
      changeUserAccount(ctx, identity, { id: identity.userId, max_calls: pick([1, 2, 10]) }),
    'limit the attempts': ({ ctx, identity }) =>
      changeUserAccount(ctx, identity, {
        id: identity.userId,
        max_attempts_per_number_per_day: pick([1, 2, null]),
        max_attempts_per_number_per_week: pick([2, 3, null]),
      }),
    'forbid the country': ({ ctx, identity }) =>
      changeDialPolicy(ctx, identity, dialPolicyBody.parse({ allowed_countries: ['DE'] })),
    'allow the country': ({ ctx, identity }) =>
      changeDialPolicy(ctx, identity, dialPolicyBody.parse({ allowed_countries: ['US'] })),
    'add a trunk': ({ ctx, identity }) =>
      addTrunk(ctx, identity, newTrunkBody.parse({ name: 'Carrier', host: '198.51.100.9' })),
    'change a trunk': async ({ ctx, identity }) =>
      changeTrunk(ctx, identity, {
        ...trunkChangesBody.parse({ max_concurrent_calls: pick([1, 5]) }),
        id: await one(ctx.db.query(selectTrunks, [identity.userId])),
      }),
    'remove a trunk': async ({ ctx, identity }) =>
      removeTrunk(ctx, identity, await one(ctx.db.query(selectTrunks, [identity.userId]))),
    'add a phone number': async ({ ctx, identity }) =>
      addNumber(ctx, identity, {
        phone_number: freshNumber(),
        sip_trunk_id: await one(ctx.db.query(selectTrunks, [identity.userId])),
        type_label: 'Normal',
      }),
    'remove a phone number': async ({ ctx, identity }) =>
      removeNumber(ctx, identity, await one(ctx.db.query(selectNumbers, [identity.userId]))),
    'delete a lead': async (about) => deleteLead(about.ctx, about.identity, await lead(about)),
    'forbid a number': ({ ctx, identity }) => addToDoNotCallList(ctx, identity, { phoneNumber: number() }),
    'allow a number': ({ ctx, identity }) =>
      removeFromDoNotCallList(ctx, identity, { phoneNumber: number() }),
    'record consent': ({ ctx, identity }) =>
      recordConsent(ctx, identity, { phoneNumber: number(), source: 'form' }),
    'remove consent': ({ ctx, identity }) => removeConsent(ctx, identity, { phoneNumber: number() }),
    'require consent': set(() => ({ require_consent: true })),
    'require no consent': set(() => ({ require_consent: false })),
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

it('the sequences contain every write of the contract that a lead depends on', () => {
  const writes = routesOf(api).filter(({ route }) => route.method !== 'GET');
  expect(Object.keys(WRITES).toSorted()).toEqual(
    writes.map(({ group, name }) => `${group}.${name}`).toSorted(),
  );
  const steps = Object.keys(stepsOf(dice(SEED), []));
  const named = Object.values(WRITES).flatMap((how) => (typeof how === 'string' ? [] : how));
  expect(named.filter((name) => !steps.includes(name))).toEqual([]);
});

/** A refusal is as good as a change, and so is the end of a process. */
async function perform(step: Step, about: Arrangement): Promise<void> {
  try {
    await step(about);
  } catch (error) {
    if (!(error instanceof DomainError || error instanceof Killed)) throw error;
  }
}
