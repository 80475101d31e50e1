/** `consents`: records that people agreed to be called. Over the REST API, from any machine. */
import type { ConsentRecord } from '@parley/contracts';
import type { Command } from 'commander';
import { openApi, withApiOptions, type ApiOptions } from '../api-access.ts';
import { integer } from '../arguments.ts';
import { confirm, withConfirmation, type ConfirmationOptions } from '../confirmation.ts';
import { listing, print, type Console } from '../console.ts';
import { texts } from './texts.ts';

/** @param program - gets the commands */
export function addConsentCommands(program: Command, console: Console): void {
  const consents = program.command('consents').description(texts.consents.about);
  withApiOptions(consents.command('list'))
    .description(texts.consents.list)
    .option('--phone-number <part>', texts.common.numberPart)
    .option('--page <number>', texts.common.page, integer, 1)
    .option('--per-page <number>', texts.common.perPage, integer, 15)
    .action((options: ListOptions) => list(console, options));
  withApiOptions(consents.command('add'))
    .description(texts.consents.add)
    .argument('<number>', texts.common.number)
    .requiredOption('--source <text>', texts.consents.source)
    .option('--text <text>', texts.consents.text)
    .option('--at <time>', texts.consents.at)
    .action((number: string, options: AddOptions) => add(console, number, options));
  withApiOptions(withConfirmation(consents.command('remove')))
    .description(texts.consents.remove)
    .argument('<number>', texts.common.number)
    .action((number: string, options: ApiOptions & ConfirmationOptions) => remove(console, number, options));
}

interface ListOptions extends ApiOptions {
  phoneNumber?: string;
  page: number;
  perPage: number;
}

interface AddOptions extends ApiOptions {
  source: string;
  text?: string;
  at?: string;
}

async function list(console: Console, options: ListOptions): Promise<void> {
  const { body: page } = await openApi(console, options).consents.list({
    query: { phone_number: options.phoneNumber, page: options.page, per_page: options.perPage },
  });
  const columns = {
    NUMBER: (record: ConsentRecord) => record.phone_number,
    AGREED: (record: ConsentRecord) => record.consented_at,
    SOURCE: (record: ConsentRecord) => record.source,
    TEXT: (record: ConsentRecord) => record.text,
  };
  const text = texts.common.total(listing(page.data, columns, texts.consents.none), page.total);
  print(console, { json: page, text }, options.json);
}

async function add(console: Console, number: string, options: AddOptions): Promise<void> {
  const { source, text, at } = options;
  const { body: answer } = await openApi(console, options).consents.add({
    body: { phone_number: number, source, text, consented_at: at },
  });
  print(console, { json: answer, text: texts.consents.added(answer.data.phone_number) }, options.json);
}

async function remove(
  console: Console,
  number: string,
  options: ApiOptions & ConfirmationOptions,
): Promise<void> {
  await confirm(console, options, texts.consents.confirm(number));
  const { body } = await openApi(console, options).consents.remove({ body: { phone_number: number } });
  print(console, { json: body, text: texts.consents.removed(number) }, options.json);
}
