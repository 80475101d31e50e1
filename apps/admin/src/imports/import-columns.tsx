/** What becomes of each column of a file: one row a column, with its values in the first rows of the file. */
import { NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { type ColumnUse, type FileHeader, type PickedColumn, pickColumn } from './import-columns.rules.ts';
import classes from './import-columns.module.css';
import { texts } from './texts.ts';

const COLUMNS: readonly Column[] = [
  [texts.importColumns.column],
  [texts.importColumns.samples],
  [texts.importColumns.becomes],
];

const USES: readonly { value: ColumnUse; label: string }[] = [
  { value: 'phone', label: texts.importColumns.phone },
  { value: 'variable', label: texts.importColumns.variable },
  { value: 'left-out', label: texts.importColumns.leftOut },
];

interface PickRowProps {
  picked: PickedColumn;
  /** The values of the column in the first rows. */
  samples: readonly string[];
  onPick: (picked: PickedColumn) => void;
}

function Samples({ values }: { values: readonly string[] }): ReactNode {
  return values.map((value, place) => (
    <div key={place} className={classes['sample']}>
      {value || <span className={table['minor']}>{texts.importColumns.empty}</span>}
    </div>
  ));
}

function PickRow({ picked, samples, onPick }: PickRowProps): ReactNode {
  const { column, use, variable } = picked;
  return (
    <tr>
      <td className={`${table['wrap']} ${table['anywhere']}`}>{column}</td>
      <td>
        <Samples values={samples} />
      </td>
      <td>
        <div className={classes['use']}>
          <NativeSelect
            aria-label={texts.importColumns.use(column)}
            data={USES}
            value={use}
            onChange={(event) => onPick({ ...picked, use: event.currentTarget.value as ColumnUse })}
          />
          {use === 'variable' && (
            <TextInput
              aria-label={texts.importColumns.variableOf(column)}
              placeholder={column}
              maxLength={255}
              value={variable}
              onChange={(event) => onPick({ ...picked, variable: event.currentTarget.value })}
            />
          )}
        </div>
      </td>
    </tr>
  );
}

interface ImportColumnsProps {
  header: FileHeader;
  picked: readonly PickedColumn[];
  onPick: (picked: PickedColumn[]) => void;
}

/** A column of the file in each row. */
export function ImportColumns({ header, picked, onPick }: ImportColumnsProps): ReactNode {
  return (
    <div className={classes['columns']}>
      <DataTable columns={COLUMNS}>
        {picked.map((one, place) => (
          <PickRow
            key={one.column}
            picked={one}
            samples={header.rows.map((cells) => cells[place] ?? '')}
            onPick={(change) => onPick(pickColumn(picked, change))}
          />
        ))}
      </DataTable>
    </div>
  );
}
