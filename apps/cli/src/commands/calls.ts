/** `calls`: records of calls, and hanging up. Over the REST API, from any machine. */
import { callStatuses, type CallDetail, type CallRecord, type CallStatus } from '@parley/contracts';
import { Option, type Command } from 'commander';
import { openApi, withApiOptions, type ApiOptions } from '../api-access.ts';
import { integer } from '../arguments.ts';
import { confirm, withConfirmation, type ConfirmationOptions } from '../confirmation.ts';
import { listing, print, type Console } from '../console.ts';
import { texts } from './texts.ts';

/** @param program - gets the commands */
export function addCallsCommands(program: Command, console: Console): void {
  const calls = program.command('calls').description(texts.calls.about);
  withApiOptions(calls.command('list'))
    .description(texts.calls.list)
    .addOption(new Option('--status <status>', texts.common.status).choices([...callStatuses]))
    .option('--assistant <id>', texts.calls.assistantFilter, integer)
    .option('--campaign <id>', texts.common.campaignFilter, integer)
    .option('--phone-number <part>', texts.calls.numberFilter)
    .option('--page <number>', texts.common.page, integer, 1)
    .option('--per-page <number>', texts.common.perPage, integer, 15)
    .action((options: ListOptions) => list(console, options));
  withApiOptions(calls.command('show'))
    .description(texts.calls.show)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions) => show(console, id, options));
  withApiOptions(calls.command('evaluate'))
    .description(texts.calls.evaluate)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions) => evaluate(console, id, options));
  withApiOptions(calls.command('export'))
    .description(texts.calls.export)
    .addOption(new Option('--status <status>', texts.common.status).choices([...callStatuses]))
    .option('--assistant <id>', texts.calls.assistantFilter, integer)
    .option('--campaign <id>', texts.common.campaignFilter, integer)
    .option('--disposition <name>', texts.calls.dispositionFilter)
    .action((options: ExportOptions) => exportFile(console, options));
  withApiOptions(calls.command('set-disposition'))
    .description(texts.calls.setDisposition)
    .argument('<id>', '', integer)
    .argument('[disposition]', texts.calls.dispositionArgument)
    .action((id: number, disposition: string | undefined, options: ApiOptions) =>
      setDisposition(console, { id, disposition: disposition ?? null }, options),
    );
  withApiOptions(calls.command('hang-up'))
    .description(texts.calls.hangUp)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions) => hangUp(console, id, options));
  withApiOptions(withConfirmation(calls.command('delete')))
    .description(texts.calls.delete)
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
    CUSTOMER: (call: CallRecord) => customerOf(call),
    STATUS: (call: CallRecord) => call.status,
    LENGTH: (call: CallRecord) => `${call.duration} s`,
    ASSISTANT: (call: CallRecord) => call.assistant_name,
  };
  // The query has no cursor, so that there is a total, which the types do not express.
  const total = 'total' in page ? page.total : page.data.length;
  const text = texts.common.total(listing(page.data, columns, texts.calls.none), total);
  print(console, { json: page, text }, options.json);
}

interface ExportOptions extends ApiOptions {
  status?: CallStatus;
  assistant?: number;
  campaign?: number;
  disposition?: string;
}

async function exportFile(console: Console, options: ExportOptions): Promise<void> {
  const { status, assistant, campaign, disposition } = options;
  const query = { status, assistant_id: assistant, campaign_id: campaign, disposition };
  const { body } = await openApi(console, options).calls.file({ query });
  print(console, { json: { calls: body }, text: body.trimEnd() }, options.json);
}

async function setDisposition(
  console: Console,
  { id, disposition }: { id: number; disposition: string | null },
  options: ApiOptions,
): Promise<void> {
  const { body } = await openApi(console, options).calls.setDisposition({
    params: { id },
    body: { disposition },
  });
  print(console, { json: body, text: texts.calls.disposed(id, body.data.disposition) }, options.json);
}

async function show(console: Console, id: number, options: ApiOptions): Promise<void> {
  const { body: call } = await openApi(console, options).calls.get({ params: { id } });
  print(console, { json: call, text: describeCall(call) }, options.json);
}

async function evaluate(console: Console, id: number, options: ApiOptions): Promise<void> {
  const { body: answer } = await openApi(console, options).calls.evaluate({ params: { id } });
  const { evaluation, stored_evaluation: stored, unevaluated_because: because } = answer.data;
  const columns = {
    FIELD: (name: string) => name,
    STORED: (name: string) => valueText(stored[name]),
    NOW: (name: string) => valueText(evaluation[name]),
  };
  const names = [...new Set([...Object.keys(evaluation), ...Object.keys(stored)])];
  const table = listing(names, columns, texts.calls.noFields);
  const text = because === null ? table : `${table}\n${texts.calls.unevaluated[because]}`;
  print(console, { json: answer, text }, options.json);
}

function valueText(value: unknown): string {
  return value === undefined ? '-' : JSON.stringify(value);
}

async function hangUp(console: Console, id: number, options: ApiOptions): Promise<void> {
  const { body } = await openApi(console, options).calls.hangUp({ params: { id } });
  print(console, { json: body, text: texts.calls.ending(id) }, options.json);
}

async function remove(
  console: Console,
  id: number,
  options: ApiOptions & ConfirmationOptions,
): Promise<void> {
  await confirm(console, options, texts.calls.confirm(id));
  const { body } = await openApi(console, options).calls.remove({ params: { id } });
  print(console, { json: body, text: texts.common.deleted(texts.calls.one, id) }, options.json);
}

/** A number that was withheld or removed is empty, as for a call in the browser. */
function customerOf({ type, client_phone_number: number }: CallRecord): string {
  return number || (type === 'web' ? texts.calls.browser : texts.calls.unknown);
}

function describeCall(call: CallDetail): string {
  const facts = [
    [texts.calls.one, String(call.id)],
    [
      texts.calls.fields.status,
      call.ended_reason === null ? call.status : `${call.status} (${call.ended_reason})`,
    ],
    [texts.calls.fields.type, call.type],
    [texts.calls.fields.assistant, call.assistant_name],
    [texts.calls.fields.customer, customerOf(call)],
    ...(call.caller_name === null ? [] : [[texts.calls.fields.callerName, call.caller_name]]),
    ...(call.diverted_from === null ? [] : [[texts.calls.fields.divertedFrom, call.diverted_from]]),
    [texts.calls.fields.placed, call.created_at],
    [texts.calls.fields.length, `${call.duration} s`],
    [texts.calls.fields.recording, call.recording_url ?? texts.calls.noRecording],
  ];
  const lines = facts.map(([name, value]) => `${name?.padEnd(10)} ${value}`);
  const events = call.events.map((event) => `  ${event.at}  ${event.type}`);
  const deliveries = call.webhook_deliveries.map(
    (delivery) => `  ${delivery.event}  ${delivery.status}  ${delivery.url}`,
  );
  return [
    ...lines,
    ...section(texts.calls.sections.events, events),
    ...section(
      texts.calls.sections.transcript,
      call.transcript === '' ? [] : call.transcript.split('\n').map((line) => `  ${line}`),
    ),
    ...section(texts.calls.sections.webhooks, deliveries),
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}
