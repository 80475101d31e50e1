/** The results of a suite as JUnit XML, which CI servers display: a test suite with a test case for each caller. */
import { requiredRuns } from '@parley/suites';
import { texts } from './evaluation-texts.ts';
import type { CallerResult, RunResult } from './run-suite.ts';
import { spokenLines } from './suite-report.ts';

const { report } = texts;

/** A caller fails if too few of its runs pass; what was said in the failed runs is its output. */
export function junitReport(name: string, results: readonly CallerResult[]): string {
  const failed = results.filter(({ isPassed }) => !isPassed).length;
  const facts = {
    name,
    tests: results.length,
    failures: failed,
    errors: 0,
    skipped: 0,
    time: seconds(results.flatMap(({ runs }) => runs)),
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes({ tests: facts.tests, failures: failed, errors: 0, time: facts.time })}>`,
    `  <testsuite ${attributes(facts)}>`,
    ...results.flatMap((result) => testCase(name, result)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(suite: string, { caller, runs, passed, isPassed }: CallerResult): string[] {
  const opening = `    <testcase ${attributes({ classname: suite, name: caller.name, time: seconds(runs) })}>`;
  const broken = runs.filter(({ failures }) => failures.length > 0);
  const details = broken.flatMap((run) => [
    report.run(caller.name, run.number, runs.length),
    ...run.failures.map((failure) => `- ${failure}`),
    ...spokenLines(run.conversation?.turns ?? []),
  ]);
  const message =
    runs.length === 1
      ? (broken[0]?.failures[0] ?? '')
      : report.rate(passed, runs.length, requiredRuns(caller));
  const text = escape(details.join('\n'));
  if (isPassed && details.length === 0) return [`${opening}</testcase>`];
  const body = isPassed
    ? `      <system-out>${text}</system-out>`
    : `      <failure ${attributes({ message, type: 'expectation' })}>${text}</failure>`;
  return [opening, body, '    </testcase>'];
}

function seconds(runs: readonly RunResult[]): string {
  return (runs.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000).toFixed(3);
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escape(String(value))}"`)
    .join(' ');
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Characters that XML 1.0 forbids (section 2.2) are left out. */
function escape(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
