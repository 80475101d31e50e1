/**
 * The SQL of migrations. A function has one file with `create or replace`, which a migration edits and runs again. The file
 * of a table is never edited after its release: later migrations alter the table.
 */
import { readFileSync } from 'node:fs';

/** @param name - such as `functions/create-lead` */
export function readSql(name: string): string {
  return readFileSync(new URL(`${name}.sql`, import.meta.url), 'utf8');
}
