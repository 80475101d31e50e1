/** A reporter for vitest that lists skipped tests, and fails a run of CI that skipped one: every program is there. */
import type { Reporter, TestModule, Vitest } from 'vitest/node';

export default class SkippedTests implements Reporter {
  #isFiltered = false;

  onInit(vitest: Vitest): void {
    this.#isFiltered = vitest.config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#isFiltered) return;
    const skipped = modules.flatMap((module) =>
      Array.from(
        module.children.allTests('skipped'),
        (test) => `${module.relativeModuleId}: ${test.fullName}`,
      ),
    );
    if (skipped.length === 0) return;
    process.stdout.write(`Skipped, for the reasons printed above:\n${skipped.join('\n')}\n`);
    if (process.env['CI'] === 'true') process.exitCode = 1;
  }
}
