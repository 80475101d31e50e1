import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { arrange, endOf, makeAnsweredCall } from '../../test/arrange.ts';
import { findCall } from '../calls/find-call.ts';
import { finishCall } from '../lifecycle/finish-call.ts';
import { diskStorage } from './disk-storage.ts';
import { recordingKey } from './recording-key.ts';
import { findRecordingByUrl } from './recording-url.ts';

const DAY_MS = 86_400_000;
const database = useTestDatabase();

async function makeStorage() {
  const directory = await mkdtemp(join(tmpdir(), 'recordings-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return { directory, storage: diskStorage(directory) };
}

const bytes = (written: string) => new TextEncoder().encode(written);

describe('recordings on disk', () => {
  it('grow at any place, and can be read in parts', async () => {
    const { storage } = await makeStorage();
    const writer = await storage.createWriter('2026/01/7.wav');
    await writer.write(bytes('----world'), 0);
    await writer.write(bytes('head'), 0);
    await writer.close();
    await writer.close();
    expect(await text(storage.open('2026/01/7.wav'))).toBe('headworld');
    expect(await text(storage.open('2026/01/7.wav', { start: 4, end: 6 }))).toBe('wor');
    expect(await storage.size('2026/01/7.wav')).toBe(9);
  });

  it('are readable by their owner only', async () => {
    const { directory, storage } = await makeStorage();
    await (await storage.createWriter('a/b.wav')).close();
    expect((await stat(join(directory, 'a/b.wav'))).mode & 0o077).toBe(0);
    expect((await stat(join(directory, 'a'))).mode & 0o077).toBe(0);
  });

  it('that are gone have no size, and may be removed again', async () => {
    const { storage } = await makeStorage();
    await (await storage.createWriter('a.wav')).close();
    await storage.remove('a.wav');
    await storage.remove('a.wav');
    expect(await storage.size('a.wav')).toBeNull();
  });

  it('never leave their folder', async () => {
    const { storage } = await makeStorage();
    await expect(storage.size('../outside.wav')).rejects.toThrow();
    expect(() => storage.open('a/../../outside.wav')).toThrow();
  });
});

describe("a recording's address", () => {
  async function setup() {
    const about = await arrange(database.db, { record_call: true });
    const callId = await makeAnsweredCall(about);
    const key = recordingKey(callId, new Date(about.clock.now()));
    await finishCall(about.ctx, {
      ...endOf(about, callId),
      recording: { key, durationMs: 1, sampleRate: 8000 },
    });
    const { recording_url: url } = await findCall(about.ctx, about.identity, callId);
    const signature = /\/([\w-]+)\.wav$/.exec(url ?? '')?.[1] ?? '';
    return { ...about, callId, key, signature };
  }

  it('opens that recording, and no other', async () => {
    const [one, other] = [await setup(), await setup()];
    expect(await findRecordingByUrl(one.ctx, { callId: one.callId, signature: one.signature })).toEqual({
      key: one.key,
    });
    expect(await findRecordingByUrl(one.ctx, { callId: other.callId, signature: one.signature })).toBeNull();
    expect(
      await findRecordingByUrl(one.ctx, { callId: one.callId, signature: `${one.signature}x` }),
    ).toBeNull();
    expect(await findRecordingByUrl(one.ctx, { callId: 999_999_999, signature: one.signature })).toBeNull();
  });

  it('expires after 30 days, and every reading of the call gives a fresh one', async () => {
    const { ctx, clock, identity, callId, signature } = await setup();
    const open = (found: string) => findRecordingByUrl(ctx, { callId, signature: found });
    clock.advance(29 * DAY_MS);
    expect(await open(signature)).not.toBeNull();
    clock.advance(2 * DAY_MS);
    expect(await open(signature)).toBeNull();
    const { recording_url: url } = await findCall(ctx, identity, callId);
    expect(await open(/\/([\w-]+)\.wav$/.exec(url ?? '')?.[1] ?? '')).not.toBeNull();
  });

  it('cannot be prolonged', async () => {
    const { ctx, callId, signature } = await setup();
    const [expiry = '', ...rest] = signature.split('-');
    for (const changed of [`${Number(expiry) + 86_400}`, '0', `0${expiry}`.replace(/\d$/, '1')]) {
      const forged = [changed, ...rest].join('-');
      expect(
        await findRecordingByUrl({ ...ctx, recordingLinkDays: 0 }, { callId, signature: forged }),
      ).toBeNull();
    }
    expect(await findRecordingByUrl(ctx, { callId, signature: rest.join('-') })).toBeNull();
  });

  it('is valid as long as the recording exists if that is set', async () => {
    const { ctx, clock, identity, callId } = await setup();
    const lasting = { ...ctx, recordingLinkDays: 0 };
    const { recording_url: url } = await findCall(lasting, identity, callId);
    const signature = /\/([\w-]+)\.wav$/.exec(url ?? '')?.[1] ?? '';
    clock.advance(1000 * DAY_MS);
    expect(await findRecordingByUrl(lasting, { callId, signature })).not.toBeNull();
    expect(await findRecordingByUrl(ctx, { callId, signature })).toBeNull();
  });
});
