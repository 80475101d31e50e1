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
      // A length that the pieces of every provider divide.
      const sound = new Int16Array(subject.recogniser.capabilities.sampleRateHz * 1.2).fill(500);
      stream.push(sound);
      stream.finalise();
      stream.push(sound);
      stream.finalise();
      expect(await finals(2)).toEqual([
        { type: 'final', text: UTTERANCES[0], endMs: 1200 },
        { type: 'final', text: UTTERANCES[1], endMs: 2400 },
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
  const isFinal = ({ type }: RecogniserEvent): boolean => type === 'final' || type === 'failed';
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
