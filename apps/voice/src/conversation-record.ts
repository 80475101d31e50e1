/** From the turns of a conversation to what the record keeps of them. Nothing is decided here but the wording. */
import type { Turn } from '@parley/conversation';
import type { FinishCallInput } from '@parley/core';

type ConversationFacts = Pick<FinishCallInput, 'transcript' | 'turns' | 'answeredBy'>;
type StoredTurn = FinishCallInput['turns'][number];

/**
 * The facts of a conversation.
 *
 * @param answeredAtMs - wall time of the answer, milliseconds since 1970; turns count from it
 */
export function describeConversation(turns: readonly Turn[], answeredAtMs: number): ConversationFacts {
  return {
    transcript: turns.map(transcriptLine).join('\n'),
    turns: turns.map((turn) => storedTurn(turn, answeredAtMs)),
    // Whoever spoke or pressed a key may still have been a machine; telling them apart comes with detection.
    answeredBy: turns.some((turn) => turn.sender === 'human') ? 'human' : 'unknown',
  };
}

function transcriptLine(turn: Turn): string {
  return `${turn.sender === 'bot' ? 'AI' : 'Customer'}: ${turn.text.replaceAll(/\s+/g, ' ')}`;
}

function storedTurn(turn: Turn, answeredAtMs: number): StoredTurn {
  return {
    sender: turn.sender,
    text: turn.text,
    startedAtMs: answeredAtMs + turn.startedAtMs,
    startMs: Math.round(turn.startedAtMs),
    endMs: Math.round(turn.endedAtMs),
    isInterrupted: turn.wasInterrupted ?? false,
    latencyMs: latency(turn),
  };
}

/** Each stage as milliseconds after the end of the customer's speech; what did not happen is left out. */
function latency({ latency: instants }: Turn): Record<string, number> {
  if (!instants) return {};
  const { speechEndMs, finalMs, firstTokenMs, firstAudioMs, firstPacketMs } = instants;
  const stages = {
    final: finalMs,
    first_token: firstTokenMs,
    first_audio: firstAudioMs,
    first_packet: firstPacketMs,
  };
  return Object.fromEntries(
    Object.entries(stages).flatMap(([stage, atMs]) =>
      atMs === null ? [] : [[stage, Math.round(atMs - speechEndMs)]],
    ),
  );
}
