/** `numbers`: phone numbers for outbound and inbound calls. Over the REST API, from any machine. */
import { phoneNumberLabels, type OwnNumberRecord } from '@parley/contracts';
import { Option, type Command } from 'commander';
import { openApi, withApiOptions, type ApiOptions } from '../api-access.ts';
import { integer } from '../arguments.ts';
import { confirm, withConfirmation, type ConfirmationOptions } from '../confirmation.ts';
import { listing, print, type Console } from '../console.ts';
import { texts } from './texts.ts';

/** @param program - gets the commands */
export function addNumberCommands(program: Command, console: Console): void {
  const numbers = program.command('numbers').description(texts.numbers.about);
  withApiOptions(numbers.command('list'))
    .description(texts.numbers.list)
    .option('--user <id>', texts.numbers.user, integer)
    .action((options: ListOptions) => list(console, options));
  withApiOptions(numbers.command('add'))
    .description(texts.numbers.add)
    .argument('<number>', texts.common.number)
    .requiredOption('--trunk <id>', texts.numbers.trunk, integer)
    .addOption(
      new Option('--label <label>', texts.numbers.label).choices([...phoneNumberLabels]).default('SIP'),
    )
    .option('--user <id>', texts.numbers.owner, integer)
    .action((number: string, options: AddOptions) => add(console, number, options));
  withApiOptions(withConfirmation(numbers.command('remove')))
    .description(texts.numbers.remove)
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
  print(console, { json: numbers, text: listing(numbers, columns, texts.numbers.none) }, options.json);
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
  print(console, { json: answer, text: texts.numbers.added(id, phone_number) }, options.json);
}

async function remove(
  console: Console,
  id: number,
  options: ApiOptions & ConfirmationOptions,
): Promise<void> {
  await confirm(console, options, texts.common.remove(texts.numbers.inQuestion, id));
  const { body } = await openApi(console, options).phoneNumbers.remove({ params: { id } });
  print(console, { json: body, text: texts.common.removed(texts.numbers.one, id) }, options.json);
}
