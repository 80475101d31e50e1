/**
 * The states of an import and the events that change them. `import-run.ts` is the only writer of the state. See
 * docs/decisions/lead-imports.md.
 *
 * - `running`: an upload works on it. Left when the upload ends; an upload whose process was killed leaves it here, and
 *   readers then report `interrupted`.
 * - `interrupted`: the upload broke off. Waits for an upload with the same key, or for an undo.
 * - `finished`: all rows are stored. Waits for an undo.
 * - `undoing`: leads that were never called are being removed. Left when all are; the job `undo_import` repeats this.
 * - `undone`: final.
 */
import type { LeadImportRow } from '@parley/db';
import type { StateTable } from '../shared/state-table.rules.ts';

/** A state of an import. */
export type ImportState = LeadImportRow['state'];
/** What can happen to an import. */
export type ImportEvent = 'taken-over' | 'finished' | 'interrupted' | 'undo-requested' | 'leads-removed';

/** The state of a new import. */
export const FIRST_IMPORT_STATE: ImportState = 'running';

export const IMPORT_STEPS: StateTable<ImportState, ImportEvent> = {
  'taken-over': { from: ['running', 'interrupted'], to: 'running' },
  finished: { from: ['running'], to: 'finished' },
  interrupted: { from: ['running'], to: 'interrupted' },
  'undo-requested': { from: ['running', 'interrupted', 'finished', 'undoing'], to: 'undoing' },
  'leads-removed': { from: ['undoing'], to: 'undone' },
};
