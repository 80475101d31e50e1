import { describe, expect, it } from 'vitest';
import { addText, EMPTY_CHUNKER, endText, sentencesOf } from './sentence-chunks.rules.ts';

/** What came out after each bit of text, the end being the last row. */
function feed(bits: string[]): string[][] {
  let state = EMPTY_CHUNKER;
  const rows = bits.map((bit) => {
    const step = addText(state, bit);
    state = step.state;
    return step.chunks;
  });
  return [...rows, endText(state).chunks];
}

/** A text that comes in one piece. */
const chunkText = (text: string): string[] => feed([text]).flat();

describe('a text cut into pieces', () => {
  it.each([
    ['sentences are pieces', 'Good day. How are you? Fine!', ['Good day.', 'How are you?', 'Fine!']],
    [
      'the first piece ends at the first clause',
      'Of course I can, that is easy. First, we look, then we book.',
      ['Of course I can,', 'that is easy.', 'First, we look, then we book.'],
    ],
    ['a clause of two words waits for more', 'Well then, let us see.', ['Well then, let us see.']],
    [
      'without a mark the first piece has twelve words',
      'one two three four five six seven eight nine ten eleven twelve thirteen fourteen',
      ['one two three four five six seven eight nine ten eleven twelve', 'thirteen fourteen'],
    ],
    ['a short answer is spoken at once', 'No. That is wrong.', ['No.', 'That is wrong.']],
    ['decimals are not cut', 'It costs 3.50 today.', ['It costs 3.50 today.']],
    ['titles and dates are not cut', 'Call Dr. Who on 3. May. Now.', ['Call Dr. Who on 3. May.', 'Now.']],
    ['quotes belong to their sentence', 'She said "stop." Then left.', ['She said "stop."', 'Then left.']],
    ['lines of a list are pieces', '- one\n- two\n', ['one', 'two']],
    ['Chinese needs no spaces', '你好。请问您是谁？', ['你好。', '请问您是谁？']],
    ['a piece with nothing to say is left out', 'Good. 👍 Fine.', ['Good.', 'Fine.']],
    ['nothing gives nothing', '  \n ', []],
  ])('%s', (_sentence, text, chunks) => {
    expect(chunkText(text)).toEqual(chunks);
  });

  it('a sentence without end is cut at a space', () => {
    const chunks = chunkText(`Hello there. ${'word '.repeat(200)}`);
    expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThanOrEqual(300);
    expect(chunks.join(' ').split(' ')).toHaveLength(202);
  });

  it.each(['A. ', '.', '… ', ', ', 'x', '."'])('takes linear time for many times %j', (part) => {
    const text = part.repeat(60_000);
    expect(chunkText(`One two. ${text}`).length).toBeGreaterThan(0);
  });

  it('a word without end is cut too', () => {
    expect(chunkText('x'.repeat(1000)).join('')).toBe('x'.repeat(1000));
  });
});

describe('sentencesOf', () => {
  it('keeps the first sentence whole', () => {
    expect(sentencesOf('Good morning, this is Ada, your assistant. How are you?')).toEqual([
      'Good morning, this is Ada, your assistant.',
      'How are you?',
    ]);
  });
});

describe('addText', () => {
  it('a mark ends a piece only when the next character is known', () => {
    expect(feed(['It is 3', '.', '5 today', '. ', 'Good'])).toEqual([
      [],
      [],
      [],
      ['It is 3.5 today.'],
      [],
      ['Good'],
    ]);
  });

  it('the same pieces come out, however the text is torn', () => {
    const text =
      'Sure, I can do that for you. The **price** is €3.50, i.e. cheap! See [this](https://a.b/c). Bye';
    const whole = chunkText(text);
    for (let size = 1; size < 12; size++) {
      const bits = text.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? [];
      expect(feed(bits).flat()).toEqual(whole);
    }
  });
});
