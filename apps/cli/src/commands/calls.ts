/** `call`, `calls list`, `calls show`: over the REST API, from anywhere. */
import { callDetail, callRecord, envelope, type CallDetail, type CallRecord } from '@parley/contracts';
import { pause } from '@parley/runtime';
import { InvalidArgumentError, type Command } from 'commander';
import { z } from 'zod';
import { openApi, type ApiAccess, type ApiOptions } from '../api-access.ts';
import { followCall } from '../follow-call.ts';
import { CommandError } from '../command-error.ts';
import { print, table, type Console } from '../console.ts';

/** @param program - gets the commands */
export function addCallCommands(program: Command, console: Console): void {
  withApiOptions(program.command('call'))
    .description('place a call')
    .argument('<number>', 'whom to call, with the country: +12025550142')
    .requiredOption('--assistant <id>', 'who calls', integer)
    .option('--variable <name=value...>', 'given to the assistant; may be repeated', collectVariable, {})
    .option(
      '--follow',
      'stay until the call is over and show what happens; exit code 1 if it is not completed',
    )
    .action((number: string, options: PlaceOptions) => place(console, number, options));

  const calls = program.command('calls').description('call records');
  withApiOptions(calls.command('list'))
    .description('the newest calls')
    .option('--status <status>', 'only these')
    .option('--assistant <id>', 'only of this assistant', integer)
    .option('--page <number>', 'which page', integer, 1)
    .option('--per-page <number>', 'how many', integer, 15)
    .action((options: ListOptions) => list(console, options));
  withApiOptions(calls.command('show'))
    .description('everything about one call')
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions) => show(console, id, options));
}

function withApiOptions(command: Command): Command {
  return command
    .option('--url <address>', 'of the api; default: PARLEY_URL, or the Parley on this machine')
    .option('--token <token>', 'default: PARLEY_TOKEN')
    .option('--json', 'print JSON');
}

interface PlaceOptions extends ApiOptions {
  assistant: number;
  variable: Record<string, string>;
  follow?: boolean;
}

const placed = z.object({ call_id: z.int(), status: z.string() });

async function place(console: Console, number: string, options: PlaceOptions): Promise<void> {
  const api = openApi(console, options);
  const body = { phone_number: number, assistant_id: options.assistant, variables: options.variable };
  const answer = await api.ask({ method: 'POST', path: '/api/user/make_call', body, schema: placed });
  if (!options.follow)
    return print(console, { json: answer, text: `Call ${answer.call_id} was placed.` }, options.json);
  const end = await followCall({
    read: () => readCall(api, answer.call_id),
    wait: (delayMs) => pause(console.clock, delayMs, console.signal),
    tell: (line) => (options.json ? console.remark(`${line}\n`) : console.write(`${line}\n`)),
    signal: console.signal,
  });
  if (options.json) print(console, { json: end, text: '' }, true);
  if (end.status !== 'completed') throw new CommandError(`The call ended as ${end.status}.`);
}

function readCall(api: ApiAccess, id: number): Promise<CallDetail> {
  return api.ask({ path: `/api/user/calls/${id}`, schema: callDetail });
}

interface ListOptions extends ApiOptions {
  status?: string;
  assistant?: number;
  page: number;
  perPage: number;
}

async function list(console: Console, options: ListOptions): Promise<void> {
  const query = new URLSearchParams({
    page: String(options.page),
    per_page: String(options.perPage),
    status: options.status ?? '',
    assistant_id: options.assistant === undefined ? '' : String(options.assistant),
  });
  const page = await openApi(console, options).ask({
    path: `/api/user/calls?${query.toString()}`,
    schema: envelope(callRecord),
  });
  const text = page.data.length === 0 ? 'No calls.' : `${callTable(page.data)}\n${page.total} in all.`;
  print(console, { json: page, text }, options.json);
}

function callTable(calls: readonly CallRecord[]): string {
  const rows = calls.map((call) => [
    String(call.id),
    call.created_at,
    call.type,
    call.client_phone_number || 'browser',
    call.status,
    `${call.duration} s`,
    call.assistant_name,
  ]);
  return table(['ID', 'WHEN', 'TYPE', 'CUSTOMER', 'STATUS', 'LENGTH', 'ASSISTANT'], rows);
}

async function show(console: Console, id: number, options: ApiOptions): Promise<void> {
  const call = await readCall(openApi(console, options), id);
  print(console, { json: call, text: describeCall(call) }, options.json);
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

function integer(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}

function collectVariable(text: string, others: Record<string, string>): Record<string, string> {
  const [name = '', ...value] = text.split('=');
  if (name === '' || value.length === 0) throw new InvalidArgumentError('Write NAME=VALUE.');
  return { ...others, [name]: value.join('=') };
}
