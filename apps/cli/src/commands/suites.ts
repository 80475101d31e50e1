/** `suites`: stored suites of simulated callers, which the server runs. Over the REST API, from any machine. */
import type { Command } from 'commander';
import { openApi, withApiOptions, withServerOptions, type ApiOptions } from '../api-access.ts';
import { integer, positiveNumber } from '../arguments.ts';
import { callerPath } from '../caller-path.ts';
import { CommandError } from '../command-error.ts';
import { confirm, withConfirmation, type ConfirmationOptions } from '../confirmation.ts';
import { listing, print, type Console } from '../console.ts';
import type { CommandSurroundings } from '../evaluations/api-server.ts';
import { readSuiteText } from '../evaluations/read-suite-file.ts';
import { resultsOf, waitForRun } from '../evaluations/stored-run.ts';
import { reachable, writeReport, type ReportOptions } from '../evaluations/write-report.ts';
import { texts } from './texts.ts';

const words = texts.suites;

/** @param program - gets the commands */
export function addSuiteCommands(program: Command, console: Console): void {
  const suites = program.command('suites').description(words.about);
  withApiOptions(suites.command('list'))
    .description(words.list)
    .action((options: ApiOptions) => list(console, options));
  withApiOptions(suites.command('create'))
    .description(words.create)
    .argument('<suite>', words.file)
    .option('--name <name>', words.name)
    .action((path: string, options: CreateOptions) => create(console, path, options));
  withApiOptions(suites.command('update'))
    .description(words.update)
    .argument('<id>', '', integer)
    .argument('<suite>', words.file)
    .action((id: number, path: string, options: ApiOptions) => update(console, { id, path }, options));
  withApiOptions(withConfirmation(suites.command('delete')))
    .description(words.delete)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions & ConfirmationOptions) => remove(console, id, options));
  withReports(suites.command('run'))
    .description(words.run)
    .argument('<id>', '', integer)
    .option('--parallel <number>', words.parallel, integer)
    .option('--max-minutes <number>', words.maxMinutes, integer)
    .option('--max-cost <amount>', words.maxCost, positiveNumber)
    .option('--no-wait', words.noWait)
    .action((id: number, options: RunOptions) => run(console, id, options));
  withReports(suites.command('wait'))
    .description(words.wait)
    .argument('<run>', '', integer)
    .action((id: number, options: ReportedOptions) => wait(console, id, options));
  withApiOptions(suites.command('runs'))
    .description(words.runs)
    .option('--suite <id>', words.ofSuite, integer)
    .action((options: ApiOptions & { suite?: number }) => listRuns(console, options));
  withApiOptions(suites.command('cancel'))
    .description(words.cancel)
    .argument('<run>', '', integer)
    .action((id: number, options: ApiOptions) => cancel(console, id, options));
}

interface CreateOptions extends ApiOptions {
  name?: string;
}

interface ReportedOptions extends Omit<ApiOptions, 'json'>, ReportOptions {}

interface RunOptions extends ReportedOptions {
  parallel?: number;
  maxMinutes?: number;
  maxCost?: number;
  wait: boolean;
}

function withReports(command: Command): Command {
  return withServerOptions(command)
    .option('--junit <path>', texts.test.junit)
    .option('--json <path>', texts.test.json);
}

async function list(console: Console, options: ApiOptions): Promise<void> {
  const { body } = await openApi(console, options).suites.list();
  type Suite = (typeof body)[number];
  const columns = {
    ID: ({ id }: Suite) => id,
    NAME: ({ name }: Suite) => name,
    CALLERS: (suite: Suite) => suite.callers_count,
    CONVERSATIONS: (suite: Suite) => suite.conversations_count,
    'LAST RUN': (suite: Suite) => suite.last_run?.id ?? words.never,
    RESULT: (suite: Suite) => suite.last_run?.status ?? words.never,
  };
  print(console, { json: body, text: listing(body, columns, words.none) }, options.json);
}

async function create(console: Console, path: string, options: CreateOptions): Promise<void> {
  const definition = readSuiteText(callerPath(console.environment, path), path);
  const { body } = await openApi(console, options).suites.create({
    body: { definition, ...(options.name !== undefined && { name: options.name }) },
  });
  const { id, name } = body.data;
  print(console, { json: body, text: texts.common.created(words.one, id, name) }, options.json);
}

async function update(
  console: Console,
  { id, path }: { id: number; path: string },
  options: ApiOptions,
): Promise<void> {
  const definition = readSuiteText(callerPath(console.environment, path), path);
  const { body } = await openApi(console, options).suites.update({ params: { id }, body: { definition } });
  print(console, { json: body, text: body.message }, options.json);
}

async function remove(
  console: Console,
  id: number,
  options: ApiOptions & ConfirmationOptions,
): Promise<void> {
  const api = openApi(console, options);
  await confirm(console, options, words.confirm(id));
  const { body } = await api.suites.remove({ params: { id } });
  print(console, { json: body, text: body.message }, options.json);
}

async function run(console: Console, suiteId: number, options: RunOptions): Promise<void> {
  const { parallel, maxMinutes, maxCost } = options;
  const { api } = openSurroundings(console, options);
  const started = await reachable(
    api.suites.start({
      params: { id: suiteId },
      body: {
        ...(parallel !== undefined && { parallel }),
        ...(maxMinutes !== undefined && { max_minutes: maxMinutes }),
        ...(maxCost !== undefined && { max_cost: maxCost }),
      },
    }),
  );
  const { id } = started.body.data;
  console.remark(words.started(id));
  if (options.wait) return wait(console, id, options);
  console.write(`${id}\n`);
}

async function wait(console: Console, id: number, options: ReportedOptions): Promise<void> {
  const surroundings = openSurroundings(console, options);
  const ended = await reachable(
    waitForRun(surroundings, id, ({ done_count: done, conversations_count: total, failed_count: failed }) =>
      console.remark(words.progress(done, total, failed)),
    ),
  );
  const results = await reachable(resultsOf(surroundings, ended));
  writeReport(console, { name: ended.name, results }, options);
  if (ended.status === 'passed') return;
  throw new CommandError(words.notPassed(id, ended.status, ended.error));
}

async function listRuns(console: Console, options: ApiOptions & { suite?: number }): Promise<void> {
  const { body } = await openApi(console, options).suiteRuns.list({ query: { suite_id: options.suite } });
  type Run = (typeof body)[number];
  const columns = {
    ID: ({ id }: Run) => id,
    SUITE: (one: Run) => one.suite_id ?? words.never,
    NAME: ({ name }: Run) => name,
    STATUS: ({ status }: Run) => status,
    DONE: (one: Run) => `${one.done_count}/${one.conversations_count}`,
    FAILED: (one: Run) => one.failed_count,
    STARTED: (one: Run) => one.created_at,
  };
  print(console, { json: body, text: listing(body, columns, words.noRuns) }, options.json);
}

async function cancel(console: Console, id: number, options: ApiOptions): Promise<void> {
  const { body } = await openApi(console, options).suiteRuns.cancel({ params: { id }, body: {} });
  print(console, { json: body, text: words.isNow(id, body.data.status) }, options.json);
}

function openSurroundings(console: Console, options: Omit<ApiOptions, 'json'>): CommandSurroundings {
  const { clock, environment, signal } = console;
  return { api: openApi(console, options), clock, environment, signal };
}
