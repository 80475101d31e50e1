/** `imports`: the results of imported files. Over the REST API, from any machine. */
import type { ImportRecord } from '@parley/contracts';
import type { Command } from 'commander';
import { openApi, withApiOptions, type ApiOptions } from '../api-access.ts';
import { integer } from '../arguments.ts';
import { confirm, withConfirmation, type ConfirmationOptions } from '../confirmation.ts';
import { listing, print, type Console } from '../console.ts';
import { texts } from './texts.ts';

/** @param program - gets the commands */
export function addImportCommands(program: Command, console: Console): void {
  const imports = program.command('imports').description(texts.imports.about);
  withApiOptions(imports.command('list'))
    .description(texts.imports.list)
    .requiredOption('--campaign <id>', texts.imports.campaign, integer)
    .action((options: ListOptions) => list(console, options));
  withApiOptions(imports.command('report'))
    .description(texts.imports.report)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions) => report(console, id, options));
  withApiOptions(withConfirmation(imports.command('undo')))
    .description(texts.imports.undo)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions & ConfirmationOptions) => undo(console, id, options));
}

interface ListOptions extends ApiOptions {
  campaign: number;
}

async function list(console: Console, options: ListOptions): Promise<void> {
  const { body } = await openApi(console, options).leadImports.list({ params: { id: options.campaign } });
  const columns = {
    ID: (row: ImportRecord) => row.id,
    FILE: (row: ImportRecord) => row.file_name ?? '',
    STATE: (row: ImportRecord) => row.state,
    READ: (row: ImportRecord) => row.rows_read,
    LEADS: (row: ImportRecord) => row.rows_imported - row.leads_removed,
    DUPLICATE: (row: ImportRecord) => row.rows_duplicate,
    REFUSED: (row: ImportRecord) => row.rows_refused,
    BEGUN: (row: ImportRecord) => row.created_at,
  };
  print(console, { json: body, text: listing(body, columns, texts.imports.none) }, options.json);
}

async function report(console: Console, id: number, options: ApiOptions): Promise<void> {
  const { body } = await openApi(console, options).leadImports.report({ params: { id } });
  print(console, { json: { report: body }, text: body.trimEnd() }, options.json);
}

async function undo(console: Console, id: number, options: ApiOptions & ConfirmationOptions): Promise<void> {
  await confirm(console, options, texts.imports.confirm(id));
  const { body } = await openApi(console, options).leadImports.undo({ params: { id } });
  const kept = body.leads_kept === 0 ? '' : ` ${texts.imports.kept(body.leads_kept)}`;
  const text = `${texts.imports.undone(body.data.leads_removed, id)}${kept}`;
  print(console, { json: body, text }, options.json);
}
