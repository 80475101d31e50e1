/** The filters of the table of written conversations, as part of the URL. */
import type { WrittenConversationRecord } from '@parley/contracts';
import {
  calendarDay,
  oneOf,
  pageNumber,
  positiveInteger,
  withoutUndefined,
} from '../client/search-values.rules.ts';

type ConversationState = WrittenConversationRecord['status'];

/** In the order of a conversation's life. */
export const conversationStates = ['open', 'ended'] as const satisfies readonly ConversationState[];

/** Search part of `/conversations`. Absent means "all". */
export interface ConversationSearch {
  /** Id of the assistant. */
  assistant?: number;
  state?: ConversationState;
  /** First day, `YYYY-MM-DD`. */
  from?: string;
  /** Last day. */
  until?: string;
  /** Page 1 is omitted. */
  page?: number;
}

/** Reads the search part of a URL. */
export function readConversationSearch(raw: Record<string, unknown>): ConversationSearch {
  return withoutUndefined<ConversationSearch>({
    assistant: positiveInteger(raw['assistant']),
    state: oneOf(conversationStates, raw['state']),
    from: calendarDay(raw['from']),
    until: calendarDay(raw['until']),
    page: pageNumber(raw['page']),
  });
}

/** The query of the list for the filters of a URL. */
export function conversationQuery({ assistant, state, from, until, page = 1 }: ConversationSearch) {
  return {
    page,
    ...(assistant !== undefined && { assistant_id: assistant }),
    ...(state !== undefined && { status: state }),
    ...(from !== undefined && { date_from: from }),
    ...(until !== undefined && { date_to: until }),
  };
}
