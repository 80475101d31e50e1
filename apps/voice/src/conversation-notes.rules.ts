/** Events of a conversation that are only noted in the timeline of the call. */
import type { ConversationEvent } from '@parley/conversation';

/** An entry of the timeline. */
export interface TimelineNote {
  type: string;
  detail: Record<string, unknown>;
}

/** Events with other consequences are not in it. */
type NotedEvent = Extract<ConversationEvent, { type: 'answered-by' | 'disclosed' | 'note' }>;

/** The entry of an event. */
export function noteOf(event: NotedEvent): TimelineNote {
  switch (event.type) {
    case 'answered-by':
      return { type: 'answered_by', detail: { verdict: event.verdict, at_ms: event.atMs } };
    case 'disclosed': {
      const { text, startedAtMs: start_ms, endedAtMs: end_ms, isComplete: is_complete } = event;
      return { type: 'disclosed', detail: { text, start_ms, end_ms, is_complete } };
    }
    case 'note':
      return { type: event.name, detail: event.detail };
  }
}
