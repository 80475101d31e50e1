/** `erase-person`: removes what an account, or every account, has of a phone number. Over the REST API, from any machine. */
import type { Command } from 'commander';
import { openApi, withApiOptions, type ApiOptions } from '../api-access.ts';
import { confirm, withConfirmation, type ConfirmationOptions } from '../confirmation.ts';
import { print, type Console } from '../console.ts';
import { texts } from './texts.ts';

interface EraseOptions extends ApiOptions, ConfirmationOptions {
  removeFromDoNotCall?: boolean;
  allAccounts?: boolean;
}

/** @param program - gets the command */
export function addErasePersonCommand(program: Command, console: Console): void {
  withApiOptions(withConfirmation(program.command('erase-person')))
    .description(texts.erasePerson.about)
    .argument('<number>', texts.common.number)
    .option('--remove-from-do-not-call', texts.erasePerson.removeFromDoNotCall)
    .option('--all-accounts', texts.erasePerson.allAccounts)
    .action((number: string, options: EraseOptions) => erase(console, number, options));
}

async function erase(console: Console, number: string, options: EraseOptions): Promise<void> {
  await confirm(console, options, texts.erasePerson.confirm(number, options.allAccounts ?? false));
  const { body } = await openApi(console, options).people.erase({
    body: {
      phone_number: number,
      remove_from_do_not_call: options.removeFromDoNotCall ?? false,
      ...(options.allAccounts && { all_accounts: true }),
    },
  });
  print(console, { json: body, text: texts.erasePerson.done(body.data) }, options.json);
}
