import { openDatabase, statement } from '@parley/db';
import { silentLog, systemClock } from '@parley/runtime';
import { captureLog, useTestDatabase } from '@parley/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  askToDial,
  campaignStatus,
  liveDials,
  makeCampaign,
  makeLead,
  makeLeads,
  nextLook,
  setCampaign,
} from '../../test/arrange-campaign.ts';
import { hangUpsOf, queueOf, writeCampaign } from '../../test/arrange-leads.ts';
import {
  arrange,
  freshNumber,
  makeContext,
  makeNumber,
  makeUser,
  makeAssistant,
  waitingJobs,
} from '../../test/arrange.ts';
import { recordCallEvent } from '../lifecycle/record-call-event.ts';
import { runCampaign } from '../lifecycle/run-campaign.ts';
import { pinCampaign } from '../dialing/campaign-rows.ts';
import { startCampaign, stopCampaign } from './update-campaign-status.ts';

const database = useTestDatabase();

/** A running campaign with a call that has not left, one that rings, and one that talks. */
async function setupThreeCalls() {
  const about = await arrange(database.db);
  const { ctx, identity, clock, fence } = about;
  const id = await makeCampaign(about, { maxCallsInParallel: 3 });
  await makeLeads(about, id, 3);
  await runCampaign(ctx, id);
  const [unsent = 0, ringing = 0, talking = 0] = (await liveDials(about, id)).map(({ callId }) => callId);
  await askToDial(about, ringing);
  await askToDial(about, talking);
  const at = new Date(clock.now());
  await recordCallEvent(ctx, { callId: talking, event: 'answered', at, fence });
  const stop = (isHangingUp = false, clock = ctx.clock) =>
    stopCampaign({ ...ctx, clock }, identity, { id, isHangingUp });
  const live = async () => (await liveDials(about, id)).map(({ callId }) => callId);
  return { about, ctx, id, unsent, ringing, talking, stop, live };
}

describe('starting a campaign', () => {
  it.each(['draft', 'stopped', 'completed', 'in-progress'])(
    'makes one that is %s run, and wakes it',
    async (status) => {
      const about = await arrange(database.db);
      const id = await makeCampaign(about, { status });
      expect(await startCampaign(about.ctx, about.identity, id)).toEqual({
        isStarted: true,
        status: 'in-progress',
      });
      expect(await campaignStatus(about, id)).toBe('in-progress');
      expect(await nextLook(about, id)).not.toBeNull();
    },
  );

  it('needs an active outbound assistant', async () => {
    const about = await arrange(database.db);
    const { id } = await writeCampaign(about);
    for (const change of [
      `status = 'inactive'`,
      `status = 'active', type = 'inbound'`,
      `type = 'outbound', deleted_at = now()`,
    ]) {
      const sql = statement('', `update assistants set ${change} where id = $1`);
      await database.db.query(sql, [about.assistant.id]);
      expect(await startCampaign(about.ctx, about.identity, id), change).toEqual({
        isStarted: false,
        message: 'The campaign needs an active outbound assistant before it can be started.',
      });
    }
    expect(await campaignStatus(about, id)).toBe('draft');
  });

  it.each<[string, string, string]>([
    ['no weekday', `update campaigns set allowed_days = '{}' where id = $1`, 'No hour of the week'],
    [
      'blocked leads only',
      `update leads set dial_state = 'blocked', dial_reason = 'do_not_call' where campaign_id = $1`,
      'None of the remaining leads',
    ],
  ])('refuses one that can never dial: %s', async (_what, sql, reason) => {
    const about = await arrange(database.db);
    const id = await makeCampaign(about, { status: 'draft' });
    await makeLeads(about, id, 2);
    await database.db.query(statement('', sql), [id]);
    expect(await startCampaign(about.ctx, about.identity, id)).toEqual({
      isStarted: false,
      message: expect.stringContaining(reason),
    });
    expect(await campaignStatus(about, id)).toBe('draft');
  });

  const forbid = statement(
    '',
    `insert into do_not_call (user_id, phone_number, reason, created_at)
     select user_id, phone_number, '', created_at from leads where campaign_id = $1`,
  );
  const never = statement(
    '',
    `update campaigns set allowed_from = '09:00', allowed_until = '09:01', timezone = 'Europe/Berlin',
       is_lead_timezone_respected = true where id = $1`,
  );
  const consent = statement('', `update campaigns set is_consent_required = true where id = $1`);

  it.each([
    ['all leads are on the do-not-call list', forbid],
    ['its hours never meet those of its leads', never],
    ['consent is required and there is none', consent],
  ])('refuses one that no claim has looked at yet: %s', async (_what, change) => {
    const about = await arrange(database.db);
    const id = await makeCampaign(about, { status: 'draft' });
    await makeLead(about, id, { contacts: [freshNumber()] });
    await makeLead(about, id);
    await database.db.query(change, [id]);
    expect(await startCampaign(about.ctx, about.identity, id)).toEqual({
      isStarted: false,
      message: expect.stringContaining('None of the remaining leads'),
    });
    expect(await campaignStatus(about, id)).toBe('draft');
    // One person who may be called is enough.
    await database.db.query(statement('', 'update campaigns set is_consent_required = false where id = $1'), [
      id,
    ]);
    await setCampaign(about, id, 'is_lead_timezone_respected', false);
    await makeLead(about, id);
    expect(await startCampaign(about.ctx, about.identity, id)).toMatchObject({ isStarted: true });
  });

  it('starts one whose leads have used up their rounds: its claim settles them', async () => {
    const about = await arrange(database.db);
    const id = await makeCampaign(about, { status: 'stopped', maxRetries: 0 });
    await makeLead(about, id);
    await database.db.query(statement('', 'update dial_queue set attempt = 2 where campaign_id = $1'), [id]);
    expect(await startCampaign(about.ctx, about.identity, id)).toMatchObject({ isStarted: true });
  });

  it('needs a caller number where the account has none of its own', async () => {
    const { ctx } = makeContext(database.db);
    const identity = await makeUser(ctx);
    const about = { ctx, identity, assistant: await makeAssistant(ctx, identity) };
    const { id } = await writeCampaign(about);
    expect(await startCampaign(ctx, identity, id)).toEqual({
      isStarted: false,
      message:
        'The campaign needs a caller number before it can be started, because the account has no default one.',
    });
    await makeNumber(about);
    expect(await startCampaign(ctx, identity, id)).toMatchObject({ isStarted: true });
  });

  it("does not find a stranger's", async () => {
    const about = await arrange(database.db);
    const { id } = await writeCampaign(about);
    const stranger = await makeUser(about.ctx);
    const notFound = { kind: 'not-found', message: 'Campaign not found' };
    await expect(startCampaign(about.ctx, stranger, id)).rejects.toMatchObject(notFound);
    await expect(stopCampaign(about.ctx, stranger, { id, isHangingUp: true })).rejects.toMatchObject(
      notFound,
    );
  });
});

