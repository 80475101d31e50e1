/**
 * A modal question. The browser's own `<dialog>` keeps the focus inside, closes on Escape and makes the
 * rest of the page inert, all without a line of script.
 */
import { Title } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import classes from './dialog.module.css';

interface DialogProps {
  title: string;
  isOpen: boolean;
  /** Also called when the browser closes it (Escape). */
  onClose: () => void;
  children: ReactNode;
}

/** Its children are in the page only while it is open. */
export function Dialog({ title, isOpen, onClose, children }: DialogProps): ReactNode {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    if (isOpen) element.current?.showModal();
    else element.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={element} className={classes['dialog']} aria-labelledby={titleId} onClose={onClose}>
      {isOpen && (
        <>
          <Title order={2} size="h4" id={titleId} mb="xs">
            {title}
          </Title>
          {children}
        </>
      )}
    </dialog>
  );
}
