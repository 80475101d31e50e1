/** `call`: places a call, and optionally follows it to its end. Over the REST API, from any machine. */
import { streamFallbacks } from '@parley/contracts';
import { pause } from '@parley/runtime';
import { Option, type Command } from 'commander';
import { openApi, withApiOptions, type ApiOptions } from '../api-access.ts';
import { collectVariable, integer } from '../arguments.ts';
import { CommandError } from '../command-error.ts';
import { print, type Console } from '../console.ts';
import { followCall } from '../follow-call.ts';
import { texts } from './texts.ts';

/** @param program - gets the command */
export function addCallCommand(program: Command, console: Console): void {
  withApiOptions(program.command('call'))
    .description(texts.call.about)
    .argument('<number>', texts.common.number)
    .requiredOption('--assistant <id>', texts.call.assistant, integer)
    .option('--variable <name=value...>', texts.common.variable, collectVariable, {})
    .option('--stream <url>', texts.call.stream)
    .option('--parameter <name=value...>', texts.call.parameter, collectVariable, {})
    .addOption(
      new Option('--on-failure <choice>', texts.call.onFailure)
        .choices([...streamFallbacks])
        .default('assistant'),
    )
    .option('--follow', texts.call.follow)
    .action((number: string, options: PlaceOptions) => place(console, number, options));
}

interface PlaceOptions extends ApiOptions {
  assistant: number;
  variable: Record<string, string>;
  stream?: string;
  parameter: Record<string, string>;
  onFailure: (typeof streamFallbacks)[number];
  follow?: boolean;
}

async function place(console: Console, number: string, options: PlaceOptions): Promise<void> {
  const { calls } = openApi(console, options);
  const { stream: url, parameter, onFailure: on_failure } = options;
  const call = { phone_number: number, assistant_id: options.assistant, variables: options.variable };
  const parameters = Object.entries(parameter).map(([name, value]) => ({ name, value }));
  if (url === undefined && parameters.length > 0) throw new CommandError(texts.call.noStream);
  const { body: answer } = await (url === undefined
    ? calls.make({ body: call })
    : calls.makeStream({ body: { ...call, url, parameters, on_failure } }));
  if (!options.follow)
    return print(console, { json: answer, text: texts.call.placed(answer.call_id) }, options.json);
  const end = await followCall({
    read: async () => (await calls.get({ params: { id: answer.call_id } })).body,
    wait: (delayMs) => pause(console.clock, delayMs, console.signal),
    tell: (line) => (options.json ? console.remark(`${line}\n`) : console.write(`${line}\n`)),
    signal: console.signal,
  });
  if (options.json) print(console, { json: end, text: '' }, true);
  if (end.status !== 'completed') throw new CommandError(texts.call.ended(end.status));
}
