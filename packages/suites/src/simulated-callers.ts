/** Callers of conversations in text: one that follows a script, and personas that a language model plays. */
import { z } from 'zod';
import type { SpokenTurn } from './conversation.ts';
import { SuiteError } from './suite-error.ts';
import { texts } from './suite-texts.ts';
import type { Judge, SuiteContext } from './suite-context.ts';
import type { PlayerFields, SuiteCaller } from './suite-fields.ts';

/** One caller in one conversation. */
export interface SimulatedCaller {
  /** @returns null to hang up */
  next(turns: readonly SpokenTurn[], signal: AbortSignal): Promise<string | null>;
}

/** A message of a text may have so many characters. */
const MAX_CHARACTERS = 4000;
const PLAYER_LIMIT_MS = 60_000;
/** What a persona writes to hang up. */
const HANG_UP = '[hang up]';

/** Says its lines in order. A rule whose phrase is in the assistant's last turn comes first, and uses no line. */
export function scriptedCaller(
  judge: Judge,
  { script = [], rules = [] }: Pick<SuiteCaller, 'script' | 'rules'>,
): SimulatedCaller {
  let said = 0;
  return {
    async next(turns) {
      const last = turns.at(-1);
      const heard = last?.speaker === 'assistant' ? last.text : '';
      const phrases = rules.map(({ when }) => when);
      const rule = phrases.length === 0 ? undefined : rules[await judge.firstFound(phrases, heard)];
      if (rule) return rule.say;
      said += 1;
      return script[said - 1] ?? null;
    },
  };
}

/** @param assistantId - of the player, if it is an assistant */
export function playedCaller(
  context: SuiteContext,
  player: PlayerFields,
  {
    persona,
    variables,
    assistantId,
  }: { persona: string; variables: Record<string, unknown>; assistantId: number },
): SimulatedCaller {
  if ('assistant' in player) return assistantAsCaller(context, assistantId, { ...variables, persona });
  return modelAsCaller(context, player, persona);
}

/** The assistant under test is the customer of the one that plays. */
function assistantAsCaller(
  context: SuiteContext,
  assistantId: number,
  variables: Record<string, unknown>,
): SimulatedCaller {
  let hasHungUp = false;
  return {
    async next(turns, signal) {
      if (hasHungUp) return null;
      const messages = turns.map(({ speaker, text }) => ({
        role: speaker === 'caller' ? ('assistant' as const) : ('user' as const),
        content: text,
      }));
      // After an assistant that said nothing, there is nothing to reply to.
      if (messages.at(-1)?.role === 'assistant') return null;
      const answer = await context.server.reply(
        { assistantId, messages, variables, runTools: false },
        signal,
      );
      hasHungUp = answer.is_ended;
      return answer.reply === '' ? null : answer.reply.slice(0, MAX_CHARACTERS);
    },
  };
}

const completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullable() }) })).min(1),
});

function modelAsCaller(
  { environment, clock }: SuiteContext,
  { base_url: baseUrl, model, api_key_env: keyName }: Exclude<PlayerFields, { assistant: unknown }>,
  persona: string,
): SimulatedCaller {
  const key = keyName === undefined ? null : environment[keyName];
  if (key === undefined || key === '')
    throw new SuiteError(texts.set.noKey(keyName ?? ''), { isUnusable: true });
  return {
    async next(turns, signal) {
      const limit = new AbortController();
      const timer = clock.after(PLAYER_LIMIT_MS, () => limit.abort());
      try {
        const response = await fetch(`${baseUrl.replace(/(?<!\/)\/+$/u, '')}/chat/completions`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(key === null ? {} : { authorization: `Bearer ${key}` }),
          },
          body: JSON.stringify({
            model,
            messages: [{ role: 'system', content: briefing(persona) }, ...asChat(turns)],
          }),
          signal: AbortSignal.any([signal, limit.signal]),
        });
        if (!response.ok) throw new SuiteError(texts.run.refused(response.status));
        return wordsOf(await response.text());
      } finally {
        timer.cancel();
      }
    },
  };
}

function briefing(persona: string): string {
  return [
    'You play a person on a telephone call, for a test of the voice assistant at the other end. You are this person:',
    persona,
    `Say only what this person says next, in one or two short sentences. When the person has nothing more to say or wants to end the call, write ${HANG_UP}.`,
  ].join('\n\n');
}

/** Most servers require a message of the user. */
function asChat(turns: readonly SpokenTurn[]): { role: string; content: string }[] {
  if (turns.length === 0) return [{ role: 'user', content: '(The call is answered. There is silence.)' }];
  return turns.map(({ speaker, text }) => ({
    role: speaker === 'caller' ? 'assistant' : 'user',
    content: text,
  }));
}

function wordsOf(body: string): string | null {
  let answer: z.output<typeof completion>;
  try {
    answer = completion.parse(JSON.parse(body));
  } catch (cause) {
    throw new SuiteError(texts.run.noAnswer, { cause });
  }
  const words = answer.choices[0]?.message.content ?? '';
  const spoken = (words.split(HANG_UP)[0] ?? '').trim().slice(0, MAX_CHARACTERS);
  return spoken === '' ? null : spoken;
}
