/** A live call on a fake leg, in a voice process without a network. */
import { claimWebCall, loadCallForVoice, placeWebCall } from '@parley/core';
import { statement, type Db } from '@parley/db';
import { fakeToolCall } from '@parley/speech/fakes';
import { FakeLeg } from '@parley/telephony/fakes';
import { expect } from 'vitest';
import { CallSession } from '../src/call-session.ts';
import { McpToolbox } from '../src/tools/mcp/mcp-toolbox.ts';
import {
  arrangeVoice,
  placeOutboundCall,
  storedEnd,
  timeline,
  type ArrangedVoice,
  type VoiceOptions,
} from './arrange-voice.ts';

const POLL = { timeout: 10_000 };
/** Within this time the greeting is spoken and the assistant checks in. */
const CHECK_IN_MS = 9_000;

/** Options of a session. */
export interface SessionOptions extends VoiceOptions {
  /** Makes another kind of call. */
  place?: (about: ArrangedVoice) => Promise<number>;
  /** Absent: none. */
  servers?: McpToolbox;
}

/** A session on an outbound leg whose INVITE has left. */
export async function arrangeSession(db: Db, { place = placeOutboundCall, ...options }: SessionOptions = {}) {
  const about = await arrangeVoice(db, options);
  const { voice, core, clock } = about;
  const callId = await place(about);
  const call = await loadCallForVoice(core, callId);
  const leg = new FakeLeg({ id: call.sipCallId, direction: 'outbound' });
  const engines = about.engines.forCall(call);
  const { servers = new McpToolbox({ http: voice.http, clock, log: core.log }) } = options;
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
    usage: engines.usage,
    answer,
    talk,
    /** Resolves when the answer is on record and the assistant has checked in with a silent caller. */
    talkUntilCheckIn: async (): Promise<void> => {
      answer();
      await expect.poll(async () => (await storedEnd(core, callId))?.status, POLL).toBe('in-progress');
      await talk(CHECK_IN_MS);
    },
    end: () => storedEnd(core, callId),
    types: async () => (await timeline(core, callId)).map(({ type }) => type),
    lastLine: async () => (await timeline(core, callId)).at(-1),
  };
}

/** Whether each end of a bridge hears the other. */
export async function joined(
  leg: FakeLeg,
  second: FakeLeg,
  talk: (forMs: number) => Promise<void>,
): Promise<boolean> {
  for (const { media } of [leg, second]) media.heard.length = 0;
  leg.media.sayAtFarEnd(new Int16Array(1_600).fill(100));
  second.media.sayAtFarEnd(new Int16Array(1_600).fill(200));
  for (let frame = 0; frame < 20; frame++) {
    await talk(20);
    second.media.passFrame();
  }
  return leg.media.heard.includes(200) && second.media.heard.includes(100);
}

type Core = Parameters<typeof storedEnd>[0];

/** The stored transcript. */
export async function transcript({ db }: Core, callId: number) {
  const select = statement<{ transcript: string }>('', 'select transcript from calls where id = $1');
  return db.query(select, [callId]);
}

/** What its tools answered. */
export async function toolResults({ db }: Core, callId: number): Promise<string[]> {
  const select = statement<{ toolCalls: { result: string }[] }>(
    '',
    'select tool_calls from calls where id = $1',
  );
  return ((await db.query(select, [callId]))[0]?.toolCalls ?? []).map(({ result }) => result);
}

/** Places a call of a browser, which has used its ticket. @returns its id */
export async function placeBrowserCall({ core, identity, assistant, voice }: ArrangedVoice): Promise<number> {
  const { ticket } = await placeWebCall(core, identity, { assistantId: assistant.id });
  const call = await claimWebCall(core, { ticket, voiceProcess: voice.lease.fence() });
  return call?.callId ?? 0;
}

/** An assistant that transfers a silent caller. */
export function transferTo(phoneNumber: string): VoiceOptions {
  return {
    answers: [fakeToolCall('', 'call_transfer', { destination: 'Ann' })],
    assistant: {
      reengagement_interval: 7,
      tools: [
        {
          type: 'call_transfer',
          data: { destinations: [{ name: 'Ann', phone_number: phoneNumber }], ring_timeout_seconds: 20 },
        },
      ],
    },
  };
}