describe('stopping a campaign', () => {
  it.each([
    ['draft', 'draft'],
    ['in-progress', 'stopped'],
    ['stopped', 'stopped'],
    ['completed', 'completed'],
  ])('leaves one that is %s %s', async (before, after) => {
    const about = await arrange(database.db);
    const id = await makeCampaign(about, { status: before });
    const { status } = await stopCampaign(about.ctx, about.identity, { id, isHangingUp: false });
    expect(status).toBe(after);
    expect(await campaignStatus(about, id)).toBe(after);
  });

  it('cancels unanswered calls and lets answered ones continue', async () => {
    const { about, ctx, id, unsent, ringing, talking, stop, live } = await setupThreeCalls();
    await stop();
    expect(await live()).toEqual([ringing, talking]);
    expect(await hangUpsOf(about, id)).toEqual([{ callId: ringing, reason: 'campaign_stopped' }]);
    expect(await waitingJobs(ctx, 'hang_up_call', { callId: ringing })).toBe(1);
    expect(await waitingJobs(ctx, 'hang_up_call', { callId: talking })).toBe(0);
    // The cancelled dial was no attempt: its lead waits for a start as if nothing had been.
    expect(await queueOf(about, id)).toMatchObject([{ attempt: 1 }]);
    expect(unsent).not.toBe(0);
  });

  it('ends conversations too when asked to, also when it was stopped before', async () => {
    const { about, id, ringing, talking, stop } = await setupThreeCalls();
    await stop();
    await stop(true);
    expect(await hangUpsOf(about, id)).toEqual([
      { callId: ringing, reason: 'campaign_stopped' },
      { callId: talking, reason: 'campaign_stopped' },
    ]);
  });

  it('keeps everything that has not left from leaving', async () => {
    const about = await arrange(database.db);
    const id = await makeCampaign(about);
    await makeLeads(about, id, 1);
    await runCampaign(about.ctx, id);
    const [dial] = await liveDials(about, id);
    await setCampaign(about, id, 'status', 'stopped');
    expect(await askToDial(about, dial?.callId ?? 0)).toMatchObject({ isAllowed: false });
  });
});

describe('stopping a campaign beside another process', () => {
  const lockDial = statement('', 'select call_id from live_calls where call_id = $1 for update');
  const work = statement('', 'select pg_sleep(0.7)');

  /** Locks a call and its campaign, like a permission to dial. @param then - while it holds them */
  async function dialElsewhere(
    { id, unsent }: { id: number; unsent: number },
    then: (query: (sql: typeof work) => Promise<unknown>) => Promise<void>,
  ) {
    const other = openDatabase({ url: database.url, log: silentLog, poolSize: 1 });
    onTestFinished(() => other.close());
    const hasLocks = Promise.withResolvers<void>();
    const dial = other.transaction(async (tx) => {
      await tx.query(lockDial, [unsent]);
      await pinCampaign(tx, id);
      hasLocks.resolve();
      await then((sql) => tx.query(sql));
    });
    // A rejection is examined later.
    dial.catch(() => undefined);
    await hasLocks.promise;
    return { dial };
  }

  it('does not wait for one that is frozen, whose permission to dial is lost', async () => {
    const { live, ...about } = await setupThreeCalls();
    const { log, lines } = captureLog();
    const another = await setupThreeCalls();
    const thaw = Promise.withResolvers<void>();
    const { dial } = await dialElsewhere(about, () => thaw.promise);
    const { dial: bystander } = await dialElsewhere(another, () => thaw.promise);
    await stopCampaign({ ...about.ctx, clock: systemClock, log }, about.about.identity, {
      id: about.id,
      isHangingUp: false,
    });
    expect(await live()).not.toContain(about.unsent);
    const ended = lines.filter(({ msg }) => msg?.startsWith('Sessions of a frozen process'));
    expect(ended).toMatchObject([{ sessions: 1 }]);
    thaw.resolve();
    await expect(dial).rejects.toThrow(/connection/i);
    await expect(bystander).resolves.toBeUndefined();
  });

  it('waits for one that works', async () => {
    const { stop, ...about } = await setupThreeCalls();
    const { dial } = await dialElsewhere(about, async (query) => {
      await query(work);
    });
    await stop(false, systemClock);
    await expect(dial).resolves.toBeUndefined();
  });
});
