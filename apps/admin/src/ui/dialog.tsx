/**
 * A modal question. The browser's own `<dialog>` keeps the focus inside and makes the rest of the page inert, without
 * script.
 */
import { Skeleton, Title } from '@mantine/core';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  type SyntheticEvent,
  useId,
  useLayoutEffect,
  useRef,
} from 'react';
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

/** The height of a form with four fields. */
const PLACEHOLDER_PIXELS = 320;

/** What the browser focuses when it opens a dialog. */
const FIELDS = 'input:enabled,select,textarea,button,a[href]';

/** Focuses the first field of what was loaded after the dialog had opened, as the browser does with what is there at once. */
function FocusFirstField({ dialog }: { dialog: RefObject<HTMLDialogElement | null> }): ReactNode {
  useLayoutEffect(() => {
    const { current } = dialog;
    if (document.activeElement === current) current?.querySelector<HTMLElement>(FIELDS)?.focus();
  }, [dialog]);
  return null;
}

/** The children are in the page only while the dialog is open; some of them are loaded then. */
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
  const edited = useRef(new Map<string, string>());
  // Before the next frame, in which the page may move the focus to one of its fields.
  useLayoutEffect(() => {
    if (isOpen) element.current?.showModal();
    else element.current?.close();
  }, [isOpen]);
  // Chromium closes the dialog without asking at a second Escape, and at the first one in a date field, which sends `cancel`
  // twice.
  const press = (event: KeyboardEvent<HTMLDialogElement>): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (mayDiscard(edited)) element.current?.close();
  };
  // Another way to close it, such as the gesture for back. A file field inside sends the same event when its own dialog is
  // cancelled.
  const cancel = (event: SyntheticEvent<HTMLDialogElement>): void => {
    if (event.target === event.currentTarget && !mayDiscard(edited)) event.preventDefault();
  };
  return (
    <dialog
      ref={element}
      className={classes['dialog']}
      data-wide={isWide}
      data-drawer={isDrawer}
      aria-labelledby={titleId}
      onKeyDown={press}
      onCancel={cancel}
      onClose={onClose}
    >
      {isOpen && (
        <UnsavedChangesContext value={edited}>
          <Title order={2} size="h4" id={titleId} mb="xs">
            {title}
          </Title>
          <Suspense fallback={<Skeleton h={PLACEHOLDER_PIXELS} radius="md" data-testid="dialog-pending" />}>
            {children}
            <FocusFirstField dialog={element} />
          </Suspense>
        </UnsavedChangesContext>
      )}
    </dialog>
  );
}
