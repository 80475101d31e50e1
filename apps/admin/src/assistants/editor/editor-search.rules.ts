/** The tab of the editor in the URL. The router reads it before it loads the editor, so nothing of the editor is imported here. */

/** In the order in which they are shown. */
export const tabNames = [
  'conversation',
  'voice',
  'model',
  'tools',
  'phone',
  'after',
  'webhook',
  'widget',
  'advanced',
] as const;

/** The key of a tab, as in the URL. */
export type EditorTab = (typeof tabNames)[number];

/** Search part of the pages with the editor. */
export interface EditorSearch {
  /** Absent: the first one. */
  tab?: EditorTab;
}

/** Reads the search part of a URL. */
export function readEditorSearch(raw: Record<string, unknown>): EditorSearch {
  const tab = tabNames.find((name) => name === raw['tab']);
  return tab === undefined || tab === 'conversation' ? {} : { tab };
}
