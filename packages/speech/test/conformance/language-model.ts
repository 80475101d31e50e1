/** What every {@link LanguageModel} promises. Run by the test of each adapter and of the fake. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LanguageModel, LanguageModelEvent, LanguageModelRequest } from '../../src/ports.ts';
import { collect } from '../collect.ts';

/** One adapter under test. */
export interface LanguageModelCase {
  model: LanguageModel;
  /** Answered by more than one word of text. */
  talk: LanguageModelRequest;
  /** Answered by a call of the tool `end_call`, with or without text. */
  goodbye: LanguageModelRequest;
  stop(): Promise<void>;
}

/** The tool of the suite's requests. */
export const END_CALL = {
  name: 'end_call',
  description: 'Ends the call.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
};

/** @param make - a fresh adapter for the whole suite */
export function describeLanguageModel(name: string, make: () => Promise<LanguageModelCase>): void {
  describe(`${name} as a language model`, () => {
    let subject: LanguageModelCase;
    beforeAll(async () => {
      subject = await make();
    });
    afterAll(async () => subject.stop());

    const ask = async (request: LanguageModelRequest, signal?: AbortSignal): Promise<LanguageModelEvent[]> =>
      collect(subject.model.stream(request, signal ?? new AbortController().signal));

    it('answers in text', async () => {
      expect(textOf(await ask(subject.talk))).toMatch(/\S\s+\S/);
    });

    it('calls a tool with an id and arguments that are an object', async () => {
      const calls = (await ask(subject.goodbye)).filter((event) => event.type === 'tool-call');
      expect(calls).toHaveLength(1);
      expect(calls[0]).toMatchObject({ name: 'end_call', arguments: expect.any(Object) });
      expect(calls[0]?.id).not.toBe('');
    });

    it('answers several requests at once without mixing them up', async () => {
      const alone = textOf(await ask(subject.talk));
      const [talk, goodbye, again] = await Promise.all([
        ask(subject.talk),
        ask(subject.goodbye),
        ask(subject.talk),
      ]);
      expect(textOf(talk)).toBe(alone);
      expect(textOf(again)).toBe(alone);
      expect(goodbye.some((event) => event.type === 'tool-call')).toBe(true);
    });

    it('says nothing when the signal came before', async () => {
      expect(await ask(subject.talk, AbortSignal.abort())).toEqual([]);
    });

    it('ends without an error when the signal comes in the middle', async () => {
      const leaving = new AbortController();
      const heard: LanguageModelEvent[] = [];
      for await (const event of subject.model.stream(subject.talk, leaving.signal)) {
        heard.push(event);
        leaving.abort();
      }
      expect(heard).toHaveLength(1);
    });

    it('lets a listener stop listening in the middle', async () => {
      for await (const event of subject.model.stream(subject.talk, new AbortController().signal)) {
        expect(event.type).toBe('text');
        break;
      }
      expect(textOf(await ask(subject.talk))).not.toBe('');
    });
  });
}

function textOf(events: readonly LanguageModelEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}
