/** Judges the audio of the calls from the log of the carrier: a call that goes on receives a packet every 20 ms. */
import type { PhonesLogLine } from '@parley/e2e';
import type { WireCall } from './oracle.rules.ts';

const PACKET_MS = 20;
/** Share of the packets of a call that must arrive; the rest allows for its first and last moments. */
const RECEIVED_SHARE = 0.9;
/** Calls that are shorter have too few packets for a judgement, milliseconds. */
const SHORTEST_MS = 2_000;

/**
 * @param lines - the whole log
 * @returns one sentence for each answered and finished call that received too few packets
 */
export function gapsIn(lines: readonly PhonesLogLine[], calls: readonly WireCall[]): string[] {
  const received = new Map(
    lines.flatMap((line): [string, number][] =>
      line['event'] === 'sound' && line.callId !== undefined
        ? [[line.callId, Number(line['packetsReceived'])]]
        : [],
    ),
  );
  return calls.flatMap(({ sipCallId, number, answer, endedAtMs }) => {
    const packets = received.get(sipCallId);
    if (!answer || endedAtMs === null || packets === undefined) return [];
    const lengthMs = endedAtMs - answer.atMs;
    const isShort = lengthMs < SHORTEST_MS || packets >= (lengthMs / PACKET_MS) * RECEIVED_SHARE;
    return isShort ? [] : [`${number} received ${packets} packets in ${Math.round(lengthMs / 1000)} s`];
  });
}

/** The words of a sentence in lower case, without punctuation. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z']+/g) ?? [];
}

/** Sentences of fewer words may be misheard completely. */
const FEWEST_WORDS = 4;

/**
 * The sentences of a phone of which the transcript contains less than half of the words. Recognisers mishear single words, so
 * that a turn only counts as lost when most of it is missing.
 */
export function lostTurns(lines: readonly string[], transcript: string): string[] {
  const heard = new Set(wordsOf(transcript));
  return lines.filter((line) => {
    const words = wordsOf(line);
    return words.length >= FEWEST_WORDS && words.filter((word) => heard.has(word)).length < words.length / 2;
  });
}
