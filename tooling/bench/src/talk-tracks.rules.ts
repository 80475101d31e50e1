/**
 * Calculates figures from both audio tracks of a call. All times are on the caller's clock, in milliseconds: when audio was
 * sent and when it was received. The call record of the product is only compared with them.
 */
import { WHOLE_REPLY_FROM_MS } from './talk-script.rules.ts';
import type { HeardPacket } from './talk-wire.ts';

/** One utterance of the caller: its first sound, and the end of its last. */
export interface Spoken {
  onsetMs: number;
  endMs: number;
}

/** Both tracks of a call. */
export interface CallTracks {
  /** Arrival of the 200 response. */
  answeredMs: number;
  spoken: readonly Spoken[];
  /** In the order of arrival. */
  heard: readonly HeardPacket[];
}

/** Sound without a pause. */
interface Burst {
  fromMs: number;
  toMs: number;
}

/** One reply of the assistant. */
export interface MeasuredTurn {
  /** From the end of the caller's last sound to the first of the assistant's. */
  silenceMs: number;
  /** The longest pause until the end of the reply. */
  longestGapMs: number;
  firstSoundMs: number;
  /** Which phrase was recognised, determined by the length of the reply. */
  understood: 'whole' | 'open';
}

/** One interruption. */
export interface MeasuredInterruption {
  /** From the caller's onset to the assistant's last sound. */
  stopMs: number;
  /** Packets with sound in them after that and before an answer was possible. */
  stalePackets: number;
  /** Audible part of the interrupted turn, milliseconds. */
  heardMs: number;
  /** When that turn began. */
  fromMs: number;
}

/** After this time without sound the assistant has stopped. After a false interruption it continues after a longer pause. */
const PAUSE_MS = 150;
/** An interruption begins within a burst, at most so long behind the last of it that was heard. */
const STILL_MS = 60;

/** The sound between two instants, without pauses. */
function burstsOf(heard: readonly HeardPacket[], fromMs = 0, toMs = Infinity): Burst[] {
  const bursts: Burst[] = [];
  for (const { loud } of heard) {
    if (!loud || loud.fromMs < fromMs || loud.fromMs >= toMs) continue;
    const last = bursts.at(-1);
    if (last && loud.fromMs - last.toMs < PAUSE_MS) last.toMs = loud.toMs;
    else bursts.push({ ...loud });
  }
  return bursts;
}

/** The turns without an interruption whose reply was spoken to its end. */
export function turnsOf({ spoken, heard }: CallTracks): MeasuredTurn[] {
  const lastMs = heard.at(-1)?.atMs ?? 0;
  return spoken.flatMap(({ onsetMs, endMs }, index) => {
    const bursts = burstsOf(heard, endMs, spoken[index + 1]?.onsetMs);
    const [first] = bursts;
    const last = bursts.at(-1);
    if (!first || !last || lastMs - last.toMs < PAUSE_MS || isSpeaking(heard, onsetMs)) return [];
    const gaps = bursts.map(({ fromMs }, at) => fromMs - (bursts[at - 1]?.toMs ?? endMs));
    const soundMs = bursts.reduce((sum, burst) => sum + burst.toMs - burst.fromMs, 0);
    return {
      silenceMs: first.fromMs - endMs,
      longestGapMs: Math.max(...gaps),
      firstSoundMs: first.fromMs,
      understood: soundMs >= WHOLE_REPLY_FROM_MS ? 'whole' : 'open',
    };
  });
}

/** @param soonestMs - the earliest possible start of a reply after the caller's last sound */
export function interruptionsOf({ spoken, heard }: CallTracks, soonestMs: number): MeasuredInterruption[] {
  return spoken.flatMap(({ onsetMs, endMs }, index) => {
    if (!isSpeaking(heard, onsetMs)) return [];
    const bursts = burstsOf(heard, spoken[index - 1]?.endMs, endMs + soonestMs);
    const cut = bursts.find(({ toMs }) => toMs > onsetMs);
    if (!cut) return [];
    const stale = heard.filter(
      ({ loud }) => loud && loud.fromMs > cut.toMs && loud.fromMs < endMs + soonestMs,
    );
    const heardMs = cut.toMs - cut.fromMs;
    return { stopMs: cut.toMs - onsetMs, stalePackets: stale.length, heardMs, fromMs: cut.fromMs };
  });
}

/** A turn counts as answered if the assistant speaks within this time, or at all before the caller speaks again. */
const ANSWER_LIMIT_MS = 4000;

/** The number of the caller's turns without an answer. Turns at the end of the call, which had less time, do not count. */
export function unansweredOf({ spoken, heard }: CallTracks): number {
  const lastMs = heard.at(-1)?.atMs ?? 0;
  return spoken.filter(({ endMs }, index) => {
    const limitMs = Math.min(spoken[index + 1]?.onsetMs ?? Infinity, endMs + ANSWER_LIMIT_MS);
    const isAnswered = burstsOf(heard, endMs, limitMs).length > 0;
    return !isAnswered && lastMs >= limitMs;
  }).length;
}

/** From the answer to the assistant's first sound; null if there was none. */
export function greetingOf({ answeredMs, heard }: CallTracks): number | null {
  const first = heard.find(({ loud }) => loud)?.loud;
  return first ? first.fromMs - answeredMs : null;
}

/** How late each packet came, measured against the earliest of its stream: 20 ms apart is on time. */
export function latenessesMs(heard: readonly HeardPacket[]): number[] {
  let previous = heard[0]?.sequence ?? 0;
  let count = 0;
  const offsets = heard.map(({ atMs, sequence }) => {
    // The sequence number wraps at 16 bits; packets may be reordered.
    count += ((sequence - previous + 0x80_00) & 0xff_ff) - 0x80_00;
    previous = sequence;
    return atMs - count * 20;
  });
  const earliest = offsets.reduce((least, offset) => Math.min(least, offset), Infinity);
  return offsets.map((offset) => offset - earliest);
}

function isSpeaking(heard: readonly HeardPacket[], atMs: number): boolean {
  return heard.some(({ loud }) => loud && loud.fromMs < atMs && loud.toMs > atMs - STILL_MS);
}
