/** `numbers`: phone numbers that calls come from and go to. Over the REST API, from anywhere. */
import { phoneNumberLabels, type OwnNumberRecord } from '@parley/contracts';
import { Option, type Command } from 'commander';
import { openApi, withApiOptions, type ApiOptions } from '../api-access.ts';
import { integer } from '../arguments.ts';
import { confirm, withConfirmation, type ConfirmationOptions } from '../confirmation.ts';
import { listing, print, type Console } from '../console.ts';

/** @param program - gets the commands */
export function addNumberCommands(program: Command, console: Console): void {
  const numbers = program.command('numbers').description('phone numbers, each reached through a trunk');
  withApiOptions(numbers.command('list'))
    .description('your numbers')
    .option('--user <id>', 'for operators: whose', integer)
    .action((options: ListOptions) => list(console, options));
  withApiOptions(numbers.command('add'))
    .description('add a number')
    .argument('<number>', 'with the country: +12025550142')
    .requiredOption('--trunk <id>', 'which it is reached through', integer)
    .addOption(new Option('--label <label>', 'what it is').choices([...phoneNumberLabels]).default('SIP'))
    .option('--user <id>', 'for operators: whose it becomes', integer)
    .action((number: string, options: AddOptions) => add(console, number, options));
  withApiOptions(withConfirmation(numbers.command('remove')))
    .description('remove a number that nothing uses')
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions & ConfirmationOptions) => remove(console, id, options));
}

interface ListOptions extends ApiOptions {
  user?: number;
}

async function list(console: Console, options: ListOptions): Promise<void> {
  const query = { user_id: options.user };
  const { body: numbers } = await openApi(console, options).phoneNumbers.list({ query });
  const columns = {
    ID: (number: OwnNumberRecord) => number.id,
    NUMBER: (number: OwnNumberRecord) => number.phone_number,
    LABEL: (number: OwnNumberRecord) => number.type_label,
    TRUNK: (number: OwnNumberRecord) => number.sip_trunk_id,
    'USED BY': (number: OwnNumberRecord) => number.assistants.map(({ name }) => name).join(', '),
  };
  print(console, { json: numbers, text: listing(numbers, columns, 'No numbers.') }, options.json);
}

interface AddOptions extends ListOptions {
  trunk: number;
  label: OwnNumberRecord['type_label'];
}

async function add(console: Console, number: string, options: AddOptions): Promise<void> {
  const { trunk, label, user } = options;
  const { body: answer } = await openApi(console, options).phoneNumbers.create({
    body: { phone_number: number, sip_trunk_id: trunk, type_label: label, user_id: user },
  });
  const { id, phone_number } = answer.data;
  print(console, { json: answer, text: `Number ${id}, ${phone_number}, was added.` }, options.json);
}

async function remove(
  console: Console,
  id: number,
  options: ApiOptions & ConfirmationOptions,
): Promise<void> {
  await confirm(console, options, `Remove number ${id}?`);
  const { body } = await openApi(console, options).phoneNumbers.remove({ params: { id } });
  print(console, { json: body, text: `Number ${id} was removed.` }, options.json);
}
