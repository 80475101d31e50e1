/** The actions of a table row that has many: one button, which opens them in a list. */
import { Button } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { DialogHost } from './dialog-host.ts';
import classes from './row-menu.module.css';
import { texts } from './texts.ts';

interface RowMenuProps {
  /** The accessible name of the button and of the list, which contains the name of the row. */
  label: string;
  testId: string;
  /** Each is an `AskFirst`, a `RowDialog` or a `RowButton`. */
  children: ReactNode;
}

/**
 * The list is a popover of the browser's own, which Escape and a click beside it close. The dialogs of its buttons are in the
 * page outside of it, because it is hidden when one of them opens, and the focus returns to the button that opened the list.
 */
export function RowMenu({ label, testId, children }: RowMenuProps): ReactNode {
  const listId = useId();
  const [host, setHost] = useState<HTMLElement | null>(null);
  return (
    <>
      <Button size="xs" variant="default" aria-label={label} popoverTarget={listId} data-testid={testId}>
        {texts.actions}
      </Button>
      <div
        id={listId}
        popover="auto"
        role="group"
        aria-label={label}
        className={classes['menu']}
        onClick={({ currentTarget, target }) => {
          if (currentTarget.contains(target as Node)) currentTarget.hidePopover();
        }}
      >
        {host && <DialogHost value={host}>{children}</DialogHost>}
      </div>
      <div ref={setHost} />
    </>
  );
}
