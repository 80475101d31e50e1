/** A language model that follows a script, with the delays of a real one, kept by the {@link Clock}. */
import { pause, type Clock } from '@parley/runtime';
import type { LanguageModel, LanguageModelEvent, LanguageModelRequest, SpeechError } from '../ports.ts';

/** One answer of the model. */
export interface FakeAnswer {
  events: readonly LanguageModelEvent[];
  /** From the request to the first event, milliseconds; 0 unless given. */
  firstAfterMs?: number;
  /** Between events, milliseconds; 0 unless given. */
  eachAfterMs?: number;
  /** Thrown after the last event. */
  failWith?: SpeechError;
}

/** @see createFakeModel */
export interface FakeModelOptions {
  clock: Clock;
  /** The answers in order, or a function that makes one for each request. After the last one, the model says nothing. */
  answers: readonly FakeAnswer[] | ((request: LanguageModelRequest) => FakeAnswer);
}

/** The model, what it was asked, and how often an answer was broken off by the signal. */
export interface FakeModel extends LanguageModel {
  readonly requests: readonly LanguageModelRequest[];
  readonly abortedCount: number;
}

/** @see FakeModelOptions */
export function createFakeModel({ clock, answers }: FakeModelOptions): FakeModel {
  const requests: LanguageModelRequest[] = [];
  let abortedCount = 0;
  return {
    requests,
    get abortedCount() {
      return abortedCount;
    },
    async *stream(request, signal) {
      if (signal.aborted) return;
      const answer = typeof answers === 'function' ? answers(request) : answers[requests.length];
      requests.push(request);
      for (const [index, event] of (answer?.events ?? []).entries()) {
        const delayMs = index === 0 ? answer?.firstAfterMs : answer?.eachAfterMs;
        if (delayMs) await pause(clock, delayMs, signal);
        if (signal.aborted) {
          abortedCount += 1;
          return;
        }
        yield event;
      }
      if (answer?.failWith) throw answer.failWith;
    },
  };
}

/** An answer that says `text` word by word. */
export function fakeSpeech(text: string, delays: Omit<FakeAnswer, 'events'> = {}): FakeAnswer {
  const words = text.match(/\S+\s*/g) ?? [];
  return { ...delays, events: words.map((word) => ({ type: 'text', text: word })) };
}

/** An answer that says `text` and then calls a tool; the call's id is `call-<name>`. */
export function fakeToolCall(text: string, name: string, toolArguments: unknown = {}): FakeAnswer {
  const call: LanguageModelEvent = { type: 'tool-call', id: `call-${name}`, name, arguments: toolArguments };
  return { events: [...fakeSpeech(text).events, call] };
}
