/**
 * One installation for all end-to-end tests that change nothing that another test sees. Tests that kill processes,
 * configure providers or need other settings start their own.
 */
import { inject } from 'vitest';
import { useInstallation, type Access, type SharedInstallation } from './installation.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** How to reach the installation that the test files share. */
    sharedInstallation: Access;
  }
}

/** For use in tests and hooks. */
export function sharedInstallation(): SharedInstallation {
  return useInstallation(inject('sharedInstallation'));
}
