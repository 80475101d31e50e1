/** `do-not-call`: numbers that none of your calls may go to. Over the REST API, from anywhere. */
import type { DoNotCallRecord } from '@parley/contracts';
import type { Command } from 'commander';
import { openApi, withApiOptions, type ApiOptions } from '../api-access.ts';
import { integer } from '../arguments.ts';
import { confirm, withConfirmation, type ConfirmationOptions } from '../confirmation.ts';
import { listing, print, type Console } from '../console.ts';

/** @param program - gets the commands */
export function addDoNotCallCommands(program: Command, console: Console): void {
  const numbers = program.command('do-not-call').description('numbers that are not called');
  withApiOptions(numbers.command('list'))
    .description('the newest entries')
    .option('--phone-number <part>', 'only numbers with this in them')
    .option('--page <number>', 'which page', integer, 1)
    .option('--per-page <number>', 'how many', integer, 15)
    .action((options: ListOptions) => list(console, options));
  withApiOptions(numbers.command('add'))
    .description('never call a number again')
    .argument('<number>', 'with the country: +12025550142')
    .option('--reason <text>', 'why')
    .action((number: string, options: ApiOptions & { reason?: string }) => add(console, number, options));
  withApiOptions(withConfirmation(numbers.command('remove')))
    .description('let a number be called again; leads that waited for it are')
    .argument('<number>', 'with the country: +12025550142')
    .action((number: string, options: ApiOptions & ConfirmationOptions) => remove(console, number, options));
}

interface ListOptions extends ApiOptions {
  phoneNumber?: string;
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
  const text = `${listing(page.data, columns, 'No numbers here.')}\n${page.total} in all.`;
  print(console, { json: page, text }, options.json);
}

async function add(
  console: Console,
  number: string,
  options: ApiOptions & { reason?: string },
): Promise<void> {
  const { body: answer } = await openApi(console, options).doNotCall.add({
    body: { phone_number: number, reason: options.reason },
  });
  print(console, { json: answer, text: `${answer.data.phone_number} is not called any more.` }, options.json);
}

async function remove(
  console: Console,
  number: string,
  options: ApiOptions & ConfirmationOptions,
): Promise<void> {
  await confirm(console, options, `Let ${number} be called again?`);
  const { body } = await openApi(console, options).doNotCall.remove({ body: { phone_number: number } });
  print(console, { json: body, text: `${number} may be called again.` }, options.json);
}
