import { describe, expect, it } from 'vitest';
import { PreparedSpeech } from './prepared-speech.ts';

const chunk = (value: number): Int16Array => Int16Array.of(value);

/** A source whose output the test controls. */
function setup() {
  const { promise: go, resolve: release } = Promise.withResolvers<void>();
  const { promise: failing, reject: fail } = Promise.withResolvers<never>();
  failing.catch(() => undefined);
  async function* source(): AsyncGenerator<Int16Array> {
    yield chunk(1);
    await Promise.race([go, failing]);
    yield chunk(2);
  }
  return { speech: new PreparedSpeech(source), release, fail };
}

async function collect(speech: PreparedSpeech): Promise<number[]> {
  const values: number[] = [];
  for await (const [value] of speech) values.push(value ?? 0);
  return values;
}

describe('PreparedSpeech', () => {
  it('gives what was made before anyone listened', async () => {
    const { speech, release } = setup();
    release();
    expect(await speech.isMade).toBe(true);
    expect(await collect(speech)).toEqual([1, 2]);
  });

  it('gives what is still being made as it comes', async () => {
    const { speech, release } = setup();
    const sound = speech[Symbol.asyncIterator]();
    expect(await sound.next()).toMatchObject({ value: chunk(1) });
    const next = sound.next();
    release();
    expect(await next).toMatchObject({ value: chunk(2) });
    expect(await sound.next()).toMatchObject({ done: true });
  });

  it('throws after the audio that arrived before the failure, with the reason', async () => {
    const { speech, fail } = setup();
    fail(new Error('gone'));
    expect(await speech.isMade).toBe(false);
    const sound = speech[Symbol.asyncIterator]();
    expect(await sound.next()).toMatchObject({ value: chunk(1) });
    await expect(sound.next()).rejects.toThrow('gone');
  });

  it('passes on the words that were reported before it was listened to, and those after', async () => {
    const { promise: go, resolve: release } = Promise.withResolvers<void>();
    const speech = new PreparedSpeech(async function* (onWord) {
      onWord({ text: 'one', startMs: 0, endMs: 1 });
      yield chunk(1);
      await go;
      onWord({ text: 'two', startMs: 1, endMs: 2 });
    });
    const words: string[] = [];
    speech.listen(({ text }) => words.push(text));
    expect(words).toEqual(['one']);
    release();
    expect(await speech.isMade).toBe(true);
    expect(words).toEqual(['one', 'two']);
  });
});
