import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  findCall,
  listDoNotCall,
  loadCallForVoice,
  placeCall,
  recordCallEvent,
  type AssistantForVoice,
} from '@parley/core';
import { statement } from '@parley/db';
import { silentLog, systemClock } from '@parley/runtime';
import { createGuardedClient } from '@parley/runtime/guarded-http';
import { fakeToolCall } from '@parley/speech/fakes';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freshNumber, storedEnd, timeline } from '../test/arrange-voice.ts';
import {
  arrangeSession,
  joined,
  placeBrowserCall,
  toolResults,
  transcript,
  transferTo,
  type SessionOptions,
} from '../test/arrange-session.ts';
import { McpSimulator } from '../test/mcp-simulator.ts';
import { LEG_END_LIMIT_MS } from './call-session-options.ts';
import { McpToolbox } from './tools/mcp/mcp-toolbox.ts';

const database = useTestDatabase();
const POLL = { timeout: 10_000 };
/** Within this time the greeting is spoken and the assistant checks in. */
const CHECK_IN_MS = 9_000;
const OPERATOR = { by: 'operator', reason: 'hang_up_requested' } as const;

const setup = (options?: SessionOptions) => arrangeSession(database.db, options);

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

  it('ends its sessions with MCP servers', async () => {
    const server = new McpSimulator({ era: 'legacy' });
    await server.start();
    const http = createGuardedClient({ clock: systemClock, allowPrivate: 'loopback' });
    onTestFinished(async () => {
      await http.close();
      await server.stop();
    });
    const servers = new McpToolbox({ http, clock: systemClock, log: silentLog });
    const tool = { type: 'mcp', name: 'town', url: server.url, headers: [], allowedTools: ['get_weather'] };
    // The toolbox reads only the tools of an assistant.
    await servers.open([{ tools: [tool] } as unknown as AssistantForVoice]);
    const { leg, session, voice } = await setup({ servers });
    leg.hangUpAtFarEnd();
    await session.finished;
    await voice.background.settled();
    expect(server.received.at(-1)).toMatchObject({ httpMethod: 'DELETE' });
  });

  it('stores the recording with its length', async () => {
    const recordingsDir = await mkdtemp(join(tmpdir(), 'parley-session-'));
    onTestFinished(() => rm(recordingsDir, { recursive: true, force: true }));
    const { leg, session, answer, talk, core, callId } = await setup({
      recordingsDir,
      assistant: { record: true },
    });
    answer();
    await talk(1_000);
    leg.hangUpAtFarEnd();
    await session.finished;
    expect(await recordings(core, callId)).toMatchObject([{ durationMs: 1_000 }]);
  });
});

describe('a session', () => {
  it('records what happens to the dialog of its leg', async () => {
    const { leg, session, answer, types } = await setup();
    answer();
    leg.moveFarEnd('sip:far@127.0.0.1:5071');
    leg.holdAtFarEnd(true);
    leg.holdAtFarEnd(false);
    leg.failOver();
    leg.hangUpAtFarEnd();
    await session.finished;
    const expected = ['dialog_changed', 'held', 'resumed', 'failed_over'];
    expect((await types()).filter((type) => expected.includes(type))).toEqual(expected);
  });

  it('plays the ambient sound of its assistant', async () => {
    const { leg, session, engines, answer } = await setup({ withAmbience: true });
    await expect.poll(() => leg.media.ambience, POLL).toMatchObject({ samples: engines.ambience });
    answer();
    leg.hangUpAtFarEnd();
    await session.finished;
  });

  it('takes the keys of the caller for an answer', async () => {
    const { leg, session, answer, talk, core, callId, types } = await setup();
    answer();
    await talk(1_000);
    leg.pressAtFarEnd('5');
    await talk(5_000);
    leg.hangUpAtFarEnd();
    await session.finished;
    expect(await types()).toEqual(expect.arrayContaining(['answered_by', 'provider_failed']));
    const [stored] = await transcript(core, callId);
    expect(stored?.transcript).toMatch(/Customer: .*5/);
  });

  it('goes on without its recording when the storage fails', async () => {
    const { leg, session, answer, talk, core, types, end } = await setup({ assistant: { record: true } });
    core.recordings.createWriter = async () => Promise.reject(new Error('No space left on device'));
    answer();
    await talk(1_000);
    leg.hangUpAtFarEnd();
    await session.finished;
    expect(await types()).toContain('recording_failed');
    expect(await end()).toMatchObject({ endedReason: 'customer_hung_up', isLive: false });
  });
});

