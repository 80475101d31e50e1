/** Says the caller's turns of a recorded call again, in text, to an assistant that may have changed since. */
import {
  besideRecording,
  conversationOf,
  holdTextConversation,
  localJudge,
  MAX_TURNS,
  replayScript,
  scriptedCaller,
  type ReplayedTurn,
} from '@parley/suites';
import { patiently, suiteContextOf, unusable, type CommandSurroundings } from './api-server.ts';
import { texts } from './evaluation-texts.ts';

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
  surroundings: CommandSurroundings,
  { callId, assistantId }: { callId: number; assistantId: number },
): Promise<Replay> {
  const { api } = surroundings;
  const { body: call } = await patiently(surroundings, () => api.calls.get({ params: { id: callId } }));
  const recorded = conversationOf(call).turns;
  const script = replayScript(recorded);
  if (script.length === 0) throw unusable(texts.replay.nothingSaid(callId));
  const held = await holdTextConversation(suiteContextOf(surroundings), {
    assistantId,
    caller: scriptedCaller(localJudge, { script }),
    variables: { ...call.input_variables },
    runTools: false,
    maxTurns: MAX_TURNS,
  });
  const said = held.turns.filter(({ speaker }) => speaker === 'caller').length;
  return {
    callId,
    assistantId,
    isEndedEarly: said < script.length,
    turns: besideRecording(recorded, held.turns),
  };
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
    const longer = `${lines.at(-1) ?? ''} ${word}`.trimStart();
    if (longer.length <= WIDTH) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
