import { describe, expect, it } from 'vitest';
import type { Turn } from '@parley/conversation';
import { describeConversation, storedQuality } from './conversation-record.ts';

const ANSWERED_AT_MS = 1_800_000_000_000;
const asked: Turn = { sender: 'human', text: 'When do\nyou open?', startedAtMs: 1000, endedAtMs: 1800 };
const answer: Turn = {
  sender: 'bot',
  text: 'At nine.',
  startedAtMs: 2980,
  endedAtMs: 3400,
  wasInterrupted: true,
  latency: {
    speechEndMs: 1800,
    finalMs: 2100,
    turnEndMs: 2320,
    firstTokenMs: null,
    firstAudioMs: 2960,
    firstPacketMs: 3000,
    firstSoundMs: 2700,
  },
};

describe('what the record keeps of a turn', () => {
  const { turns, transcript } = describeConversation([asked, answer], {
    answeredAtMs: ANSWERED_AT_MS,
    verdict: null,
  });

  it('is each stage of the answer after the end of the customer’s speech, and the silence they heard', () => {
    expect(turns[1]).toMatchObject({
      sender: 'bot',
      startedAtMs: ANSWERED_AT_MS + 2980,
      isInterrupted: true,
      latencyMs: { final: 300, turn_end: 520, first_audio: 1160, first_packet: 1200, silence: 900 },
    });
  });

  it('has no latency without an answer', () => {
    expect(turns[0]).toMatchObject({ sender: 'human', isInterrupted: false, latencyMs: {} });
  });

  it('is one line of the transcript', () => {
    expect(transcript).toBe('Customer: When do you open?\nAI: At nine.');
  });
});

it('the timeline names what went wrong in a conversation', () => {
  const quality = {
    unansweredTurns: 1,
    longestSilenceMs: 4200,
    falseInterruptions: 2,
    timesTalkedOver: 3,
    underruns: 4,
  };
  expect(storedQuality(quality)).toEqual({
    unanswered_turns: 1,
    longest_silence_ms: 4200,
    false_interruptions: 2,
    times_talked_over: 3,
    underruns: 4,
  });
});
