/**
 * Asks before a form with edits is left: by a link, by closing its dialog, or by closing the tab. Another search part of the
 * same address, such as the tab of an editor, keeps the form.
 */
import { useBlocker } from '@tanstack/react-router';
import { createContext, type RefObject, useContext, useEffect } from 'react';
import { texts } from './texts.ts';

/** Whether the form in the surrounding dialog has edits. The form writes it, the dialog reads it. */
export const UnsavedChangesContext = createContext<RefObject<boolean>>({ current: false });

/** Asks the user whether edits may be discarded; true without edits. */
export function mayDiscard(hasChanges: RefObject<boolean>): boolean {
  return !hasChanges.current || window.confirm(texts.discardChanges);
}

/**
 * Guards the edits of a form.
 *
 * @param isDirty - false as soon as the form is being saved, so that it can close after that
 */
export function useUnsavedChanges(isDirty: boolean): void {
  const hasChanges = useContext(UnsavedChangesContext);
  useEffect(() => {
    hasChanges.current = isDirty;
    return () => {
      hasChanges.current = false;
    };
  }, [hasChanges, isDirty]);
  useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && !mayDiscard(hasChanges),
    enableBeforeUnload: isDirty,
    disabled: !isDirty,
  });
}
