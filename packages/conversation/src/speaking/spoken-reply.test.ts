/** The limits of a spoken reply, with models that know none. */
import { describe, expect, it } from 'vitest';
import type { RealtimePiece } from '@parley/speech';
import type { ToolUse } from '../tools/tool-executor.ts';
import { spokenReply, type SpokenPiece, type SpokenReplyOrder } from './spoken-reply.ts';

const SAMPLE_RATE_HZ = 8000;
const ITEM = 'item';

/** Speaks to the end; `replies` counts the requests to the model. */
async function speak(reply: () => AsyncIterable<RealtimePiece>, order: Partial<SpokenReplyOrder> = {}) {
  const pieces: SpokenPiece[] = [];
  let replies = 0;
  const used: number[] = [];
  const spoken = spokenReply({
    reply: () => {
      replies += 1;
      return reply();
    },
    readOut: async function* readOut() {},
    sampleRateHz: SAMPLE_RATE_HZ,
    signal: new AbortController().signal,
    onFirstToken: () => undefined,
    onUsed: (calls) => used.push(calls.length),
    closingTool: () => null,
    onClosing: () => undefined,
    wordsOf: () => '',
    useTools: async () => [],
    ...order,
  });
  for await (const piece of spoken) pieces.push(piece);
  return { pieces, replies, used };
}

describe('a spoken reply', () => {
  it('ends after five minutes of audio', async () => {
    const minute = new Int16Array(60 * SAMPLE_RATE_HZ);
    const { pieces } = await speak(async function* endless() {
      for (;;) yield { type: 'sound', item: ITEM, samples: minute };
    });
    expect(pieces).toHaveLength(5);
  });

  it('ends after 4000 characters', async () => {
    const { pieces } = await speak(async function* endless() {
      for (;;) yield { type: 'words', item: ITEM, text: 'word '.repeat(20) };
    });
    expect(pieces).toHaveLength(40);
  });

  it('has at most five steps, with at most sixteen tool calls each', async () => {
    const { replies, used } = await speak(async function* endless() {
      for (;;) yield { type: 'tool-call', id: '1', name: 'look_up', arguments: {} };
    });
    expect(replies).toBe(5);
    expect(used).toEqual([16, 16, 16, 16]);
  });

  it('reads out what a tool wants the caller to hear, before the next step', async () => {
    const said: string[] = [];
    const use = { words: 'Nobody is free.' } as ToolUse;
    const { replies } = await speak(
      async function* once() {
        if (said.length === 0) yield { type: 'tool-call', id: '1', name: 'ask', arguments: {} };
      },
      {
        useTools: async () => [use],
        readOut: async function* readOut(words) {
          said.push(words);
          yield { type: 'words', item: '', text: words };
        },
      },
    );
    expect([said, replies]).toEqual([['Nobody is free.'], 2]);
  });

  it('has no further step after it was cancelled', async () => {
    const call = new AbortController();
    const { replies } = await speak(
      async function* once() {
        yield { type: 'tool-call', id: '1', name: 'look_up', arguments: {} };
      },
      {
        signal: call.signal,
        useTools: async () => {
          call.abort();
          return [];
        },
      },
    );
    expect(replies).toBe(1);
  });
});
