/** Compares the columns that a statement returns with the row type that its author declared. */
import type { RowProperty, ValueKind } from './statement-types.ts';

/** A column and the facts about its values. */
export interface ReturnedColumn {
  name: string;
  /** Name of the type in `pg_type`, such as `int8` or `_text`. */
  type: string;
  /** Null where Postgres does not say: for expressions, and for all columns of a statement with an outer join. */
  isNullable: boolean | null;
}

/** How `@parley/db` reads each type (sql-values.ts). Types that are not listed are read as strings. */
const KINDS: Record<string, ValueKind> = {
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float4: 'number',
  float8: 'number',
  numeric: 'number',
  oid: 'number',
  bool: 'boolean',
  timestamptz: 'date',
  bytea: 'bytes',
  json: 'any',
  jsonb: 'any',
  void: 'any',
};

/**
 * @param isKnownNotNull - whether the statement itself excludes null in a column of a nullable table column
 * @returns a sentence for each disagreement
 */
export function rowFaults(
  row: ReadonlyMap<string, RowProperty>,
  columns: readonly ReturnedColumn[],
  isKnownNotNull: (column: string) => boolean,
): string[] {
  const returned = new Map(columns.map((column) => [camelCase(column.name), column]));
  const missing = [...row.keys()].filter((name) => !returned.has(name));
  return [
    ...missing.map((name) => `the row type has ${name}, and no column has that name`),
    ...[...returned].flatMap(([name, column]) => {
      const property = row.get(name);
      if (!property) return [`column ${column.name} is not in the row type`];
      return columnFaults(property.kinds, column, isKnownNotNull);
    }),
  ];
}

function columnFaults(
  kinds: ReadonlySet<ValueKind>,
  column: ReturnedColumn,
  isKnownNotNull: (column: string) => boolean,
): string[] {
  if (kinds.has('any')) return [];
  const faults: string[] = [];
  const kind = column.type.startsWith('_') ? 'array' : (KINDS[column.type] ?? 'string');
  const declared = [...kinds].filter((each) => each !== 'null');
  if (kind !== 'any' && declared.some((each) => each !== kind))
    faults.push(
      `column ${column.name} is read as ${kind} (${column.type}), declared ${declared.join(' | ')}`,
    );
  if (column.isNullable === true && !kinds.has('null') && !isKnownNotNull(column.name))
    faults.push(`column ${column.name} may be null, and its declared type excludes null`);
  if (column.isNullable === false && kinds.has('null'))
    faults.push(`column ${column.name} is never null, and its declared type includes null`);
  return faults;
}

function camelCase(columnName: string): string {
  return columnName.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
