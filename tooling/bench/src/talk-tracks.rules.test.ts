import { describe, expect, test } from 'vitest';
import { Caller } from './talk-caller.ts';
import type { Phrase } from './talk-phrase.ts';
import {
  interruptionsOf,
  latenessesMs,
  turnsOf,
  unansweredOf,
  type CallTracks,
} from './talk-tracks.rules.ts';
import { FRAME_MS, type HeardPacket } from './talk-wire.ts';

const PHRASE: Phrase = {
  frames: Array.from({ length: 50 }, () => new Uint8Array(160)),
  onsetMs: 5,
  endMs: 990,
};
const GREETING_MS = 500;
const REPLY_MS = 1_200;

/** What an assistant would send that answers so long after the caller's last packet. */
function setup({ answersAfterMs, pathMs = 0 }: { answersAfterMs: number; pathMs?: number }) {
  const caller = new Caller({ role: 'talker', phrase: PHRASE, random: () => 0.5 });
  caller.answered(0);
  let speaksFromMs = 0;
  let speaksUntilMs = GREETING_MS;
  let wasSpeaking = false;
  for (let sequence = 0; sequence < 500; sequence++) {
    const nowMs = sequence * FRAME_MS;
    const isSpeaking = typeof caller.speak(nowMs) !== 'string';
    if (wasSpeaking && !isSpeaking) {
      speaksFromMs = nowMs - FRAME_MS + answersAfterMs;
      speaksUntilMs = speaksFromMs + REPLY_MS;
    }
    wasSpeaking = isSpeaking;
    caller.hear(packet(sequence, nowMs + pathMs, nowMs >= speaksFromMs && nowMs < speaksUntilMs));
  }
  return { tracks: caller.tracks() };
}

function packet(sequence: number, atMs: number, isLoud = false): HeardPacket {
  const loud = isLoud ? { fromMs: atMs, toMs: atMs + FRAME_MS } : null;
  return { atMs, sequence: sequence & 0xff_ff, loud };
}

/** The caller speaks at 1 s and for a second; the assistant as the bursts say. */
function trackOf(bursts: readonly (readonly [number, number])[]): CallTracks {
  const heard = Array.from({ length: 300 }, (_, n) =>
    packet(
      n,
      n * FRAME_MS,
      bursts.some(([from, to]) => n * FRAME_MS >= from && n * FRAME_MS < to),
    ),
  );
  return { answeredMs: 0, spoken: [{ onsetMs: 1_000, endMs: 2_000 }], heard };
}

describe('turns', () => {
  test('the silence is from the end of the caller’s sound to the first of the assistant', () => {
    const turns = turnsOf(setup({ answersAfterMs: 600 }).tracks);
    expect(turns.length).toBeGreaterThan(1);
    // The last packet holds 10 ms of silence behind the sound.
    for (const { silenceMs } of turns) expect(silenceMs).toBe(610);
  });

  test('a delay anywhere on the way shows in full, or the figure would be worth nothing', () => {
    const [fast] = turnsOf(setup({ answersAfterMs: 600 }).tracks);
    const [slowAnswer] = turnsOf(setup({ answersAfterMs: 700 }).tracks);
    const [slowPath] = turnsOf(setup({ answersAfterMs: 600, pathMs: 35 }).tracks);
    expect(slowAnswer?.silenceMs).toBe((fast?.silenceMs ?? 0) + 100);
    expect(slowPath?.silenceMs).toBe((fast?.silenceMs ?? 0) + 35);
  });

  test('the longest pause counts those behind a filler too', () => {
    const [turn] = turnsOf(
      trackOf([
        [2_400, 2_600],
        [3_600, 4_200],
      ]),
    );
    expect(turn).toMatchObject({ silenceMs: 400, longestGapMs: 1_000 });
  });

  test('a longer reply tells that the whole sentence was understood', () => {
    expect(turnsOf(trackOf([[2_600, 3_000]]))[0]?.understood).toBe('open');
    expect(turnsOf(trackOf([[2_600, 3_800]]))[0]?.understood).toBe('whole');
  });

  test('a reply that is cut off by the end of the call is not a turn', () => {
    expect(turnsOf(trackOf([[5_000, 6_000]]))).toEqual([]);
  });
});

describe('interruptions', () => {
  test('the assistant’s last sound counts, not the first pause in it', () => {
    const [interruption] = interruptionsOf(trackOf([[200, 1_160]]), 200);
    expect(interruption).toMatchObject({ stopMs: 160, stalePackets: 0, heardMs: 960 });
  });

  test('sound that comes after it and before an answer is possible is stale', () => {
    const [interruption] = interruptionsOf(
      trackOf([
        [200, 1_160],
        [1_500, 1_540],
      ]),
      200,
    );
    expect(interruption?.stalePackets).toBe(2);
  });

  test('a caller who speaks during silence does not interrupt', () => {
    expect(interruptionsOf(trackOf([[200, 900]]), 200)).toEqual([]);
  });
});

describe('lateness', () => {
  test('is counted against the earliest packet, over lost ones and the end of the sequence numbers', () => {
    const heard = [packet(65_534, 1_000), packet(65_535, 1_023), packet(65_537, 1_060)];
    expect(latenessesMs(heard)).toEqual([0, 3, 0]);
  });

  test('a stall delays only the packets that it holds back', () => {
    const heard = [0, 20, 80, 80, 80, 100].map((atMs, n) => packet(n, atMs));
    expect(latenessesMs(heard)).toEqual([0, 0, 40, 20, 0, 0]);
  });
});

test.each<[string, readonly (readonly [number, number])[], number]>([
  ['the answer is late by less than 4 s', [[3_000, 4_000]], 0],
  ['there is no answer within 4 s', [[500, 900]], 1],
  ['the assistant spoke only while the caller did', [[1_200, 1_900]], 1],
])('a turn is unanswered if %s: %o', (_name, bursts, unanswered) => {
  const { heard, ...track } = trackOf(bursts);
  const longer = [...heard, packet(301, 7_000)];
  expect(unansweredOf({ ...track, heard: longer })).toBe(unanswered);
  expect(unansweredOf({ ...track, heard: heard.slice(0, 120) }), 'the call ended early').toBe(0);
});
