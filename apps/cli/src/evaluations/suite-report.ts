/** The results of a suite: a table for people, and JSON. */
import { percentile95, type CallFacts, type SpokenTurn } from '@parley/suites';
import { listing } from '../console.ts';
import { texts } from './evaluation-texts.ts';
import type { CallerResult, RunResult } from './run-suite.ts';

const { report } = texts;

/** The table, then each run that failed with its reasons and its words. */
export function suiteTable(results: readonly CallerResult[]): string {
  const columns = {
    CALLER: ({ caller }: CallerResult) => caller.name,
    RESULT: ({ isPassed }: CallerResult) => (isPassed ? report.passed : report.failed),
    RUNS: ({ passed, runs }: CallerResult) => `${passed}/${runs.length}`,
    TURNS: ({ runs }: CallerResult) => turnsText(runs),
    'LATENCY P95': ({ runs }: CallerResult) => latencyText(runs),
  };
  const passed = results.filter(({ isPassed }) => isPassed).length;
  return [
    listing(results, columns, ''),
    ...results.flatMap(failedRuns),
    '',
    report.summary(passed, results.length),
  ].join('\n');
}

function turnsText(runs: readonly RunResult[]): string {
  const turns = runs.flatMap(({ conversation }) =>
    conversation === null ? [] : [conversation.turns.filter(({ speaker }) => speaker === 'caller').length],
  );
  if (turns.length === 0) return report.none;
  const [fewest, most] = [Math.min(...turns), Math.max(...turns)];
  return fewest === most ? String(most) : `${fewest}-${most}`;
}

function latencyText(runs: readonly RunResult[]): string {
  const latency = percentile95(runs.flatMap(({ conversation }) => conversation?.latencies ?? []));
  return latency === null ? report.none : report.milliseconds(latency);
}

function failedRuns({ caller, runs }: CallerResult): string[] {
  return runs
    .filter(({ failures }) => failures.length > 0)
    .flatMap((run) => [
      '',
      report.run(caller.name, run.number, runs.length),
      ...run.failures.map((failure) => `  - ${failure}`),
      ...(run.conversation?.call == null ? [] : [`  ${report.call(run.conversation.call.id)}`]),
      ...spokenLines(run.conversation?.turns ?? []).map((line) => `  ${line}`),
    ]);
}

/** One line for each turn. */
export function spokenLines(turns: readonly SpokenTurn[]): string[] {
  return turns.map(({ speaker, text }) => `${report.speaker[speaker]}: ${text.replaceAll(/\s+/gu, ' ')}`);
}

/** Everything, for programs. Times in milliseconds. */
export function suiteJson(name: string, results: readonly CallerResult[]): object {
  return {
    suite: name,
    is_passed: results.every(({ isPassed }) => isPassed),
    callers: results.map(({ caller, runs, passed, isPassed }) => ({
      name: caller.name,
      mode: caller.mode,
      is_passed: isPassed,
      passed,
      pass_rate: caller.passRate,
      runs: runs.map(({ number, failures, durationMs, conversation }) => ({
        number,
        failures,
        duration: Math.round(durationMs),
        ...(conversation && {
          turns: conversation.turns,
          tools: conversation.tools.map(({ isOk, ...tool }) => ({ ...tool, is_ok: isOk })),
          latencies: conversation.latencies,
          first_words: conversation.firstWords,
          ended_by: conversation.endedBy,
          variables: conversation.variables,
          ...(conversation.call && { call: callJson(conversation.call) }),
        }),
      })),
    })),
  };
}

function callJson({ endedReason, longestSilence, ...call }: CallFacts) {
  return { ...call, ended_reason: endedReason, longest_silence: longestSilence };
}
