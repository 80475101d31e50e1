/** Says the caller's turns of a recorded call again, in text, to an assistant that may have changed since. */
import type { CallDetail } from '@parley/contracts';
import type { SpokenTurn } from './conversation.ts';
import { conversationOf } from './hold-call.ts';
import { holdTextConversation } from './hold-text-conversation.ts';
import { scriptedCaller } from './simulated-callers.ts';
import { unusable, patiently, type SuiteContext } from './suite-context.ts';
import { texts } from './evaluation-texts.ts';

/** Greeting, turns of the caller and replies fit the 100 messages of the endpoint. */
const MAX_TURNS = 45;

/** One turn of the caller with the answers of both; the first has only what the assistants said first. */
interface ReplayedTurn {
  caller: string | null;
  recorded: string;
  now: string;
}

/** A call beside its repetition. */
export interface Replay {
  callId: number;
  assistantId: number;
  /** The present assistant ended the conversation before the caller's last turn. */
  isEndedEarly: boolean;
  turns: readonly ReplayedTurn[];
}

/**
 * The variables are those of the call. HTTP tools do not run.
 *
 * @throws CommandError with exit code 2 for a call in which the caller said nothing
 */
export async function replayCall(
  context: SuiteContext,
  { callId, assistantId }: { callId: number; assistantId: number },
): Promise<Replay> {
  const { body: call } = await patiently(context, () => context.api.calls.get({ params: { id: callId } }));
  const recorded = exchangesOf(conversationOf(call).turns);
  const script = recorded.flatMap(({ caller }) => caller ?? []).slice(0, MAX_TURNS);
  if (script.length === 0) throw unusable(texts.replay.nothingSaid(callId));
  const { turns } = await holdTextConversation(context, {
    assistantId,
    caller: scriptedCaller({ script }),
    variables: inputOf(call),
    runTools: false,
    maxTurns: MAX_TURNS,
  });
  const now = exchangesOf(turns);
  return {
    callId,
    assistantId,
    isEndedEarly: now.length - 1 < script.length,
    turns: recorded.map(({ caller, assistant }, index) => ({
      caller,
      recorded: assistant,
      now: now[index]?.assistant ?? '',
    })),
  };
}

function inputOf({ input_variables: variables }: CallDetail): Record<string, unknown> {
  return { ...variables };
}

interface Exchange {
  /** Null for what the assistant said before the caller spoke. */
  caller: string | null;
  assistant: string;
}

/** Adjacent turns of one side are one turn. */
function exchangesOf(turns: readonly SpokenTurn[]): Exchange[] {
  const exchanges: Exchange[] = [{ caller: null, assistant: '' }];
  for (const { speaker, text } of turns) {
    const last = exchanges.at(-1);
    if (!last) continue;
    if (speaker === 'assistant') last.assistant = joined(last.assistant, text);
    else if (last.caller !== null && last.assistant === '') last.caller = joined(last.caller, text);
    else exchanges.push({ caller: text, assistant: '' });
  }
  return exchanges;
}

function joined(before: string, text: string): string {
  return before === '' ? text : `${before} ${text}`;
}

/** For programs. */
export function replayJson({ callId, assistantId, isEndedEarly, turns }: Replay): object {
  return { call_id: callId, assistant_id: assistantId, is_ended_early: isEndedEarly, turns };
}

const WIDTH = 48;
const GAP = '  |  ';

/** Two columns: the recorded answers, and those of today. */
export function replayText({ callId, assistantId, turns, isEndedEarly }: Replay): string {
  const { replay } = texts;
  const lines = turns.flatMap(({ caller, recorded, now }) => [
    ...(caller === null ? [] : ['', `${texts.report.speaker.caller}: ${caller}`]),
    ...sideBySide(recorded, now),
  ]);
  const heading = sideBySide(replay.recorded(callId), replay.now(assistantId));
  const rule = '-'.repeat(2 * WIDTH + GAP.length);
  return [...heading, rule, ...lines, ...(isEndedEarly ? ['', replay.endedEarly] : [])].join('\n');
}

function sideBySide(left: string, right: string): string[] {
  const [before, after] = [wrapped(left), wrapped(right)];
  return Array.from({ length: Math.max(before.length, after.length) }, (_, line) =>
    `${(before[line] ?? '').padEnd(WIDTH)}${GAP}${after[line] ?? ''}`.trimEnd(),
  );
}

/** Lines of at most {@link WIDTH} characters; longer words are cut. */
function wrapped(text: string): string[] {
  const words = text.split(/\s+/u).flatMap((word) => word.match(/.{1,48}/gu) ?? []);
  const lines = [''];
  for (const word of words) {
    const longer = joined(lines.at(-1) ?? '', word);
    if (longer.length <= WIDTH) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
