/** When a person of `people-plan.rules.ts` begins their next act, from nothing but what they have heard. */
import type { Act, PlannedAct } from './people-plan.rules.ts';

/** What a person goes by. All instants in milliseconds of one clock. */
export interface PersonView {
  answeredMs: number;
  /** The assistant's present or last turn; null before the first. */
  assistant: { fromMs: number; toMs: number } | null;
  /** How long the assistant's turns take. */
  expectedMs: number;
  /** End of the person's last act; the answer before the first. */
  doneMs: number;
  /** The last act needed no answer, so that the assistant's turn may have begun before it. */
  wasAside: boolean;
}

/** A pause of this length in the assistant's speech ends its turn for the person. */
export const ASSISTANT_PAUSE_MS = 250;
/** After this time without an answer the person continues with their next act. */
const PATIENCE_MS = 9000;
/** People do not say "uh-huh" twice within this time. */
const BETWEEN_ASIDES_MS = 1200;
/** Within this time before the end of the assistant's turn, an "uh-huh" would be the answer to its question. */
const LAST_ASIDE_MS = 1500;
/** Packets of one turn may arrive in another order than they were spoken and heard. */
const SLACK_MS = 100;

/** @returns what the person does now, which may differ from the plan if its moment has passed; null: nothing yet */
export function actNow({ act, gapMs, atMs }: PlannedAct, view: PersonView, nowMs: number): Act | null {
  if (act === 'hello') return nowMs - view.answeredMs >= atMs ? act : null;
  const turn = answerTurn(view);
  if (!turn) return nowMs - view.doneMs > PATIENCE_MS ? 'reply' : null;
  if (nowMs - turn.toMs < ASSISTANT_PAUSE_MS) {
    const spokenMs = nowMs - turn.fromMs;
    if (act === 'early') return spokenMs >= view.expectedMs - atMs ? act : null;
    if (act === 'backchannel' && spokenMs > view.expectedMs - LAST_ASIDE_MS) return null;
    const isApart = !view.wasAside || nowMs - view.doneMs >= BETWEEN_ASIDES_MS;
    return (act === 'interrupt' || act === 'backchannel') && spokenMs >= atMs && isApart ? act : null;
  }
  if (nowMs - turn.toMs < gapMs) return null;
  return act === 'early' || act === 'interrupt' || act === 'backchannel' ? 'reply' : act;
}

/** The assistant's turn since the person's last act; null: it has not answered yet. */
export function answerTurn({ assistant, doneMs, wasAside }: PersonView): PersonView['assistant'] {
  return assistant && (wasAside || assistant.fromMs > doneMs - SLACK_MS) ? assistant : null;
}
