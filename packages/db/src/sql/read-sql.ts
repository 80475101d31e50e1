/**
 * SQL that migrations run, in files of its own. A function has one file and is `create or replace`: a migration that
 * changes it edits the file and runs it again. A table's file is history once it is released: later migrations alter it.
 */
import { readFileSync } from 'node:fs';

/** @param name - such as `functions/create-lead` */
export function readSql(name: string): string {
  return readFileSync(new URL(`${name}.sql`, import.meta.url), 'utf8');
}
