/** `do-not-call`: numbers that your calls must not dial. Over the REST API, from any machine. */
import type { DoNotCallRecord } from '@parley/contracts';
import type { Command } from 'commander';
import { openApi, withApiOptions, type ApiOptions } from '../api-access.ts';
import { integer } from '../arguments.ts';
import { confirm, withConfirmation, type ConfirmationOptions } from '../confirmation.ts';
import { listing, print, type Console } from '../console.ts';
import { texts } from './texts.ts';

/** @param program - gets the commands */
export function addDoNotCallCommands(program: Command, console: Console): void {
  const numbers = program.command('do-not-call').description(texts.doNotCall.about);
  withApiOptions(numbers.command('list'))
    .description(texts.doNotCall.list)
    .option('--phone-number <part>', texts.common.numberPart)
    .option('--page <number>', texts.common.page, integer, 1)
    .option('--per-page <number>', texts.common.perPage, integer, 15)
    .action((options: ListOptions) => list(console, options));
  withApiOptions(numbers.command('export'))
    .description(texts.doNotCall.export)
    .option('--phone-number <part>', texts.common.numberPart)
    .action((options: ExportOptions) => exportFile(console, options));
  withApiOptions(numbers.command('add'))
    .description(texts.doNotCall.add)
    .argument('<number>', texts.common.number)
    .option('--reason <text>', texts.doNotCall.reason)
    .action((number: string, options: ApiOptions & { reason?: string }) => add(console, number, options));
  withApiOptions(withConfirmation(numbers.command('remove')))
    .description(texts.doNotCall.remove)
    .argument('<number>', texts.common.number)
    .action((number: string, options: ApiOptions & ConfirmationOptions) => remove(console, number, options));
}

interface ExportOptions extends ApiOptions {
  phoneNumber?: string;
}

interface ListOptions extends ExportOptions {
  page: number;
  perPage: number;
}

async function list(console: Console, options: ListOptions): Promise<void> {
  const { body: page } = await openApi(console, options).doNotCall.list({
    query: { phone_number: options.phoneNumber, page: options.page, per_page: options.perPage },
  });
  const columns = {
    NUMBER: (entry: DoNotCallRecord) => entry.phone_number,
    SINCE: (entry: DoNotCallRecord) => entry.created_at,
    REASON: (entry: DoNotCallRecord) => entry.reason,
  };
  const text = texts.common.total(listing(page.data, columns, texts.doNotCall.none), page.total);
  print(console, { json: page, text }, options.json);
}

async function exportFile(console: Console, options: ExportOptions): Promise<void> {
  const query = { phone_number: options.phoneNumber };
  const { body } = await openApi(console, options).doNotCall.file({ query });
  print(console, { json: { numbers: body }, text: body.trimEnd() }, options.json);
}

async function add(
  console: Console,
  number: string,
  options: ApiOptions & { reason?: string },
): Promise<void> {
  const { body: answer } = await openApi(console, options).doNotCall.add({
    body: { phone_number: number, reason: options.reason },
  });
  print(console, { json: answer, text: texts.doNotCall.added(answer.data.phone_number) }, options.json);
}

async function remove(
  console: Console,
  number: string,
  options: ApiOptions & ConfirmationOptions,
): Promise<void> {
  await confirm(console, options, texts.doNotCall.confirm(number));
  const { body } = await openApi(console, options).doNotCall.remove({ body: { phone_number: number } });
  print(console, { json: body, text: texts.doNotCall.removed(number) }, options.json);
}
