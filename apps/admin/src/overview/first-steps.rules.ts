/** What a new user does first, and which of it is done. */
import { DEMO_ASSISTANTS } from '@parley/contracts';

/** The steps, in order. */
export const FIRST_STEPS = ['talk', 'create', 'connect'] as const;
/** One of {@link FIRST_STEPS}. */
export type FirstStep = (typeof FIRST_STEPS)[number];

/** What the user has. */
export interface Possessions {
  /** In the browser. */
  talks: number;
  /** The newest first, as the API lists them. */
  assistants: readonly { id: number; name: string }[];
  trunks: readonly { is_test: boolean }[];
}

/** Which steps are done, and the assistant to talk to: a demo if there is one. */
export interface FirstStepsState {
  done: ReadonlySet<FirstStep>;
  talkTo: number | null;
}

const DEMO_NAMES: readonly string[] = Object.values(DEMO_ASSISTANTS);

/** A demo assistant that was renamed is the user's own. */
export function firstStepsOf({ talks, assistants, trunks }: Possessions): FirstStepsState {
  const isDone: Record<FirstStep, boolean> = {
    talk: talks > 0,
    create: assistants.some(({ name }) => !DEMO_NAMES.includes(name)),
    connect: trunks.some(({ is_test: isTest }) => !isTest),
  };
  const demo = assistants.findLast(({ name }) => DEMO_NAMES.includes(name));
  return {
    done: new Set(FIRST_STEPS.filter((step) => isDone[step])),
    talkTo: (demo ?? assistants.at(-1))?.id ?? null,
  };
}
