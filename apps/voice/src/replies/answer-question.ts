/** Answers a request for a written reply, in the form of the internal contract. */
import type { internal } from '@parley/contracts';
import { DomainError } from '@parley/core';
import { SpeechError } from '@parley/speech';
import type { z } from 'zod';
import type { VoiceContext } from '../voice-context.ts';

type Question = z.output<typeof internal.reply.body>;

/** @param signal - aborted when the client has disconnected */
export async function writtenReply(
  { core, replies }: Pick<VoiceContext, 'core' | 'replies'>,
  question: Question,
  signal: AbortSignal,
) {
  const {
    user_id: userId,
    assistant_id: assistantId,
    messages,
    variables = {},
    run_tools: runsTools,
  } = question;
  try {
    const reply = await replies.reply({ userId, assistantId, messages, variables, runsTools }, signal);
    const tool_calls = reply.toolUses.map(({ name, arguments: given, isOk, result }) => ({
      name,
      arguments: { ...given },
      is_ok: isOk,
      result: result ?? '',
    }));
    const body = {
      reply: reply.text,
      is_ended: reply.isEnded,
      tool_calls,
      variables: { ...reply.notes },
      first_words_ms: reply.firstWordsMs,
      duration_ms: reply.durationMs,
      total_cost: reply.cost.total,
      are_costs_complete: reply.cost.isComplete,
    };
    return { status: 200 as const, body };
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not-found')
      return { status: 404 as const, body: { message: error.message } };
    if (!(error instanceof SpeechError)) throw error;
    core.log.warn({ err: error, assistantId }, 'No language model answered written messages');
    return { status: 502 as const, body: { message: 'The language model did not answer.' } };
  }
}
