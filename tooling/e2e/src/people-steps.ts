/** Steps of people's scripts, and questions about what was heard. */
import type { Step } from '@parley/phones';
import { CHARACTER_MS, PEOPLE_RATE_HZ, type Held } from './people-bed.ts';
import type { Sound } from './two-tracks.ts';

/** All that the assistants say, if nothing else is stated: one piece of sound. */
export const QUESTION = 'Please tell me which weekday would generally be convenient for you?';
/** How long the simulated voice takes to say the question. */
export const QUESTION_MS = QUESTION.length * CHARACTER_MS;
/** What the jitter buffer and a busy machine may add to a sound. */
export const SLACK_MS = 400;
const ANSWER_WITHIN_MS = 4000;

/** Until the assistant has spoken. */
export const LISTEN = { do: 'listen', pauseMs: 300, patienceMs: 9000 } as const;
/** Until the assistant has spoken for so long. */
export const into = (speechMs: number): Step => ({ do: 'listen-into', speechMs, patienceMs: 9000 });
export const wait = (ms: number): Step => ({ do: 'wait', ms });
export const say = (line: string): Step => ({ do: 'say', line });
export const play = (samples: Int16Array): Step => ({ do: 'play', samples, sampleRateHz: PEOPLE_RATE_HZ });

export const lengthOf = ({ fromMs, toMs }: Sound): number => toMs - fromMs;
/** Whether a whole question was heard, without a hole. */
export const isWhole = (sound: Sound): boolean =>
  lengthOf(sound) > QUESTION_MS - 100 && lengthOf(sound) < QUESTION_MS + SLACK_MS;
/** A sentence from its first sound to its last: the pauses in it are longer than those of `soundsOf`. */
export const wholeSpeech = (said: readonly Sound[]): Sound => ({
  fromMs: said[0]?.fromMs ?? 0,
  toMs: said.at(-1)?.toMs ?? 0,
});

/** The first sound of the assistant after one of the person. */
export function answerTo({ heard }: Pick<Held, 'heard'>, said: Sound | undefined): Sound {
  const answer = heard.find(
    ({ fromMs }) => said && fromMs > said.fromMs && fromMs <= said.toMs + ANSWER_WITHIN_MS,
  );
  if (!answer) throw new Error(`Nothing was heard after ${JSON.stringify(said)}`);
  return answer;
}
