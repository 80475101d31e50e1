import { BackgroundWork, silentLog } from '@parley/runtime';
import type { AnswerSettings, CallLeg } from '../src/call-leg.ts';

const background = new BackgroundWork(silentLog);

/** Answers a leg without waiting for its media. A failure ends the leg, which the test observes. */
export function answerCall(leg: CallLeg, settings?: AnswerSettings): void {
  background.start('answer a call', () => leg.answer(settings));
}
