/** The thread that compares conversations with the expressions of suites: `judge-thread.ts` starts it and limits its time. */
import { parentPort } from 'node:worker_threads';
import { localJudge, SuiteError } from '@parley/suites/judge';
import type { JudgeAnswer, JudgeQuestion } from './judge-thread.ts';

const READY = { result: 0 };

parentPort?.postMessage(READY satisfies JudgeAnswer, []);
parentPort?.on('message', (question: JudgeQuestion) => {
  answer(question).then(
    (result) => parentPort?.postMessage({ result } satisfies JudgeAnswer, []),
    (error: unknown) => {
      if (!(error instanceof SuiteError)) throw error;
      parentPort?.postMessage({ failure: error.message } satisfies JudgeAnswer, []);
    },
  );
});

function answer(question: JudgeQuestion): Promise<string[] | number> {
  return question.kind === 'failures'
    ? localJudge.failuresOf(question.expected, question.conversation)
    : localJudge.firstFound(question.phrases, question.text);
}
