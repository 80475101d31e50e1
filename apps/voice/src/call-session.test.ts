import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadCallForVoice, recordCallEvent } from '@parley/core';
import { statement } from '@parley/db';
import { FakeLeg } from '@parley/telephony/fakes';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  arrangeVoice,
  placeOutboundCall,
  storedEnd,
  timeline,
  type VoiceOptions,
} from '../test/arrange-voice.ts';
import { CallSession, LEG_END_LIMIT_MS } from './call-session.ts';
import { McpToolbox } from './tools/mcp/mcp-toolbox.ts';

const database = useTestDatabase();
const OPERATOR = { by: 'operator', reason: 'hang_up_requested' } as const;

/** A session on an outbound leg whose INVITE has left. */
async function setup(options: VoiceOptions = {}) {
  const about = await arrangeVoice(database.db, options);
  const { voice, core, clock } = about;
  const callId = await placeOutboundCall(about);
  const call = await loadCallForVoice(core, callId);
  const leg = new FakeLeg({ id: call.sipCallId, direction: 'outbound' });
  const engines = about.engines.forCall(call);
  const servers = new McpToolbox({ http: voice.http, clock, log: core.log });
  const turns: string[] = [];
  const onTurn = ({ text }: { text: string }) => turns.push(text);
  const session = new CallSession({ voice, call, engines, leg, servers, onTurn });
  session.start();
  const answer = (): void => leg.answerAtFarEnd();
  /** Advances the time of the conversation. */
  const talk = async (forMs: number): Promise<void> => {
    for (let passedMs = 0; passedMs < forMs; passedMs += 20) {
      await clock.advanceAsync(20, 20);
      leg.media.passFrame();
    }
  };
  return {
    ...about,
    callId,
    leg,
    session,
    turns,
    answer,
    talk,
    end: () => storedEnd(core, callId),
    types: async () => (await timeline(core, callId)).map(({ type }) => type),
    lastLine: async () => (await timeline(core, callId)).at(-1),
  };
}

describe('the life of a session', () => {
  it('is recorded step by step, with the transcript', async () => {
    const { leg, session, answer, talk, types, core, callId, turns } = await setup();
    expect(session.state()).toBe('opening');
    leg.ringAtFarEnd();
    expect(session.state()).toBe('ringing');
    answer();
    expect(session.state()).toBe('talking');
    await talk(1_000);
    leg.hangUpAtFarEnd();
    expect(session.state()).toBe('ending');
    await session.finished;
    expect(await types()).toEqual(
      expect.arrayContaining(['ringing', 'answered', 'line_ended', 'customer-hung-up']),
    );
    expect(await transcript(core, callId)).toEqual([{ transcript: 'AI: Hello.' }]);
    expect(turns).toContain('Hello.');
  });

  it('releases everything at its end and leaves no timer', async () => {
    const { leg, session, answer, talk, engines, clock, voice } = await setup();
    answer();
    await talk(200);
    leg.hangUpAtFarEnd();
    await session.finished;
    expect(engines.released).toBe(1);
    await voice.background.settled();
    expect(clock.pendingTimers()).toBe(0);
  });

  it('stores the recording with its length', async () => {
    const recordingsDir = await mkdtemp(join(tmpdir(), 'parley-session-'));
    onTestFinished(() => rm(recordingsDir, { recursive: true, force: true }));
    const { leg, session, answer, talk, core, callId } = await setup({
      recordingsDir,
      assistant: { record: true, enable_noise_cancellation: false },
    });
    answer();
    await talk(1_000);
    leg.hangUpAtFarEnd();
    await session.finished;
    expect(await recordings(core, callId)).toMatchObject([{ durationMs: 1_000 }]);
  });
});