describe('a tool of a session', () => {
  const KEYPAD = {
    answers: [fakeToolCall('', 'dtmf_input', { keys: '12' })],
    assistant: { reengagement_interval: 7, tools: [{ type: 'dtmf_input', data: {} }] },
  };

  it('presses keys on the leg of a telephone', async () => {
    const { leg, session, talkUntilCheckIn } = await setup(KEYPAD);
    await talkUntilCheckIn();
    leg.hangUpAtFarEnd();
    await session.finished;
    expect(leg.requests).toEqual(['keys 12']);
  });

  it('takes no turn while the far end has the call on hold', async () => {
    const { leg, session, answer, talk } = await setup(KEYPAD);
    answer();
    await talk(1_000);
    leg.holdAtFarEnd(true);
    await talk(CHECK_IN_MS);
    expect(leg.requests).toEqual([]);
    leg.holdAtFarEnd(false);
    await talk(CHECK_IN_MS);
    leg.hangUpAtFarEnd();
    await session.finished;
    expect(leg.requests).toEqual(['keys 12']);
  });

  it('finds no keypad on the leg of a browser', async () => {
    const { leg, session, talkUntilCheckIn, core, callId } = await setup({
      ...KEYPAD,
      place: placeBrowserCall,
    });
    await talkUntilCheckIn();
    leg.hangUpAtFarEnd();
    await session.finished;
    expect(leg.requests).toEqual([]);
    expect(await toolResults(core, callId)).toEqual(['This line has no keypad.']);
  });

  it('transfers no browser', async () => {
    const { leg, session, talkUntilCheckIn, core, callId } = await setup({
      ...transferTo(freshNumber()),
      place: placeBrowserCall,
    });
    await talkUntilCheckIn();
    leg.hangUpAtFarEnd();
    await session.finished;
    expect(leg.requests).toEqual([]);
    expect(await toolResults(core, callId)).toEqual(['This line cannot be transferred.']);
  });
});

