/** `calls`: their records, and the end of one that is under way. Over the REST API, from anywhere. */
import { callStatuses, type CallDetail, type CallRecord, type CallStatus } from '@parley/contracts';
import { Option, type Command } from 'commander';
import { openApi, withApiOptions, type ApiOptions } from '../api-access.ts';
import { integer } from '../arguments.ts';
import { confirm, withConfirmation, type ConfirmationOptions } from '../confirmation.ts';
import { listing, print, type Console } from '../console.ts';

/** @param program - gets the commands */
export function addCallsCommands(program: Command, console: Console): void {
  const calls = program.command('calls').description('call records');
  withApiOptions(calls.command('list'))
    .description('the newest calls')
    .addOption(new Option('--status <status>', 'only these').choices([...callStatuses]))
    .option('--assistant <id>', 'only of this assistant', integer)
    .option('--campaign <id>', 'only of this campaign', integer)
    .option('--phone-number <part>', 'only customers with this in their number')
    .option('--page <number>', 'which page', integer, 1)
    .option('--per-page <number>', 'how many', integer, 15)
    .action((options: ListOptions) => list(console, options));
  withApiOptions(calls.command('show'))
    .description('everything about one call')
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions) => show(console, id, options));
  withApiOptions(calls.command('hang-up'))
    .description('end a call that is under way')
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions) => hangUp(console, id, options));
  withApiOptions(withConfirmation(calls.command('delete')))
    .description('delete the record of a finished call, with its recording')
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions & ConfirmationOptions) => remove(console, id, options));
}

interface ListOptions extends ApiOptions {
  status?: CallStatus;
  assistant?: number;
  campaign?: number;
  phoneNumber?: string;
  page: number;
  perPage: number;
}

async function list(console: Console, options: ListOptions): Promise<void> {
  const { status, assistant, campaign, phoneNumber, page: number, perPage } = options;
  const { body: page } = await openApi(console, options).calls.list({
    query: {
      status,
      assistant_id: assistant,
      campaign_id: campaign,
      phone_number: phoneNumber,
      page: number,
      per_page: perPage,
    },
  });
  const columns = {
    ID: (call: CallRecord) => call.id,
    WHEN: (call: CallRecord) => call.created_at,
    TYPE: (call: CallRecord) => call.type,
    CUSTOMER: (call: CallRecord) => call.client_phone_number || 'browser',
    STATUS: (call: CallRecord) => call.status,
    LENGTH: (call: CallRecord) => `${call.duration} s`,
    ASSISTANT: (call: CallRecord) => call.assistant_name,
  };
  const text = `${listing(page.data, columns, 'No calls here.')}\n${page.total} in all.`;
  print(console, { json: page, text }, options.json);
}

async function show(console: Console, id: number, options: ApiOptions): Promise<void> {
  const { body: call } = await openApi(console, options).calls.get({ params: { id } });
  print(console, { json: call, text: describeCall(call) }, options.json);
}

async function hangUp(console: Console, id: number, options: ApiOptions): Promise<void> {
  const { body } = await openApi(console, options).calls.hangUp({ params: { id } });
  print(console, { json: body, text: `Call ${id} is being ended.` }, options.json);
}

async function remove(
  console: Console,
  id: number,
  options: ApiOptions & ConfirmationOptions,
): Promise<void> {
  await confirm(console, options, `Delete the record of call ${id}, with its recording?`);
  const { body } = await openApi(console, options).calls.remove({ params: { id } });
  print(console, { json: body, text: `Call ${id} was deleted.` }, options.json);
}

function describeCall(call: CallDetail): string {
  const facts = [
    ['Call', String(call.id)],
    ['Status', call.ended_reason === null ? call.status : `${call.status} (${call.ended_reason})`],
    ['Type', call.type],
    ['Assistant', call.assistant_name],
    ['Customer', call.client_phone_number || 'browser'],
    ['Placed', call.created_at],
    ['Length', `${call.duration} s`],
    ['Recording', call.recording_url ?? 'none'],
  ];
  const lines = facts.map(([name, value]) => `${name?.padEnd(10)} ${value}`);
  const events = call.events.map((event) => `  ${event.at}  ${event.type}`);
  const deliveries = call.webhook_deliveries.map(
    (delivery) => `  ${delivery.event}  ${delivery.status}  ${delivery.url}`,
  );
  return [
    ...lines,
    ...section('Events', events),
    ...section(
      'Transcript',
      call.transcript === '' ? [] : call.transcript.split('\n').map((line) => `  ${line}`),
    ),
    ...section('Webhooks', deliveries),
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}
