/** `leads import`: a CSV file into a campaign, with a bar; broken off and run again, it goes on. Over the REST API. */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { csvDelimiters, type CsvDelimiter, type CsvUpload, type ImportRecord } from '@parley/contracts';
import { Option, type Command } from 'commander';
import { openApi, withApiOptions, type ApiOptions } from '../api-access.ts';
import { collectVariable, integer } from '../arguments.ts';
import { callerPath } from '../caller-path.ts';
import { CommandError, EXIT } from '../command-error.ts';
import { print, type Console } from '../console.ts';
import { startProgressBar } from '../progress-bar.ts';
import { texts } from './texts.ts';

/** @param leads - gets the command */
export function addLeadImportCommand(leads: Command, console: Console): void {
  withApiOptions(leads.command('import'))
    .description(texts.leadImport.about)
    .argument('<file>', texts.leadImport.file)
    .requiredOption('--campaign <id>', texts.leadImport.campaign, integer)
    .option('--map <field=column...>', texts.leadImport.map, collectVariable, {})
    .option('--drop <column...>', texts.leadImport.drop)
    .addOption(new Option('--delimiter <name>', texts.leadImport.delimiter).choices([...csvDelimiters]))
    .option('--no-header', texts.leadImport.noHeader)
    .option('--allow-duplicate', texts.leadImport.allowDuplicate)
    .option('--import-id <text>', texts.leadImport.importId)
    .option('--report <path>', texts.leadImport.report)
    .action((file: string, options: ImportOptions) => importFile(console, file, options));
}

interface ImportOptions extends ApiOptions {
  campaign: number;
  map: Record<string, string>;
  drop?: string[];
  delimiter?: CsvDelimiter;
  header: boolean;
  allowDuplicate?: boolean;
  importId?: string;
  report?: string;
}

/** The file to send. */
interface Source {
  body: CsvUpload;
  name: string;
  /** Null for standard input. */
  file: { path: string; stats: Stats } | null;
}

async function importFile(console: Console, file: string, options: ImportOptions): Promise<void> {
  const source = await openSource(console, file);
  const parley = openApi(console, options);
  const bar = startProgressBar(console, source.file?.stats.size ?? null);
  const { body: answer } = await parley.leadImports
    .create(
      { params: { id: options.campaign }, query: queryOf(source, options), body: source.body },
      { idempotencyKey: keyOf(source, options), onUpload: (bytes) => bar.update(bytes) },
    )
    .finally(() => bar.end());
  if (options.report !== undefined) {
    const { body: report } = await parley.leadImports.report({ params: { id: answer.data.id } });
    await writeFile(callerPath(console.environment, options.report), report);
  }
  print(console, { json: answer, text: summary(answer.data) }, options.json);
}

async function openSource({ environment }: Console, file: string): Promise<Source> {
  if (file === '-') return { body: process.stdin, name: texts.leadImport.standardInput, file: null };
  const path = callerPath(environment, file);
  const stats = await stat(path).catch((cause: unknown) => {
    throw new CommandError(texts.leadImport.unreadable(file), { exitCode: EXIT.usage, cause });
  });
  return { body: createReadStream(path), name: basename(path), file: { path, stats } };
}

function queryOf({ name }: Source, options: ImportOptions) {
  const renamed = Object.entries(options.map).map(([field, column]) => [
    column,
    field === 'phone' ? 'phone_number' : field,
  ]);
  const dropped = (options.drop ?? []).map((column) => [column, null]);
  const mapping = [...renamed, ...dropped];
  return {
    file_name: name,
    has_header: options.header,
    delimiter: options.delimiter,
    allow_duplicate: options.allowDuplicate,
    ...(mapping.length > 0 && { mapping: JSON.stringify(Object.fromEntries(mapping)) }),
  };
}

/** Identical for the same file, so that the command can be repeated. */
function keyOf({ file }: Source, { campaign, importId }: ImportOptions): string {
  if (importId !== undefined) return importId;
  if (file === null) return randomUUID();
  const facts = [campaign, file.path, file.stats.size, file.stats.mtimeMs].join('\n');
  return createHash('sha256').update(facts).digest('hex');
}

function summary(record: ImportRecord): string {
  const { id, rows_read, rows_imported, refusals } = record;
  const lines = refusals.map(({ code, rows }) => `  ${rows} ${code.replaceAll('_', ' ')}`);
  const first = texts.leadImport.result(id, rows_imported, rows_read);
  const hint = texts.leadImport.hint(id);
  return lines.length === 0 ? first : [first, texts.leadImport.others, ...lines, hint].join('\n');
}
