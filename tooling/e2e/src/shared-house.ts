/**
 * One installation for all end-to-end tests that change nothing that another test sees. Tests that kill processes,
 * configure providers or need other settings start their own.
 */
import { inject } from 'vitest';
import { useHouse, type Access, type SharedHouse } from './house.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** How to reach the installation that the test files share. */
    sharedHouse: Access;
  }
}

/** For use in tests and hooks. */
export function sharedHouse(): SharedHouse {
  return useHouse(inject('sharedHouse'));
}
