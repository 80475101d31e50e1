/** Words of campaigns and their imports. */
import type { CampaignStatus, ImportRecord } from '@parley/contracts';

const STATUS_WORDS: Readonly<Record<CampaignStatus, string>> = {
  draft: 'Draft',
  'in-progress': 'Running',
  stopped: 'Stopped',
  completed: 'Completed',
};

const STATE_WORDS: Readonly<Record<ImportRecord['state'], string>> = {
  running: 'Running',
  interrupted: 'Broke off',
  finished: 'Finished',
  undoing: 'Being undone',
  undone: 'Undone',
};

/** What a campaign is doing. */
export function campaignStatusLabel(status: CampaignStatus): string {
  return STATUS_WORDS[status];
}

/** Where an import stands. */
export function importStateLabel(state: ImportRecord['state']): string {
  return STATE_WORDS[state];
}

/** How much of a running import's file has come, in percent; null where nobody knows. */
export function importPercent({ bytes_read, bytes_total }: ImportRecord): number | null {
  if (bytes_total === null || bytes_total === 0) return null;
  return Math.min(100, Math.floor((bytes_read / bytes_total) * 100));
}

/** What became of the rows, in one line. */
export function importResult(record: ImportRecord): string {
  const parts: [count: number, words: string][] = [
    [record.rows_imported, 'imported'],
    [record.rows_duplicate, 'duplicate'],
    [record.rows_refused, 'refused'],
    [record.leads_removed, 'removed again'],
  ];
  const said = parts.filter(([count], place) => place === 0 || count > 0);
  return said.map(([count, words]) => `${count.toLocaleString('en')} ${words}`).join(', ');
}

/** True while the list is worth asking for again. */
export function isMoving({ state }: ImportRecord): boolean {
  return state === 'running' || state === 'undoing';
}