describe('the end of a session', () => {
  it.each([
    ['hang_up_requested', 'ended', OPERATOR],
    ['end_call', 'assistant-hung-up', { by: 'assistant', reason: 'end_call' } as const],
    ['duration_limit', 'ended', { by: 'limit', reason: 'duration_limit' } as const],
    ['shutdown', 'ended', { by: 'system', reason: 'shutdown' } as const],
  ])('after the answer has the reason of its first request: %s', async (reason, event, request) => {
    const { leg, session, answer, end, types } = await setup();
    answer();
    session.hangUp(request);
    session.hangUp({ by: 'system', reason: 'internal_error' });
    await session.finished;
    expect(leg.requests).toContain('hang-up');
    expect(await end()).toMatchObject({ endedReason: reason, isLive: false });
    expect(await types()).toContain(event);
  });

  it('before the answer is a failed attempt with the reason of the request', async () => {
    const { leg, session, end } = await setup();
    leg.ringAtFarEnd();
    session.hangUp(OPERATOR);
    await session.finished;
    expect(leg.requests).toEqual(['hang-up']);
    expect(await end()).toEqual({ status: 'failed', endedReason: 'hang_up_requested', isLive: false });
  });

  it.each([
    ['busy', 486, 'busy', 'busy'],
    ['no-answer', 408, 'no-answer', 'no_answer'],
    ['rejected', 603, 'failed', 'rejected'],
  ] as const)('is %s as the line says', async (cause, sipStatus, status, endedReason) => {
    const { leg, session, end } = await setup();
    leg.end({ cause, sipStatus, detail: 'From the line' });
    await session.finished;
    expect(await end()).toEqual({ status, endedReason, isLive: false });
  });

  it('comes after a limit when the far end never confirms the hang-up', async () => {
    const { leg, session, answer, end, clock } = await setup();
    leg.confirmsHangUp = false;
    answer();
    session.hangUp(OPERATOR);
    clock.advance(LEG_END_LIMIT_MS - 1);
    expect(session.state()).toBe('talking');
    clock.advance(1);
    await session.finished;
    expect(await end()).toMatchObject({ endedReason: 'line_lost', isLive: false });
  });

  it('comes when the conversation fails: BYE, and the record has the reason', async () => {
    const { leg, session, answer, end, engines } = await setup();
    engines.detectorFault = new Error('The detector failed on purpose');
    answer();
    await session.finished;
    expect(leg.requests).toEqual(['hang-up']);
    expect(await end()).toMatchObject({ endedReason: 'internal_error', isLive: false });
  });

  it('is stored without its conversation when Postgres refuses that', async () => {
    const { leg, session, answer, talk, end, core, lastLine } = await setup();
    const transaction = core.db.transaction.bind(core.db);
    answer();
    await talk(200);
    leg.hangUpAtFarEnd();
    core.db.transaction = async (work) =>
      transaction(async (tx) =>
        work({
          ...tx,
          query: async (sql, values) => {
            if (JSON.stringify(values ?? []).includes('AI: Hello.')) throw refusedValue();
            return tx.query(sql, values);
          },
        }),
      );
    await session.finished;
    expect(await end()).toMatchObject({ endedReason: 'customer_hung_up', isLive: false });
    expect(await lastLine()).toMatchObject({
      type: 'customer-hung-up',
      detail: { reason: 'customer_hung_up', is_incomplete: true },
    });
  });
});

describe('a session that lost its call', () => {
  it('hangs up when core refuses its facts because another process holds the call', async () => {
    const { leg, session, answer, core, callId } = await setup();
    const takeAway = statement(
      'test_take_call_away',
      'update live_calls set voice_epoch = voice_epoch + 1 where call_id = $1',
    );
    await core.db.query(takeAway, [callId]);
    answer();
    await session.finished;
    expect(leg.requests).toEqual(['hang-up']);
    expect(await storedEnd(core, callId)).toMatchObject({ status: 'initiated', isLive: true });
  });

  it('hangs up when the call was ended before the answer was stored', async () => {
    const { leg, session, answer, core, callId, end } = await setup();
    const at = new Date(core.clock.now());
    await recordCallEvent(core, { callId, event: 'failed', at, detail: { reason: 'process_lost' } });
    answer();
    await session.finished;
    expect(leg.requests).toEqual(['hang-up']);
    expect(await end()).toEqual({ status: 'failed', endedReason: 'process_lost', isLive: false });
  });
});

function refusedValue(): Error {
  return Object.assign(new Error('unsupported Unicode escape sequence'), { code: '22P05' });
}

type Core = Parameters<typeof storedEnd>[0];

async function transcript({ db }: Core, callId: number) {
  const select = statement<{ transcript: string }>(
    'test_transcript',
    'select transcript from calls where id = $1',
  );
  return db.query(select, [callId]);
}

async function recordings({ db }: Core, callId: number) {
  const select = statement<{ durationMs: number }>(
    'test_recordings',
    'select duration_ms from recordings where call_id = $1',
  );
  return db.query(select, [callId]);
}
