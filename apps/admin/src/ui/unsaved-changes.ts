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

/** The forms of the whole app with edits, also while they are being saved. */
const allEdited = new Set<string>();

/** Whether something would be lost if another page took the place of this one. */
export function hasUnsavedChanges(): boolean {
  return allEdited.size > 0;
}

/** Asks the user, once for all forms, whether edits may be discarded; true without edits. */
export function mayDiscard(edited: Edited): boolean {
  const [question] = edited.current.values();
  if (question === undefined) return true;
  if (!window.confirm(question)) return false;
  edited.current.clear();
  return true;
}

interface UnsavedChanges {
  isDirty: boolean;
  /** A form that is being saved can be closed. */
  isBeingSaved?: boolean;
  /** Names what would be lost, where it is not edits. */
  question?: string;
}

/** Guards the edits of a form. */
export function useUnsavedChanges(changes: UnsavedChanges): void {
  const { isDirty, isBeingSaved = false, question = texts.discardChanges } = changes;
  const isGuarded = isDirty && !isBeingSaved;
  const edited = useContext(UnsavedChangesContext);
  const id = useId();
  useLayoutEffect(() => {
    if (isDirty) allEdited.add(id);
    return () => {
      allEdited.delete(id);
    };
  }, [id, isDirty]);
  // With the drawing and not after it, so that a form that shows a failure is guarded.
  useLayoutEffect(() => {
    const { current } = edited;
    if (isGuarded) current.set(id, question);
    return () => {
      current.delete(id);
    };
  }, [edited, id, isGuarded, question]);
  useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && !mayDiscard(edited),
    enableBeforeUnload: isGuarded,
    disabled: !isGuarded,
  });
}
