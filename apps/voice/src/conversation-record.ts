/** Converts the result of a conversation to the form in which it is stored. */
import type { AnsweredBy, CallQuality, ToolUse, Turn } from '@parley/conversation';
import type { CallProgress, FinishCallInput } from '@parley/core';

type ConversationFacts = Pick<FinishCallInput, 'transcript' | 'turns' | 'answeredBy'>;
type StoredTurn = FinishCallInput['turns'][number];
type StoredToolCall = FinishCallInput['toolCalls'][number];

/**
 * The facts of a conversation.
 *
 * @param about - wall time of the answer, milliseconds since 1970, to which turns are relative; who answered, if that was detected
 */
export function describeConversation(
  turns: readonly Turn[],
  { answeredAtMs, verdict }: { answeredAtMs: number; verdict: AnsweredBy | null },
): ConversationFacts {
  return {
    transcript: turns.map(transcriptLine).join('\n'),
    turns: turns.map((turn) => storedTurn(turn, answeredAtMs)),
    answeredBy: answeredBy(turns, verdict),
  };
}

/**
 * A caller who spoke or pressed a key counts as a person, unless a machine was detected. After a screening assistant or a
 * menu, a person may have spoken or not.
 */
function answeredBy(turns: readonly Turn[], verdict: AnsweredBy | null): ConversationFacts['answeredBy'] {
  if (verdict === 'machine') return 'machine';
  if (verdict === 'screening' || verdict === 'menu') return 'unknown';
  const hasSpoken = turns.some((turn) => turn.sender === 'human');
  return hasSpoken || verdict === 'human' ? 'human' : 'unknown';
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

/**
 * Each stage in milliseconds after the end of the customer's speech; stages that did not happen are left out. `silence`
 * is the pause that the customer heard: it ends with the first sound, which may be a filler. A speculative reply has its
 * first token before the end of the turn.
 */
function latency({ latency: instants }: Turn): Record<string, number> {
  if (!instants) return {};
  const { speechEndMs, finalMs, turnEndMs, firstTokenMs, firstAudioMs, firstPacketMs, firstSoundMs } =
    instants;
  const stages = {
    final: finalMs,
    turn_end: turnEndMs,
    first_token: firstTokenMs,
    first_audio: firstAudioMs,
    first_packet: firstPacketMs,
    silence: firstSoundMs,
  };
  return Object.fromEntries(
    Object.entries(stages).flatMap(([stage, atMs]) =>
      atMs === null ? [] : [[stage, Math.round(atMs - speechEndMs)]],
    ),
  );
}

/** What was said and done in this process, after what another one had stored before it was lost. */
export function afterEarlier(
  earlier: Pick<CallProgress, 'transcript' | 'turns' | 'toolCalls' | 'answeredBy'> | undefined,
  facts: ConversationFacts & Pick<FinishCallInput, 'toolCalls'>,
): ConversationFacts & Pick<FinishCallInput, 'toolCalls'> {
  if (!earlier) return facts;
  return {
    transcript: [earlier.transcript, facts.transcript].filter((text) => text !== '').join('\n'),
    turns: [...earlier.turns, ...facts.turns],
    toolCalls: [...earlier.toolCalls, ...facts.toolCalls],
    answeredBy: facts.answeredBy === 'unknown' ? earlier.answeredBy : facts.answeredBy,
  };
}

/** A tool use in its stored form. One that was still running at the end of the call ends there. */
export function storedToolCall(use: ToolUse): StoredToolCall {
  return {
    name: use.name,
    arguments: { ...use.arguments },
    startMs: Math.round(use.startedAtMs),
    durationMs: Math.round((use.endedAtMs ?? use.startedAtMs) - use.startedAtMs),
    isError: !use.isOk,
    result: use.result ?? '',
  };
}

/** What went wrong in a call, in the form of its timeline. */
export function storedQuality(quality: CallQuality): Record<string, number> {
  return {
    unanswered_turns: quality.unansweredTurns,
    longest_silence_ms: quality.longestSilenceMs,
    false_interruptions: quality.falseInterruptions,
    times_talked_over: quality.timesTalkedOver,
    underruns: quality.underruns,
  };
}
