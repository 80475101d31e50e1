/**
 * Asks before a form with edits is left: by a link, by closing its dialog, or by closing the tab. Another search part of the
 * same address, such as the tab of an editor, keeps the form.
 */
import { useBlocker } from '@tanstack/react-router';
import { createContext, type RefObject, useContext, useId, useLayoutEffect } from 'react';
import { texts } from './texts.ts';

/** The question of each form with edits, by an id of the form. */
type Edited = RefObject<Map<string, string>>;

/** The forms in the surrounding dialog, or on the page. The forms write it, the dialog reads it. */
export const UnsavedChangesContext = createContext<Edited>({ current: new Map() });

/** Asks the user, once for all forms, whether edits may be discarded; true without edits. */
export function mayDiscard(edited: Edited): boolean {
  const [question] = edited.current.values();
  if (question === undefined) return true;
  if (!window.confirm(question)) return false;
  edited.current.clear();
  return true;
}

/**
 * Guards the edits of a form.
 *
 * @param isDirty - false as soon as the form is being saved, so that it can close after that
 * @param question - names what would be lost, where it is not edits
 */
export function useUnsavedChanges(isDirty: boolean, question = texts.discardChanges): void {
  const edited = useContext(UnsavedChangesContext);
  const id = useId();
  // With the drawing and not after it, so that a form that shows a failure is guarded.
  useLayoutEffect(() => {
    const { current } = edited;
    if (isDirty) current.set(id, question);
    return () => {
      current.delete(id);
    };
  }, [edited, id, isDirty, question]);
  useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && !mayDiscard(edited),
    enableBeforeUnload: isDirty,
    disabled: !isDirty,
  });
}
