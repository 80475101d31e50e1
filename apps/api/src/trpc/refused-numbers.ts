/** Writes of many pasted numbers, of which some may be invalid. */
import { DomainError } from '@parley/core';

/** Writes one number after the other. @returns those that core refuses as invalid */
export async function refusedNumbers(
  numbers: readonly string[],
  write: (phoneNumber: string) => Promise<unknown>,
): Promise<string[]> {
  const refused: string[] = [];
  for (const number of numbers) {
    try {
      await write(number);
    } catch (error) {
      if (!(error instanceof DomainError && error.kind === 'invalid')) throw error;
      refused.push(number);
    }
  }
  return refused;
}
