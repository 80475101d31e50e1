/** Which columns the table of calls has. The outcome and the customer are always there; the browser keeps the choice. */

/** Columns that can be hidden, in their order in the table. */
export const CHOSEN_COLUMNS = [
  'disposition',
  'assistant',
  'campaign',
  'type',
  'duration',
  'lanes',
  'cost',
  'started',
] as const;

/** One of {@link CHOSEN_COLUMNS}. */
export type ChosenColumn = (typeof CHOSEN_COLUMNS)[number];

/** Without a choice. */
export const DEFAULT_COLUMNS: readonly ChosenColumn[] = ['assistant', 'type', 'duration', 'lanes', 'started'];

/** The stored choice in the order of the table; anything else than a list of columns is no choice. */
export function readColumns(stored: string | null | undefined): readonly ChosenColumn[] {
  if (stored == null) return DEFAULT_COLUMNS;
  const names = stored.split(',');
  const isKnown = names.every((name) => name === '' || CHOSEN_COLUMNS.some((column) => column === name));
  return isKnown ? CHOSEN_COLUMNS.filter((column) => names.includes(column)) : DEFAULT_COLUMNS;
}

/** The choice with one column shown or hidden, as it is stored. */
export function withColumn(columns: readonly ChosenColumn[], column: ChosenColumn, isShown: boolean): string {
  return CHOSEN_COLUMNS.filter((one) => (one === column ? isShown : columns.includes(one))).join(',');
}
