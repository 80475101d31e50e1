/** What has been said so far in a conversation, newest at the bottom and in view. */
import { type ReactNode, useEffect, useRef } from 'react';
import { Bubble } from '../ui/bubble.tsx';
import classes from './spoken-turns.module.css';
import type { TalkTurn } from '../web-call/talk-stage.rules.ts';
import { texts } from './texts.ts';

/** Nothing is shown before the first turn. */
export function SpokenTurns({
  turns,
  assistantName,
}: {
  turns: readonly TalkTurn[];
  assistantName: string;
}): ReactNode {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.lastElementChild?.scrollIntoView({ block: 'nearest' });
  }, [turns.length]);
  if (turns.length === 0) return null;
  return (
    <ol ref={list} className={classes['turns']} aria-label={texts.turns.title} data-testid="talk-turns">
      {turns.map(({ sender, text }, index) => (
        // Turns are only appended, so the index is a stable key.
        <li key={index}>
          <Bubble side={sender} speaker={sender === 'bot' ? assistantName : texts.turns.you}>
            {text}
          </Bubble>
        </li>
      ))}
    </ol>
  );
}