describe('a caller whom the trunk cannot transfer', () => {
  /** The second leg was answered, and the assistant has left. */
  async function bridge() {
    const to = freshNumber();
    const about = await setup({ ...transferTo(to), withAmbience: true });
    const { leg, endpoint, talk } = about;
    await about.talkUntilCheckIn();
    await expect.poll(() => endpoint.legs.length, POLL).toBe(1);
    const [second] = endpoint.legs;
    if (!second) throw new Error('No second leg was dialed');
    second.answerAtFarEnd();
    await expect.poll(() => joined(about.leg, second, talk), POLL).toBe(true);
    return { ...about, to, second, leg };
  }

  it('talks to the other person without the assistant', async () => {
    const { leg, second, to, talk, session } = await bridge();
    expect(leg.requests).toEqual([`transfer ${to}`]);
    expect(leg.media.ambience).toBeNull();
    leg.pressAtFarEnd('7');
    expect(second.requests).toEqual(['keys 7']);
    await talk(120_000);
    expect(session.state()).toBe('talking');
    leg.hangUpAtFarEnd();
    await session.finished;
  });

  it.each([
    ['the caller', true],
    ['the other person', false],
  ])('ends the call for both when %s hangs up', async (_who, isCaller) => {
    const { leg, second, session, end } = await bridge();
    (isCaller ? leg : second).hangUpAtFarEnd();
    await session.finished;
    expect((isCaller ? second : leg).requests.at(-1)).toBe('hang-up');
    expect(await end()).toMatchObject({ endedReason: 'call_transfer', isLive: false });
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

  it('before the answer is a failed attempt with the reason of the request, and with its usage', async () => {
    const { leg, session, end, usage, core, identity, callId } = await setup();
    leg.ringAtFarEnd();
    const used = { stage: 'voice', unit: 'character', quantity: 6, isEstimated: false } as const;
    usage.add({ ...used, name: 'Fake voice', providerId: null });
    session.hangUp(OPERATOR);
    await session.finished;
    expect(leg.requests).toEqual(['hang-up']);
    expect(await end()).toEqual({ status: 'failed', endedReason: 'hang_up_requested', isLive: false });
    const { costs } = await findCall(core, identity, callId);
    expect(costs).toContainEqual(expect.objectContaining({ stage: 'voice', quantity: 6 }));
  });

  it.each([
    ['busy', 486, 'busy', 'busy'],
    ['no-answer', 408, 'no-answer', 'no_answer'],
    ['rejected', 603, 'failed', 'rejected'],
  ] as const)('is %s as the line says', async (cause, sipStatus, status, endedReason) => {
    const { leg, session, end, lastLine, types } = await setup();
    leg.end({ cause, sipStatus, detail: 'From the line' });
    await session.finished;
    expect(await types()).not.toContain('answered_late');
    expect(await lastLine()).toMatchObject({ detail: { line: 'From the line', sip_status: sipStatus } });
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

  it('is logged once, however often the call fails', async () => {
    const { session, answer, log, end } = await setup();
    answer();
    session.fail(new Error('The first failure'));
    session.fail(new Error('The second failure'));
    await session.finished;
    expect(log.filter(({ msg }) => msg === 'A live call failed and ends now')).toHaveLength(1);
    expect(await end()).toMatchObject({ endedReason: 'internal_error', isLive: false });
  });

  it('comes when a listener of the leg throws', async () => {
    const { leg, session, answer, end } = await setup({ assistant: { record: true } });
    // The recorder cannot be made.
    Object.defineProperty(leg.media, 'sampleRateHz', {
      get: () => {
        throw new Error('No rate');
      },
    });
    answer();
    await session.finished;
    expect(leg.requests).toEqual(['hang-up']);
    expect(await end()).toMatchObject({ endedReason: 'internal_error', isLive: false });
  });

  it('is stored when its facts cannot be put together', async () => {
    const { leg, session, answer, end, log } = await setup();
    leg.media.stats = () => {
      throw new Error('The media port is closed');
    };
    answer();
    leg.hangUpAtFarEnd();
    await session.finished;
    expect(await end()).toMatchObject({ endedReason: 'customer_hung_up', isLive: false });
    expect(log.map(({ msg }) => msg)).toContain('The end of a call is stored without its conversation');
  });

  it('is the decision of the assistant', async () => {
    const { leg, session, talkUntilCheckIn, end } = await setup({
      answers: [fakeToolCall('', 'end_call')],
      assistant: { reengagement_interval: 7 },
    });
    await talkUntilCheckIn();
    await session.finished;
    expect(leg.requests).toEqual(['hang-up']);
    expect(await end()).toMatchObject({ endedReason: 'end_call', isLive: false });
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

it('a disclosure message is on the timeline with its text and the time of its sound', async () => {
  const assistant = { disclosure_message: 'This call is recorded.' };
  const { session, answer, talk, core, callId, end } = await setup({ assistant });
  answer();
  await expect.poll(async () => (await end())?.status, POLL).toBe('in-progress');
  await talk(6_000);
  session.hangUp({ by: 'operator', reason: 'hang_up_requested' });
  await session.finished;
  const times = { start_ms: expect.any(Number) as number, end_ms: expect.any(Number) as number };
  const detail = { text: 'This call is recorded.', ...times, is_complete: true };
  expect(await timeline(core, callId)).toContainEqual({ type: 'disclosed', detail });
});

describe('a person who asks not to be called again', () => {
  it.each([
    ['said', { utterances: ['Please stop calling me.'] }],
    ['pressed', { assistant: { opt_out_key: '9' } }],
  ] as const)(
    '(%s) is on the list while the call runs, and no call goes there again',
    async (means, options) => {
      const { leg, session, answer, talk, core, identity, assistant, callId, end, types } =
        await setup(options);
      const { clientPhoneNumber: phoneNumber } = await loadCallForVoice(core, callId);
      const listed = async () => (await listDoNotCall(core, identity, { page: 1, perPage: 15 })).rows;
      answer();
      await expect.poll(async () => (await end())?.status, POLL).toBe('in-progress');
      await talk(1_000);
      if (means === 'pressed') leg.pressAtFarEnd('9');
      else leg.media.sayAtFarEnd(new Int16Array(8_000).fill(8_000));
      await talk(5_000);
      await session.finished;
      expect(await listed()).toMatchObject([{ phoneNumber, callId }]);
      const stored = await types();
      expect(stored.indexOf('opted_out')).toBeLessThan(stored.indexOf('line_ended'));
      expect(await end()).toMatchObject({ endedReason: 'opted_out', isLive: false });
      expect(await timeline(core, callId)).toContainEqual({
        type: 'opted_out',
        detail: { means, at_ms: expect.any(Number), is_listed: true },
      });
      const again = placeCall(core, identity, { phoneNumber, assistantId: assistant.id, variables: {} });
      await expect(again).rejects.toMatchObject({ kind: 'invalid' });
    },
  );
});

describe('a session that lost its call', () => {
  it('hangs up when core refuses its facts because another process holds the call', async () => {
    const { leg, session, answer, core, callId } = await setup();
    const takeAway = statement(
      '',
      'update live_calls set voice_process_id = gen_random_uuid() where call_id = $1',
    );
    await core.db.query(takeAway, [callId]);
    answer();
    await session.finished;
    expect(leg.requests).toEqual(['hang-up']);
    expect(await storedEnd(core, callId)).toMatchObject({ status: 'initiated', isLive: true });
  });

  it('falls silent without a hang-up when another process goes on with its answered call', async () => {
    const { leg, session, answer, core, callId, talk, types } = await setup();
    answer();
    await expect.poll(async () => (await storedEnd(core, callId))?.status, POLL).toBe('in-progress');
    const before = await types();
    const takeAway = statement(
      '',
      'update live_calls set voice_process_id = gen_random_uuid() where call_id = $1',
    );
    await core.db.query(takeAway, [callId]);
    leg.holdAtFarEnd(true);
    await talk(100);
    await session.finished;
    expect(leg.requests).toEqual(['abandon']);
    expect(await types()).toEqual(before);
    expect(await storedEnd(core, callId)).toMatchObject({ status: 'in-progress', isLive: true });
  });

  it('hangs up when the call was ended before the answer was stored', async () => {
    const { leg, session, answer, core, callId, end, types } = await setup();
    const at = new Date(core.clock.now());
    await recordCallEvent(core, { callId, event: 'failed', at, detail: { reason: 'process_lost' } });
    answer();
    await session.finished;
    expect(leg.requests).toEqual(['hang-up']);
    expect(await end()).toEqual({ status: 'failed', endedReason: 'process_lost', isLive: false });
    expect(await types()).toContain('answered_late');
  });

  it('records an answer that comes after the ring limit', async () => {
    const { leg, session, end, types } = await setup();
    leg.ringAtFarEnd();
    leg.end({ cause: 'answered-late', detail: 'Answered after the ring limit' });
    await session.finished;
    expect(await end()).toEqual({ status: 'failed', endedReason: 'answered_late', isLive: false });
    expect(await types()).toContain('answered_late');
  });
});

function refusedValue(): Error {
  return Object.assign(new Error('unsupported Unicode escape sequence'), { code: '22P05' });
}

async function recordings({ db }: Parameters<typeof storedEnd>[0], callId: number) {
  const select = statement<{ durationMs: number }>(
    '',
    'select duration_ms from recordings where call_id = $1',
  );
  return db.query(select, [callId]);
}
