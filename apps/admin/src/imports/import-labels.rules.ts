/** Labels and summaries of imports. */
import type { ImportRecord } from '@parley/contracts';
import { texts } from './texts.ts';

/** How much of a running import's file has arrived, in percent; null when the size is unknown. */
export function importPercent({ bytes_read, bytes_total }: ImportRecord): number | null {
  if (bytes_total === null || bytes_total === 0) return null;
  return Math.min(100, Math.floor((bytes_read / bytes_total) * 100));
}

/** How many rows of a file were imported, and how many were not, in one line. */
export function importResult(record: ImportRecord): string {
  const { imported, duplicate, refused, removed } = texts.importResult;
  const others = [
    record.rows_duplicate > 0 && duplicate(record.rows_duplicate),
    record.rows_refused > 0 && refused(record.rows_refused),
    record.leads_removed > 0 && removed(record.leads_removed),
  ];
  return [imported(record.rows_imported), ...others].filter(Boolean).join(', ');
}

/** Whether an import is still changing. */
export function isMoving({ state }: ImportRecord): boolean {
  return state === 'running' || state === 'undoing';
}
