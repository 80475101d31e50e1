/** The turns of a recorded call as exchanges, so that they can be said again and compared side by side. */
import { UNRECOGNISED_SPEECH } from '@parley/contracts';
import type { SpokenTurn } from './conversation.ts';
import { MAX_TURNS } from './suite-fields.ts';

/** One turn of the caller with the answers of both; the first has only what the assistants said first. */
export interface ReplayedTurn {
  caller: string | null;
  recorded: string;
  now: string;
}

interface Exchange {
  /** Null for what the assistant said before the caller spoke. */
  caller: string | null;
  assistant: string;
}

/** Adjacent turns of one side are one turn. What the caller said is not known where it was not recognised, so it is left out. */
function exchangesOf(turns: readonly SpokenTurn[]): Exchange[] {
  const exchanges: Exchange[] = [{ caller: null, assistant: '' }];
  for (const { speaker, text } of turns) {
    const last = exchanges.at(-1);
    if (!last || (speaker === 'caller' && text === UNRECOGNISED_SPEECH)) continue;
    if (speaker === 'assistant') last.assistant = joined(last.assistant, text);
    else if (last.caller !== null && last.assistant === '') last.caller = joined(last.caller, text);
    else exchanges.push({ caller: text, assistant: '' });
  }
  return exchanges;
}

function joined(before: string, text: string): string {
  return before === '' ? text : `${before} ${text}`;
}

/** What the caller of a recorded call says again; empty if the caller said nothing. */
export function replayScript(recorded: readonly SpokenTurn[]): string[] {
  return exchangesOf(recorded)
    .flatMap(({ caller }) => caller ?? [])
    .slice(0, MAX_TURNS);
}

/** The recorded answers beside those of the repetition. */
export function besideRecording(
  recorded: readonly SpokenTurn[],
  repeated: readonly SpokenTurn[],
): ReplayedTurn[] {
  const now = exchangesOf(repeated);
  return exchangesOf(recorded).map(({ caller, assistant }, index) => ({
    caller,
    recorded: assistant,
    now: now[index]?.assistant ?? '',
  }));
}
