/**
 * Recognises a page whose script or style sheet no longer exists: the tab was opened before an upgrade, and the server
 * has only the files of the new version. Reloading the tab loads the new version.
 */

/** As Chromium, Firefox and Safari report it for scripts, and Vite for style sheets. */
const MISSING = /dynamically imported module|^Importing a module script failed|^Unable to preload CSS/;

/** Whether an error reports a file of the app that could not be loaded. */
export function isMissingChunk(error: unknown): boolean {
  return error instanceof Error && MISSING.test(error.message);
}

/** A second reload within this time would not help either, ms. */
const RELOAD_PAUSE_MS = 30_000;

/** @param lastReload - what the tab stored at its last reload, as text; null: none */
export function mayReload(lastReload: string | null, nowMs: number): boolean {
  return lastReload === null || nowMs - Number(lastReload) > RELOAD_PAUSE_MS;
}
