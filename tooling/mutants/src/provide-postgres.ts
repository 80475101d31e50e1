/** Gives the tests the Postgres that `main.ts` has started. */
import type { TestProject } from 'vitest/node';

export default function setup(project: TestProject): void {
  project.provide('postgresUrl', process.env['PARLEY_MUTANT_POSTGRES'] ?? '');
}
