import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { statement } from '@parley/db';
import { restoreBackup, takeBackup } from '@parley/db/backup';
import { silentLog } from '@parley/runtime';
import { createTestDatabase, useTestDatabase } from '@parley/testkit';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import {
  arrange,
  endOf,
  freshNumber,
  intendFor,
  makeAnsweredCall,
  makeCall,
  makeContext,
  makeDialedCall,
  makeUser,
  makeVoiceProcess,
  waitingJobs,
  type Arrangement,
} from '../../test/arrange.ts';
import { askToDial, leadState, liveDials, makeCampaign, makeLead } from '../../test/arrange-campaign.ts';
import { arrangeWebhooks } from '../../test/arrange-webhooks.ts';
import { findDisarmed } from '../capacity/disarmed.ts';
import { findCall } from '../calls/find-call.ts';
import { countCalls } from '../calls/count-calls.ts';
import { authorizeDial } from '../lifecycle/authorize-dial.ts';
import { finishCall } from '../lifecycle/finish-call.ts';
import { runCampaign } from '../lifecycle/run-campaign.ts';
import { sweepCalls } from '../lifecycle/sweep-calls.ts';
import { diskStorage } from '../recordings/disk-storage.ts';
import { recordingKey } from '../recordings/recording-key.ts';
import { claimDeliveries } from '../webhooks/claim-deliveries.ts';
import { arm } from './arm.ts';

const original = useTestDatabase();

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-backup-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Takes a backup of the original. */
async function backUp(input: { recordings?: string } = {}): Promise<string> {
  const folder = await makeFolder();
  const path = join(folder, 'backup.tar');
  await takeBackup({
    url: original.url,
    path,
    recordings: diskStorage(input.recordings ?? folder),
    version: '0.1.0',
    secretKeyCheck: 'sealed',
    onBytes: () => undefined,
    signal: new AbortController().signal,
  });
  return path;
}

async function newDatabase() {
  const database = await createTestDatabase(inject('postgresUrl'));
  onTestFinished(() => database.drop());
  return database;
}

function restore(url: string, path: string, { recordings = join(path, '..', 'copy'), isOwnKey = true } = {}) {
  return restoreBackup({
    url,
    path,
    recordings: diskStorage(recordings),
    isOwnKey: (sealed) => isOwnKey && sealed === 'sealed',
    log: silentLog,
    at: new Date('2026-05-02T10:00:00Z'),
    onBytes: () => undefined,
  });
}

/** A copy of the original, with a voice process of its own. */
async function copyOf(about: Arrangement): Promise<Arrangement> {
  const path = await backUp();
  const { db, url } = await newDatabase();
  await restore(url, path);
  const { ctx, clock } = makeContext(db);
  clock.advance(about.clock.now() - clock.now());
  return { ...about, ctx, clock, fence: await makeVoiceProcess(ctx) };
}

const one = async <Row>({ db }: Pick<Arrangement['ctx'], 'db'>, sql: string): Promise<Row | undefined> =>
  (await db.query(statement<Row>('', sql)))[0];

