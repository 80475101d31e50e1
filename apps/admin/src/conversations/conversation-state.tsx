/** The state of a written conversation: a coloured dot and a word. */
import type { WrittenConversationRecord } from '@parley/contracts';
import type { ReactNode } from 'react';
import classes from '../calls/status-pill.module.css';
import { texts } from './texts.ts';

interface ConversationStateProps {
  conversation: Pick<WrittenConversationRecord, 'status' | 'ai_enabled'>;
}

/** An open conversation whose assistant is switched off waits for a person. */
export function ConversationState({ conversation }: ConversationStateProps): ReactNode {
  const { status, ai_enabled: isAiEnabled } = conversation;
  const isOff = status === 'open' && !isAiEnabled;
  const openTone = isOff ? 'calm' : 'active';
  return (
    <span
      className={classes['pill']}
      data-tone={status === 'open' ? openTone : 'none'}
      data-testid="conversation-state"
      data-status={status}
    >
      <span className={classes['dot']} aria-hidden="true" />
      {isOff ? texts.assistantOff : texts.states[status]}
    </span>
  );
}
