/** The command line of `npm run chaos`. */
import type { Check } from './check.ts';

/** The parsed arguments. */
export interface ChaosArguments {
  isFull: boolean;
  seed: number;
  chosen: readonly Check[];
}

const DEFAULT_SEED = 20_260_105;

/** @throws Error for a check that does not exist or a seed that is not a number */
export function readArguments(words: readonly string[], checks: readonly Check[]): ChaosArguments {
  const valueOf = (flag: string): string | undefined => {
    const at = words.indexOf(flag);
    return at < 0 ? undefined : (words[at + 1] ?? '');
  };
  const seed = Number(valueOf('--seed') ?? DEFAULT_SEED);
  if (!Number.isInteger(seed)) throw new Error('--seed takes a whole number');
  const names = valueOf('--only')?.split(',');
  const unknown = names?.find((name) => checks.every(({ id }) => id !== name));
  if (unknown !== undefined) {
    throw new Error(`There is no check "${unknown}". Known: ${checks.map(({ id }) => id).join(', ')}`);
  }
  const chosen = names ? checks.filter(({ id }) => names.includes(id)) : checks;
  return { isFull: words.includes('--full'), seed, chosen };
}
