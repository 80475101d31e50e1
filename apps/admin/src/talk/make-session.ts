/** The session of a conversation on a page of the app, with the texts of its problems. Loaded when a conversation begins. */
import { readRequestError } from '../client/request-error.ts';
import { TalkSession, type TalkProblems, type TalkSessionOptions } from '../web-call/talk-session.ts';
import { explainRefusal } from './microphone-problem.rules.ts';
import { texts } from './texts.ts';
import { WORKLET_URLS } from './worklet-urls.ts';

const problems: TalkProblems = {
  connectionLost: texts.problems.connectionLost,
  notAccepted: texts.problems.notAccepted,
  ofError: (error) =>
    error instanceof DOMException
      ? explainRefusal(error.name)
      : { title: texts.problems.notPlaced, text: readRequestError(error).message },
};

/** Not started yet. */
export function makeSession(options: Omit<TalkSessionOptions, 'problems' | 'workletUrls'>): TalkSession {
  return new TalkSession({ ...options, problems, workletUrls: WORKLET_URLS });
}