describe('a backup', () => {
  it('that is taken while rows are written is consistent', async () => {
    const pair = statement(
      '',
      `with event as (
         insert into call_events values (1, now(), nextval('call_event_ids'), now(), 'test', '{}')
       ) insert into campaign_wakes (campaign_id, at) values (1, now())`,
    );
    const count = `select (select count(*) from call_events where type = 'test') as events,
      (select count(*) from campaign_wakes) as wakes`;
    const rows = (db: Arrangement['ctx']['db']) => one<{ events: number; wakes: number }>({ db }, count);
    const taken = new AbortController();
    const write = async (): Promise<void> => {
      while (!taken.signal.aborted) await original.db.query(pair);
    };
    const writing = write();
    const path = await backUp();
    taken.abort();
    await writing;
    await original.db.query(pair);
    const copy = await newDatabase();
    await restore(copy.url, path);
    const copied = await rows(copy.db);
    expect(copied?.events).toBe(copied?.wakes);
    expect((await rows(original.db))?.events).toBeGreaterThan(copied?.events ?? 0);
  });

  it('restores rows into the partition of their month, counts, sequences and recordings', async () => {
    const about = await arrange(original.db, { record_call: true });
    const callId = await makeAnsweredCall(about);
    const key = recordingKey(callId, new Date(about.clock.now()));
    const recordings = await makeFolder();
    const writer = await diskStorage(recordings).createWriter(key);
    await writer.write(Buffer.from('sound'), 0);
    await writer.close();
    await finishCall(about.ctx, {
      ...endOf(about, callId),
      recording: { key, durationMs: 1, sampleRate: 8000 },
    });
    await original.db.query(
      statement(
        '',
        `create table calls_y2024m03 partition of calls for values from ('2024-03-01Z') to ('2024-04-01Z')`,
      ),
    );
    onTestFinished(async () => {
      await original.db.query(statement('', 'drop table calls_y2024m03'));
    });
    await original.db.query(
      statement(
        '',
        `insert into calls (id, created_at, user_id, assistant_id, assistant_name, type, status,
           assistant_phone_number, client_phone_number, configuration, changed_at, updated_at)
         select nextval('call_ids'), '2024-03-05Z', user_id, assistant_id, assistant_name, type, 'failed',
           assistant_phone_number, client_phone_number, configuration, changed_at, updated_at
         from calls where id = $1`,
      ),
      [callId],
    );
    const path = await backUp({ recordings });
    const copy = await newDatabase();
    const restored = await makeFolder();
    await restore(copy.url, path, { recordings: restored });
    const { ctx } = makeContext(copy.db);
    const old = `select tableoid::regclass::text as partition from calls where created_at < '2025-01-01'`;
    expect(await one<{ partition: string }>(ctx, old)).toEqual({ partition: 'calls_y2024m03' });
    const last = `select last_value::int as id from call_ids`;
    expect(await one(ctx, last)).toEqual(await one(about.ctx, last));
    expect((await makeUser(ctx)).userId).toBeGreaterThan(about.identity.userId);
    expect(await findCall(ctx, about.identity, callId)).toMatchObject({ id: callId, status: 'completed' });
    expect(await countCalls(ctx)).toEqual(await countCalls(about.ctx));
    expect(await text(diskStorage(restored).open(key))).toBe('sound');
  });

  it('is refused where it is damaged, before anything is written', async () => {
    await arrange(original.db);
    const path = await backUp();
    const bytes = await readFile(path);
    const copy = await newDatabase();
    const cut = bytes.subarray(0, bytes.length >> 1);
    const changed = Buffer.from(bytes);
    // Within the first row of the first table, after the header of its entry.
    changed.writeUInt8(changed.readUInt8(520) ^ 1, 520);
    for (const [damaged, reason] of [
      [cut, /is damaged/],
      [changed, /is damaged: the checksum of database\/\w+\/000000 is wrong/],
      [Buffer.from('no archive'), /is damaged/],
    ] as const) {
      const file = join(path, '..', 'damaged.tar');
      await writeFile(file, damaged);
      await expect(restore(copy.url, file)).rejects.toThrow(reason);
    }
    expect(await findDisarmed(copy.db)).toBeNull();
    expect(await one(copy, 'select count(*) as users from users')).toEqual({ users: 0 });
  });

  it('is refused by a database that is not empty, with another key, and with other migrations', async () => {
    await arrange(original.db);
    const path = await backUp();
    await expect(restore(original.url, path)).rejects.toThrow('The database is not empty.');
    const copy = await newDatabase();
    await expect(restore(copy.url, path, { isOwnKey: false })).rejects.toThrow('another SECRET_KEY');
    await original.db.query(
      statement('', `update mikro_orm_migrations set name = '98-later' where name = '10-restored-copy'`),
    );
    onTestFinished(async () => {
      await original.db.query(
        statement('', `update mikro_orm_migrations set name = '10-restored-copy' where name = '98-later'`),
      );
    });
    const later = await backUp();
    await expect(restore(copy.url, later)).rejects.toThrow(
      /it lacks 10-restored-copy; it has 98-later, .*Restore it with the version that made it \(0\.1\.0\), then upgrade\./,
    );
    expect(await one(copy, 'select count(*) as users from users')).toEqual({ users: 0 });
  });

  it('that fails leaves no file', async () => {
    const folder = await makeFolder();
    const signal = AbortSignal.abort();
    const backup = { url: original.url, path: join(folder, 'backup.tar'), recordings: diskStorage(folder) };
    const facts = { version: '0.1.0', secretKeyCheck: 'sealed', onBytes: () => undefined };
    await expect(takeBackup({ ...backup, ...facts, signal })).rejects.toThrow();
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a restored copy', () => {
  it('ends the calls that were live, without a second INVITE and without a BYE', async () => {
    const about = await arrange(original.db);
    const campaignId = await makeCampaign(about);
    const { id: leadId } = await makeLead(about, campaignId);
    await runCampaign(about.ctx, campaignId);
    const [claimed] = await liveDials(about, campaignId);
    const placed = await makeCall(about);
    const dialed = await makeDialedCall(about);
    const answered = await makeAnsweredCall(about);
    const copy = await copyOf(about);
    const takenAt = new Date(about.clock.now() + 5_000);
    await copy.ctx.db.query(statement('', 'update restored_copy set taken_at = $1'), [takenAt]);
    copy.clock.advance(3_600_000);
    await sweepCalls(copy.ctx, { hasBeenReachableForMs: 60_000, unreachable: [] });
    const lost = `select count(*) as calls from calls
      where ended_reason = 'process_lost' and ended_at = (select taken_at from restored_copy)`;
    expect(await one(copy.ctx, lost)).toEqual({ calls: 4 });
    expect(await findCall(copy.ctx, about.identity, answered)).toMatchObject({ duration: 5 });
    for (const callId of [claimed?.callId ?? 0, placed, dialed, answered]) {
      const call = await findCall(copy.ctx, about.identity, callId);
      expect(call.status).toBe(callId === answered ? 'completed' : 'failed');
      expect(await waitingJobs(copy.ctx, 'dial_call', { callId })).toBe(0);
    }
    expect(await one(copy.ctx, 'select count(*) as live from live_calls')).toEqual({ live: 0 });
    const dialogs = `select count(*) as jobs from graphile_worker.jobs where task_identifier = 'end_dialog'`;
    expect(await one(copy.ctx, dialogs)).toEqual({ jobs: 0 });
    // The attempt counts, because the original may have dialed it.
    expect(await leadState(copy, leadId)).toMatchObject({ attempts: 1 });
    await arm(copy.ctx);
    await runCampaign(copy.ctx, campaignId);
    expect(await liveDials(copy, campaignId)).toEqual([]);
  });

  it('neither dials nor posts webhooks until it is armed', async () => {
    const about = await arrangeWebhooks(original.db);
    const campaignId = await makeCampaign(about);
    await makeLead(about, campaignId);
    const deliveryId = await about.announce();
    const copy = await copyOf(about);
    const claim = () => claimDeliveries(copy.ctx, { claimer: 'one', count: 100, perReceiver: 100 });
    const copied = async () => (await claim()).filter(({ id }) => id === deliveryId);

    await runCampaign(copy.ctx, campaignId);
    expect(await liveDials(copy, campaignId)).toEqual([]);
    const callId = await makeCall(copy, freshNumber());
    await intendFor(copy.ctx, callId, copy.fence);
    expect(await authorizeDial(copy.ctx, { callId, fence: copy.fence })).toEqual({
      isAllowed: false,
      reason: 'disarmed',
    });
    expect(await claim()).toEqual([]);
    expect(await findDisarmed(copy.ctx.db)).toMatchObject({ takenAt: expect.any(Date) as Date });

    expect(await arm(copy.ctx)).toBe(true);
    expect(await arm(copy.ctx)).toBe(false);
    expect(await waitingJobs(copy.ctx, 'run_campaign', { campaignId })).toBe(1);
    await runCampaign(copy.ctx, campaignId);
    const [dial] = await liveDials(copy, campaignId);
    expect(await askToDial(copy, dial?.callId ?? 0)).toEqual({ isAllowed: true });
    expect(await copied()).toHaveLength(1);
  });
});
