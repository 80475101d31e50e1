/** `test`: conversations with simulated callers, and recorded ones again. Over the REST API, from any machine. */
import { basename } from 'node:path';
import type { Command } from 'commander';
import { openApi, withServerOptions, type ApiOptions } from '../api-access.ts';
import { integer } from '../arguments.ts';
import { callerPath } from '../caller-path.ts';
import { CommandError } from '../command-error.ts';
import type { Console } from '../console.ts';
import { texts as ours } from '../evaluations/evaluation-texts.ts';
import { unusable, type CommandSurroundings } from '../evaluations/api-server.ts';
import { readSuiteFile } from '../evaluations/read-suite-file.ts';
import { replayCall, replayJson, replayText } from '../evaluations/replay-call.ts';
import { runSuite } from '../evaluations/run-suite.ts';
import { reachable, writeFile, writeReport } from '../evaluations/write-report.ts';
import { texts } from './texts.ts';

const MAX_PARALLEL = 100;
/** The server ends a reply after 30 s. */
const REPLY_LIMIT_MS = 40_000;

/** @param program - gets the command */
export function addTestCommand(program: Command, console: Console): void {
  withServerOptions(program.command('test'))
    .description(texts.test.about)
    .argument('[suite]', texts.test.suite)
    .option('--junit <path>', texts.test.junit)
    .option('--json <path>', texts.test.json)
    .option('--parallel <number>', texts.test.parallel, parallelNumber, 10)
    .option('--replay <call>', texts.test.replay, integer)
    .option('--assistant <id>', texts.test.assistant, integer)
    .action((suite: string | undefined, options: TestOptions) => start(console, suite, options));
}

interface TestOptions extends Omit<ApiOptions, 'json'> {
  junit?: string;
  json?: string;
  parallel: number;
  replay?: number;
  assistant?: number;
}

function parallelNumber(text: string): number {
  return Math.min(MAX_PARALLEL, Math.max(1, integer(text)));
}

function start(console: Console, suite: string | undefined, options: TestOptions): Promise<void> {
  const { replay: callId, assistant: assistantId } = options;
  if (suite !== undefined && callId === undefined && assistantId === undefined)
    return test(console, suite, options);
  if (suite !== undefined || callId === undefined) throw unusable(ours.replay.onlyReplay);
  if (assistantId === undefined) throw unusable(ours.replay.noAssistant);
  return replay(console, { callId, assistantId }, options);
}

async function replay(
  console: Console,
  about: { callId: number; assistantId: number },
  options: TestOptions,
): Promise<void> {
  const replayed = await reachable(replayCall(openContext(console, options), about));
  if (options.json !== undefined)
    writeFile(console, options.json, `${JSON.stringify(replayJson(replayed), null, 2)}\n`);
  console.write(`${replayText(replayed)}\n`);
}

async function test(console: Console, path: string, options: TestOptions): Promise<void> {
  const suite = readSuiteFile(callerPath(console.environment, path), path);
  const context = openContext(console, options);
  const results = await reachable(
    runSuite(context, suite, {
      parallel: options.parallel,
      onRun: ({ done, total, caller, failure }) =>
        console.remark(ours.run.progress(done, total, caller.name, failure)),
    }),
  );
  writeReport(console, { name: suite.name ?? basename(path), results }, options);
  const failed = results.filter(({ isPassed }) => !isPassed).length;
  if (failed > 0) throw new CommandError(ours.report.failedCallers(failed, results.length));
}

function openContext(console: Console, options: Omit<ApiOptions, 'json'>): CommandSurroundings {
  const { clock, environment, signal } = console;
  return {
    api: openApi(console, options, { timeoutMs: REPLY_LIMIT_MS }),
    clock,
    environment,
    signal,
  };
}
