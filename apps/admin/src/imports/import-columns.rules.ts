/** The user's choice for each column of a lead file, and the mapping that is sent to the server. */

/** What a column can be. */
export type ColumnUse = 'phone' | 'variable' | 'left-out';

/** One column of the file, and what was picked for it. */
export interface PickedColumn {
  column: string;
  use: ColumnUse;
  /** The name of the variable; empty: the name of the column. */
  variable: string;
}

/** The header of a file, as the server reads it. */
export interface FileHeader {
  columns: readonly string[];
  /** The one whose name says that it holds the phone number. */
  phoneColumn: string | null;
  /** The first rows; each has a cell for each column. */
  rows: readonly (readonly string[])[];
}

/** Before anything is picked: what the server would make of the file by itself. */
export function guessColumns({
  columns,
  phoneColumn,
}: Pick<FileHeader, 'columns' | 'phoneColumn'>): PickedColumn[] {
  return columns.map((column) => ({
    column,
    use: column === phoneColumn ? 'phone' : 'variable',
    variable: '',
  }));
}

/** The user selects another meaning for a column. Only one can hold the number: the one that did becomes a variable. */
export function pickColumn(picked: readonly PickedColumn[], change: PickedColumn): PickedColumn[] {
  return picked.map((one) => {
    if (one.column === change.column) return change;
    return change.use === 'phone' && one.use === 'phone' ? { ...one, use: 'variable' } : one;
  });
}

/** Column to field, for the import's `mapping`: only what differs from the server's own guess. */
export function mappingOf(
  picked: readonly PickedColumn[],
  { phoneColumn }: Pick<FileHeader, 'phoneColumn'>,
): Record<string, string | null> {
  const entries = picked.flatMap(({ column, use, variable }): [string, string | null][] => {
    if (use === 'left-out') return [[column, null]];
    if (use === 'phone') return column === phoneColumn ? [] : [[column, 'phone_number']];
    const name = variable.trim() || column;
    return name === column && column !== phoneColumn ? [] : [[column, name]];
  });
  return Object.fromEntries(entries);
}
