/**
 * A modal question. The browser's own `<dialog>` keeps the focus inside and makes the rest of the page inert, without
 * script.
 */
import { CloseButton, Skeleton, Title } from '@mantine/core';
import {
  type ReactNode,
  type RefObject,
  Suspense,
  type SyntheticEvent,
  use,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
} from 'react';
import { createPortal } from 'react-dom';
import { DialogHost } from './dialog-host.ts';
import classes from './dialog.module.css';
import { TextWithNumbers } from './phone-number.tsx';
import { texts } from './texts.ts';
import { mayDiscard, UnsavedChangesContext } from './unsaved-changes.ts';

interface DialogProps {
  title: string;
  isOpen: boolean;
  /** For tables. */
  isWide?: boolean;
  /** At the right edge of the screen and as high as it, for a panel beside a page. */
  isDrawer?: boolean;
  /** Called once the dialog is closed: by its button, Escape, the gesture for back, or `isOpen`. */
  onClose: () => void;
  children: ReactNode;
}

/** The height of a form with four fields. */
const PLACEHOLDER_PIXELS = 320;

/** What the browser focuses when it opens a dialog. */
const FIELDS = 'input:enabled,select,textarea,button,a[href]';

/** The dialogs that are open, the topmost last. */
const opened: HTMLDialogElement[] = [];

/**
 * Focuses the first field of what was loaded after the dialog had opened, as the browser does with what is there at once. Until
 * then the button that closes the dialog has the focus.
 */
function FocusFirstField({ dialog }: { dialog: RefObject<HTMLDialogElement | null> }): ReactNode {
  useLayoutEffect(() => {
    const { current } = dialog;
    const { activeElement } = document;
    if (activeElement === current || activeElement?.matches(`.${classes['close']}`))
      current?.querySelector<HTMLElement>(FIELDS)?.focus();
  }, [dialog]);
  return null;
}

/**
 * Calls `leave` for the topmost dialog when Escape is pressed, also while the page has the focus, as it does after the focused
 * button has become disabled. The browser does not get the key: it sends an event that can be prevented only for the first Escape
 * after a click or another key, and closes the dialog at the next one.
 */
function useEscape(dialog: RefObject<HTMLDialogElement | null>, isOpen: boolean, leave: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
    if (opened.at(-1) !== dialog.current) return;
    event.preventDefault();
    // The page behind the dialog has an Escape of its own.
    event.stopImmediatePropagation();
    leave();
  });
  useLayoutEffect(() => {
    const { current } = dialog;
    if (!isOpen || !current) return;
    opened.push(current);
    document.body.addEventListener('keydown', press);
    return () => {
      opened.splice(opened.indexOf(current), 1);
      document.body.removeEventListener('keydown', press);
    };
  }, [dialog, isOpen]);
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
  const leave = (): void => {
    if (mayDiscard(edited)) element.current?.close();
  };
  useEscape(element, isOpen, leave);
  // The browser asks whether it may close the dialog, at the gesture for back. A file field inside sends the same event when its
  // own dialog is cancelled.
  const cancel = (event: SyntheticEvent<HTMLDialogElement>): void => {
    if (event.target !== event.currentTarget || !event.cancelable) return;
    event.preventDefault();
    leave();
  };
  // The browser closes the dialog without asking at a second gesture for back.
  const close = (): void => {
    if (isOpen && !mayDiscard(edited)) element.current?.showModal();
    else onClose();
  };
  const host = use(DialogHost);
  const dialog = (
    <dialog
      ref={element}
      className={classes['dialog']}
      data-wide={isWide}
      data-drawer={isDrawer}
      aria-labelledby={titleId}
      onCancel={cancel}
      onClose={close}
    >
      {isOpen && (
        <UnsavedChangesContext value={edited}>
          <Title order={2} size="h4" id={titleId} className={classes['title'] ?? ''}>
            <TextWithNumbers text={title} />
          </Title>
          <Suspense fallback={<Skeleton h={PLACEHOLDER_PIXELS} radius="md" data-testid="dialog-pending" />}>
            {children}
            <FocusFirstField dialog={element} />
          </Suspense>
          <CloseButton className={classes['close'] ?? ''} aria-label={texts.close} onClick={leave} />
        </UnsavedChangesContext>
      )}
    </dialog>
  );
  return host ? createPortal(dialog, host) : dialog;
}
