/** `trunk-doctor`: finds out why calls over a SIP trunk fail, and what to do. Over the REST API, from any machine. */
import type { DiagnosisStepRecord } from '@parley/contracts';
import type { Command } from 'commander';
import { openApi, withApiOptions, type ApiOptions } from '../api-access.ts';
import { integer } from '../arguments.ts';
import { print, type Console } from '../console.ts';
import { texts } from './trunk-doctor-texts.ts';

interface DoctorOptions extends ApiOptions {
  call?: number;
}

/** @param program - gets the command */
export function addTrunkDoctorCommand(program: Command, console: Console): void {
  withApiOptions(program.command('trunk-doctor'))
    .description(texts.about)
    .argument('<trunk>', texts.trunk, integer)
    .option('--call <id>', texts.call, integer)
    .action((id: number, options: DoctorOptions) => diagnose(console, id, options));
}

async function diagnose(console: Console, id: number, options: DoctorOptions): Promise<void> {
  const api = openApi(console, options);
  const { body } = await api.sipTrunks.diagnose({ params: { id }, body: { call_id: options.call ?? null } });
  const { steps, verdict } = body.data;
  const lines = steps.map(line);
  print(console, { json: body.data, text: [...lines, '', texts.result[verdict]].join('\n') }, options.json);
}

function line({ step, verdict, message, cure }: DiagnosisStepRecord): string {
  const { steps, verdicts, cure: advice } = texts;
  const head = `${verdicts[verdict].padEnd(8)} ${steps[step].padEnd(15)} ${message}`;
  return cure === null ? head : `${head}\n${' '.repeat(25)}${advice(cure)}`;
}
