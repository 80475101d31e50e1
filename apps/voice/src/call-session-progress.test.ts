/** What a session stores while its call lasts, so that another process can go on with it, and what it stores after its end. */
import type { CallProgress } from '@parley/core';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { storedProgress } from '../test/arrange-lost-call.ts';
import {
  arrangeSession,
  placeBrowserCall,
  transferTo,
  type SessionOptions,
} from '../test/arrange-session.ts';
import { freshNumber } from '../test/arrange-voice.ts';

const database = useTestDatabase();
const POLL = { timeout: 10_000 };
const takeAway = statement(
  '',
  'update live_calls set voice_process_id = gen_random_uuid() where call_id = $1',
);

/** A call that was just answered. */
async function setup(options?: SessionOptions) {
  const about = await arrangeSession(database.db, options);
  const stored = () => storedProgress(about.core, about.callId);
  const answered = async (): Promise<void> => {
    about.answer();
    await expect.poll(async () => (await about.end())?.status, POLL).toBe('in-progress');
  };
  const finish = async (): Promise<void> => {
    about.leg.hangUpAtFarEnd();
    await about.session.finished;
  };
  return { ...about, stored, answered, finish };
}

describe('the progress of a call', () => {
  it('is stored at the answer, and after each turn', async () => {
    const { answered, talk, stored, finish } = await setup();
    await answered();
    await expect.poll(stored, POLL).toMatchObject({ transcript: '', turns: [], answeredBy: 'unknown' });
    expect((await stored())?.conversation).not.toBeNull();
    await talk(3_000);
    await expect.poll(async () => (await stored())?.transcript, POLL).toMatch(/^AI: /);
    await finish();
    expect(await stored()).toBeUndefined();
  });

  it('says who answered as soon as the conversation knows', async () => {
    const { leg, answered, talk, stored, finish } = await setup();
    await answered();
    await talk(1_000);
    leg.pressAtFarEnd('5');
    await talk(200);
    await expect.poll(async () => (await stored())?.answeredBy, POLL).toBe('human');
    expect((await stored())?.conversation).not.toBeNull();
    await finish();
  });

  it('cannot be continued while a machine listens', async () => {
    const { leg, answered, talk, stored, finish } = await setup({
      utterances: ['I am not available. Please leave a message after the tone.'],
      assistant: { end_call_on_voicemail: false },
    });
    await answered();
    await expect.poll(async () => (await stored())?.conversation, POLL).toBeTruthy();
    leg.media.sayAtFarEnd(new Int16Array(40_000).fill(8_000));
    const seen: (CallProgress | undefined)[] = [];
    // The assistant hangs up some time after the greeting of the machine.
    for (let step = 0; step < 60; step++) {
      await talk(200);
      seen.push(await stored());
    }
    const machine = seen.filter((progress) => progress?.answeredBy === 'machine');
    expect(machine.length).toBeGreaterThan(0);
    expect(machine.map((progress) => progress?.conversation)).toEqual(machine.map(() => null));
    await finish();
  });

  it('cannot be continued while another person is called', async () => {
    const { endpoint, answered, talk, stored, finish } = await setup(transferTo(freshNumber()));
    await answered();
    await expect.poll(async () => (await stored())?.conversation, POLL).toBeTruthy();
    await talk(9_000);
    await expect.poll(() => endpoint.legs.length, POLL).toBe(1);
    await expect.poll(async () => (await stored())?.conversation, POLL).toBeNull();
    await finish();
  });

  it('cannot be continued once its end was asked for', async () => {
    const { leg, session, answered, talk, stored, finish } = await setup();
    await answered();
    await expect.poll(async () => (await stored())?.conversation, POLL).toBeTruthy();
    leg.confirmsHangUp = false;
    session.hangUp({ by: 'operator', reason: 'hang_up_requested' });
    await talk(3_000);
    await expect.poll(async () => (await stored())?.transcript, POLL).toMatch(/^AI: /);
    expect((await stored())?.conversation).toBeNull();
    await finish();
  });

  it('is not stored for a browser, nor for a leg that cannot be left to another process', async () => {
    const web = await setup({ place: placeBrowserCall });
    const bound = await setup();
    Object.defineProperty(bound.leg, 'abandon', { value: undefined });
    for (const { answered, talk, stored, finish } of [web, bound]) {
      await answered();
      await talk(3_000);
      expect(await stored()).toBeUndefined();
      await finish();
    }
  });
});

describe('a leg that cannot be left to another process', () => {
  it('is hung up when another process holds its call', async () => {
    const { leg, session, answered, talk, core, callId } = await setup();
    Object.defineProperty(leg, 'abandon', { value: undefined });
    await answered();
    await core.db.query(takeAway, [callId]);
    leg.holdAtFarEnd(true);
    await talk(100);
    await session.finished;
    expect(leg.requests).toEqual(['hang-up']);
  });
});

describe('the SIP trace of a session', () => {
  const TRACE = { messages: [], omitted: 3 };
  /** Whether the session takes the messages of its call. */
  async function traced(options: SessionOptions, isTaken: boolean): Promise<boolean> {
    const { leg, endpoint, session, voice, answered, talk, core, callId, finish } = await setup(options);
    endpoint.traces.set(leg.id, TRACE);
    await answered();
    if (isTaken) {
      await core.db.query(takeAway, [callId]);
      leg.holdAtFarEnd(true);
      await talk(100);
      await session.finished;
    } else await finish();
    await voice.background.settled();
    return !endpoint.traces.has(leg.id);
  }

  it('is stored for a telephone call, and not where another process goes on with it', async () => {
    expect(await traced({}, false)).toBe(true);
    expect(await traced({ place: placeBrowserCall }, false)).toBe(false);
    expect(await traced({}, true)).toBe(false);
  });
});
