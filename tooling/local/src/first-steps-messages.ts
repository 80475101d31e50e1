/** The requests of the supervisor to the process of the first steps, and the responses. */
import type { BootstrapResult } from '@parley/core';
import type { SelfCheckResult } from './self-check.ts';

/** Each step with its input and its result. */
export interface FirstSteps {
  /** Schema and first user. */
  prepare: { asked: { url: string; directUrl: string; publicUrl: string }; told: BootstrapResult };
  /** The information that is printed for the operator. */
  introduce: { asked: object; told: { signInSecret: string; assistantId: number | null } };
  /** A call from the demo assistant to a test phone. */
  check: { asked: object; told: SelfCheckResult };
}

/** One step at a time. */
export type StepRequest = {
  [Step in keyof FirstSteps]: { step: Step } & FirstSteps[Step]['asked'];
}[keyof FirstSteps];
/** Answers the newest request. */
export type StepReply = { told: unknown } | { fault: string };
