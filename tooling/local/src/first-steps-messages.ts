/** The requests of the supervisor to the process of the first steps, and the responses. */
import type { BootstrapResult } from '@parley/core';
import type { SelfCheckResult } from './self-check.ts';

/** Each step with its input and its result. */
export interface FirstSteps {
  /** Schema and first user. */
  prepare: { input: { url: string; directUrl: string; publicUrl: string }; result: BootstrapResult };
  /** The information that is printed for the operator. */
  introduce: { input: object; result: { signInSecret: string | null; assistantId: number | null } };
  /** A call from the demo assistant to a test phone. */
  check: { input: object; result: SelfCheckResult };
}

/** One step at a time. */
export type StepRequest = {
  [Step in keyof FirstSteps]: { step: Step } & FirstSteps[Step]['input'];
}[keyof FirstSteps];
/** The response to the latest request. */
export type StepReply = { result: unknown } | { fault: string };
