/**
 * A modal question. The browser's own `<dialog>` keeps the focus inside, closes on Escape and makes the
 * rest of the page inert, without script.
 */
import { Title } from '@mantine/core';
import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';
import classes from './dialog.module.css';
import { mayDiscard, UnsavedChangesContext } from './unsaved-changes.ts';

interface DialogProps {
  title: string;
  isOpen: boolean;
  /** For tables. */
  isWide?: boolean;
  /** At the right edge of the screen and as high as it, for a panel beside a page. */
  isDrawer?: boolean;
  /** Also called when the browser closes it (Escape). */
  onClose: () => void;
  children: ReactNode;
}

/** Its children are in the page only while it is open. */
export function Dialog({
  title,
  isOpen,
  isWide = false,
  isDrawer = false,
  onClose,
  children,
}: DialogProps): ReactNode {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const hasChanges = useRef(false);
  // Before the next frame, in which the page may move the focus to one of its fields.
  useLayoutEffect(() => {
    if (isOpen) element.current?.showModal();
    else element.current?.close();
  }, [isOpen]);
  // Escape. A file field inside sends the same event when its own dialog is cancelled.
  const cancel = (event: SyntheticEvent<HTMLDialogElement>): void => {
    if (event.target === event.currentTarget && !mayDiscard(hasChanges)) event.preventDefault();
  };
  return (
    <dialog
      ref={element}
      className={classes['dialog']}
      data-wide={isWide}
      data-drawer={isDrawer}
      aria-labelledby={titleId}
      onCancel={cancel}
      onClose={onClose}
    >
      {isOpen && (
        <UnsavedChangesContext value={hasChanges}>
          <Title order={2} size="h4" id={titleId} mb="xs">
            {title}
          </Title>
          {children}
        </UnsavedChangesContext>
      )}
    </dialog>
  );
}
