/** What every {@link Recogniser} promises. Run by the test of each adapter and of the fake. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Recogniser, RecogniserEvent, RecogniserStream } from '../../src/ports.ts';

/** One adapter under test. */
export interface RecogniserCase {
  /** Every stream of it understands {@link UTTERANCES}, in this order, whatever the sound. */
  recogniser: Recogniser;
  stop(): Promise<void>;
}

/** What the case must make its adapter understand. */
export const UTTERANCES = ['yes please', 'tomorrow at nine'] as const;

/** @param make - a fresh adapter for each test */
export function describeRecogniser(name: string, make: () => Promise<RecogniserCase>): void {
  describe(`${name} as a recogniser`, () => {
    let subject: RecogniserCase;
    beforeAll(async () => {
      subject = await make();
    });
    afterAll(async () => subject.stop());

    it('gives a final for each finalised utterance, in order, with its place in the sound', async () => {
      const { stream, finals } = listen(subject.recogniser);
      const second = new Int16Array(subject.recogniser.capabilities.sampleRateHz).fill(500);
      stream.push(second);
      stream.finalise();
      stream.push(second);
      stream.finalise();
      expect(await finals(2)).toEqual([
        { type: 'final', text: UTTERANCES[0], endMs: 1000 },
        { type: 'final', text: UTTERANCES[1], endMs: 2000 },
      ]);
      stream.close();
    });

    it('answers an utterance without sound by an empty final', async () => {
      const { stream, finals } = listen(subject.recogniser);
      stream.finalise();
      expect(await finals(1)).toEqual([{ type: 'final', text: '', endMs: 0 }]);
      stream.close();
    });

    it('says nothing more after it was closed', async () => {
      const closed = listen(subject.recogniser);
      closed.stream.push(new Int16Array(8000).fill(500));
      closed.stream.finalise();
      closed.stream.close();
      closed.stream.close();
      closed.stream.finalise();
      const other = listen(subject.recogniser);
      other.stream.push(new Int16Array(8000).fill(500));
      other.stream.finalise();
      expect((await other.finals(1))[0]).toMatchObject({ text: expect.any(String) });
      expect(closed.heard).toEqual([]);
      other.stream.close();
    });
  });
}

function listen(recogniser: Recogniser): {
  stream: RecogniserStream;
  heard: RecogniserEvent[];
  finals: (count: number) => Promise<RecogniserEvent[]>;
} {
  const heard: RecogniserEvent[] = [];
  let wake = (): void => {};
  const stream = recogniser.open({ language: 'en' }, (event) => {
    heard.push(event);
    wake();
  });
  const isFinal = (event: RecogniserEvent): boolean => event.type !== 'interim';
  return {
    stream,
    heard,
    async finals(count) {
      while (heard.filter(isFinal).length < count)
        await new Promise<void>((resolve) => void (wake = resolve));
      return heard.filter(isFinal);
    },
  };
}
