/** Reads one row of a file: the lead that it describes, or the reason for its refusal. */
import { isStorableText, type ImportErrorCode } from '@parley/contracts';
import { normalisePhoneNumber } from '../shared/phone-number.ts';
import type { ColumnPlan } from './plan-columns.rules.ts';
import { restoreCell } from '../shared/spreadsheet-cell.rules.ts';

/** A row that can become a lead. */
export interface LeadRow {
  /** Counted as in a spreadsheet: the header is row 1. */
  rowNumber: number;
  /** E.164. */
  phoneNumber: string;
  /** JSON. */
  variables: string;
}

/** A row that cannot become a lead. */
export interface RefusedRow {
  rowNumber: number;
  code: ImportErrorCode;
  /** The column at fault; null for the whole row. */
  columnName: string | null;
  /** The value in that column, truncated. */
  value: string;
}

/** A row of a file. */
export interface FileRow {
  rowNumber: number;
  cells: readonly string[];
}

/** 64 KiB, the limit of the endpoint that creates a lead. */
const MAX_VARIABLES_BYTES = 65_536;
const MAX_KEPT_VALUE = 200;
/** Decoding invalid UTF-8 yields this character. */
const DAMAGE = '\uFFFD';

/** True for a row without content, which the import skips. */
export function isEmptyRow({ cells }: FileRow): boolean {
  return cells.every((cell) => cell.trim() === '');
}

/** @param defaultCountry - the country of numbers without `+` */
export function readLeadRow(
  row: FileRow,
  plan: ColumnPlan,
  defaultCountry: string | null,
): LeadRow | RefusedRow {
  const { rowNumber, cells } = row;
  const fault = findDamage(row, plan);
  if (fault) return fault;
  const written = restoreCell(cells[plan.phone] ?? '').trim();
  const columnName = plan.columns[plan.phone] ?? null;
  if (written === '') return { rowNumber, code: 'phone_number_missing', columnName, value: '' };
  const phoneNumber = normalisePhoneNumber(written, defaultCountry);
  if (phoneNumber === null) {
    return { rowNumber, code: 'phone_number_invalid', columnName, value: shortened(written) };
  }
  const variables = variablesOf(cells, plan);
  if (Buffer.byteLength(variables) > MAX_VARIABLES_BYTES)
    return { rowNumber, code: 'variables_too_large', columnName: null, value: '' };
  return { rowNumber, phoneNumber, variables };
}

/** Finds surplus cells, and text that cannot be stored. */
function findDamage({ rowNumber, cells }: FileRow, { columns }: ColumnPlan): RefusedRow | null {
  for (const [place, cell] of cells.entries()) {
    const columnName = columns[place] ?? null;
    const refused = (code: ImportErrorCode) => ({ rowNumber, code, columnName, value: shortened(cell) });
    if (columnName === null && cell.trim() !== '') return refused('too_many_cells');
    if (!isStorableText(cell)) return refused('forbidden_character');
    if (cell.includes(DAMAGE)) return refused('not_utf8');
  }
  return null;
}

/** An object without a prototype, so that a column may have any name. */
function variablesOf(cells: readonly string[], plan: ColumnPlan): string {
  const variables = Object.create(null) as Record<string, string>;
  for (const { name, place } of plan.variables) variables[name] = restoreCell(cells[place] ?? '');
  return JSON.stringify(variables);
}

/** For the report, whose column cannot store NUL. */
function shortened(text: string): string {
  return text.slice(0, MAX_KEPT_VALUE).toWellFormed().replaceAll('\0', DAMAGE);
}
