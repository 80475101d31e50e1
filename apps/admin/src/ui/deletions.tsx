/** Shows deletions that can still be undone, and hides what they delete. */
import { Button, Group, Paper, Text } from '@mantine/core';
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { DeferredDeletions, type Deletion } from './deferred-deletions.ts';
import classes from './deletions.module.css';
import { texts } from './texts.ts';

const schedule = (run: () => void, delayMs: number): (() => void) => {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
};

const DeletionsContext = createContext<DeferredDeletions>(new DeferredDeletions(schedule, reportError));

/** Deletes after a delay in which the user can undo it. `isDeleted` tells what lists should hide. */
export function useDeletions(): {
  remove: (deletion: Deletion) => void;
  isDeleted: (key: string) => boolean;
} {
  const deletions = useContext(DeletionsContext);
  const waiting = useSyncExternalStore(deletions.subscribe, deletions.waiting);
  return {
    remove: (deletion) => deletions.add(deletion),
    isDeleted: (key) => waiting.some((deletion) => deletion.key === key),
  };
}

function Messages({ deletions }: { deletions: DeferredDeletions }): ReactNode {
  const waiting = useSyncExternalStore(deletions.subscribe, deletions.waiting);
  return (
    <div role="status" className={classes['messages']}>
      {waiting.map(({ key, text }) => (
        <Paper key={key} shadow="md" withBorder className={classes['message'] ?? ''} data-testid="deletion">
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm">{text}</Text>
            <Button
              size="xs"
              variant="default"
              flex="none"
              aria-label={texts.undoOf(text)}
              data-testid="undo-deletion"
              onClick={() => deletions.undo(key)}
            >
              {texts.undo}
            </Button>
          </Group>
        </Paper>
      ))}
    </div>
  );
}

/** Around the pages, so that a message stays when the page changes. */
export function DeletionsProvider({ children }: { children: ReactNode }): ReactNode {
  const [deletions] = useState(() => new DeferredDeletions(schedule, reportError));
  useEffect(() => () => deletions.clear(), [deletions]);
  return (
    <DeletionsContext value={deletions}>
      {children}
      <Messages deletions={deletions} />
    </DeletionsContext>
  );
}
