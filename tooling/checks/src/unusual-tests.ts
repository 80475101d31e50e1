/**
 * A reporter for vitest that lists the tests that were skipped and those that passed only when they were repeated. In CI a
 * skipped test fails the run: every program is there.
 */
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

export default class UnusualTests implements Reporter {
  #isFiltered = false;

  onInit(vitest: Vitest): void {
    this.#isFiltered = vitest.config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const repeated = namesOf(modules, (test) => test.diagnostic()?.flaky === true);
    if (repeated.length > 0)
      process.stdout.write(`Failed at first and passed when repeated:\n${repeated.join('\n')}\n`);
    const skipped = this.#isFiltered ? [] : namesOf(modules, (test) => test.result().state === 'skipped');
    if (skipped.length === 0) return;
    process.stdout.write(`Skipped, for the reasons printed above:\n${skipped.join('\n')}\n`);
    if (process.env['CI'] === 'true') process.exitCode = 1;
  }
}

function namesOf(modules: readonly TestModule[], isListed: (test: TestCase) => boolean): string[] {
  return modules.flatMap((module) =>
    [...module.children.allTests()]
      .filter((test) => isListed(test))
      .map((test) => `${module.relativeModuleId}: ${test.fullName}`),
  );
}
