/** `leads`: the leads of campaigns. Over the REST API, from any machine. */
import {
  leadStatuses,
  type DialVerdictRecord,
  type LeadAttempt,
  type LeadRecord,
  type LeadStatus,
} from '@parley/contracts';
import { Option, type Command } from 'commander';
import { openApi, withApiOptions, type ApiOptions } from '../api-access.ts';
import { collectVariable, integer } from '../arguments.ts';
import { confirm, withConfirmation, type ConfirmationOptions } from '../confirmation.ts';
import { addLeadImportCommand } from './lead-import.ts';
import { listing, print, type Console } from '../console.ts';
import { texts } from './texts.ts';

/** @param program - gets the commands */
export function addLeadCommands(program: Command, console: Console): void {
  const leads = program.command('leads').description(texts.leads.about);
  withApiOptions(leads.command('list'))
    .description(texts.leads.list)
    .option('--campaign <id>', texts.common.campaignFilter, integer)
    .addOption(new Option('--status <status>', texts.common.status).choices([...leadStatuses]))
    .option('--phone-number <part>', texts.common.numberPart)
    .option('--page <number>', texts.common.page, integer, 1)
    .option('--per-page <number>', texts.common.perPage, integer, 15)
    .action((options: ListOptions) => list(console, options));
  withApiOptions(leads.command('add'))
    .description(texts.leads.add)
    .argument('<number>', texts.common.number)
    .requiredOption('--campaign <id>', texts.leads.campaign, integer)
    .option('--variable <name=value...>', texts.common.variable, collectVariable, {})
    .option('--allow-duplicate', texts.leads.allowDuplicate)
    .action((number: string, options: AddOptions) => add(console, number, options));
  addLeadImportCommand(leads, console);
  withApiOptions(leads.command('why'))
    .description(texts.leads.why)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions) => why(console, id, options));
  withApiOptions(withConfirmation(leads.command('delete')))
    .description(texts.leads.delete)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions & ConfirmationOptions) => remove(console, id, options));
}

interface ListOptions extends ApiOptions {
  campaign?: number;
  status?: LeadStatus;
  phoneNumber?: string;
  page: number;
  perPage: number;
}

async function list(console: Console, options: ListOptions): Promise<void> {
  const { campaign, status, phoneNumber, page, perPage } = options;
  const { body } = await openApi(console, options).leads.list({
    query: { campaign_id: campaign, status, phone_number: phoneNumber, page, per_page: perPage },
  });
  // The query determines the type of the response, which the types do not express.
  const leads = Array.isArray(body) ? body : body.data;
  const total = 'total' in body ? body.total : leads.length;
  const columns = {
    ID: (lead: LeadRecord) => lead.id,
    NUMBER: (lead: LeadRecord) => lead.phone_number,
    STATUS: (lead: LeadRecord) => lead.status,
    CAMPAIGN: (lead: LeadRecord) => lead.campaign.name,
    VARIABLES: (lead: LeadRecord) => JSON.stringify(lead.variables),
  };
  const text = texts.common.total(listing(leads, columns, texts.leads.none), total);
  print(console, { json: body, text }, options.json);
}

interface AddOptions extends ApiOptions {
  campaign: number;
  variable: Record<string, string>;
  allowDuplicate?: boolean;
}

async function add(console: Console, number: string, options: AddOptions): Promise<void> {
  const { body: answer } = await openApi(console, options).leads.create({
    body: {
      phone_number: number,
      campaign_id: options.campaign,
      variables: options.variable,
      allow_duplicate: options.allowDuplicate,
    },
  });
  const { id, phone_number } = answer.data;
  print(console, { json: answer, text: texts.leads.added(id, phone_number) }, options.json);
}

async function why(console: Console, id: number, options: ApiOptions): Promise<void> {
  const { body } = await openApi(console, options).leads.attempts({ params: { id } });
  const columns = {
    AT: (attempt: LeadAttempt) => attempt.at,
    NUMBER: (attempt: LeadAttempt) => attempt.phone_number,
    ROUND: (attempt: LeadAttempt) => attempt.round,
    CALL: (attempt: LeadAttempt) => attempt.call_id,
    OUTCOME: (attempt: LeadAttempt) => attempt.ended_reason ?? attempt.status,
    WHY: (attempt: LeadAttempt) => attempt.decision?.explanation ?? '',
  };
  const attempts = listing(body.attempts, columns, texts.leads.notCalled);
  print(console, { json: body, text: `${verdictText(body.now)}\n\n${attempts}` }, options.json);
}

function verdictText({ decision, explanation, until }: DialVerdictRecord): string {
  if (decision === 'dial') return texts.leads.verdict.dial;
  if (decision === 'never') return texts.leads.verdict.never(explanation);
  return until === null
    ? texts.leads.verdict.wait(explanation)
    : texts.leads.verdict.waitUntil(until, explanation);
}

async function remove(
  console: Console,
  id: number,
  options: ApiOptions & ConfirmationOptions,
): Promise<void> {
  await confirm(console, options, texts.leads.confirm(id));
  const { body } = await openApi(console, options).leads.remove({ params: { id } });
  print(console, { json: body, text: texts.common.deleted(texts.leads.one, id) }, options.json);
}
