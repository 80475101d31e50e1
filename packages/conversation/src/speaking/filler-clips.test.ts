import { describe, expect, it } from 'vitest';
import { FillerClips, type FillerWords } from './filler-clips.ts';

const WORDS: FillerWords = {
  hold: ['One moment.', 'Thank you.'],
  work: ['I am checking.', 'One moment.'],
  neutral: ['Okay.'],
  question: ['Let me see.', 'Good question.'],
  positive: [],
  negative: ['I see.'],
};

/** Each text's clip is one sample: its place in what is wanted. */
function setup(made: readonly string[] | null = null): {
  shelf: FillerClips;
  said: (kind: keyof FillerWords) => string | null;
} {
  const shelf = new FillerClips(WORDS);
  const wanted = shelf.wanted();
  for (const [n, text] of wanted.entries())
    if (!made || made.includes(text)) shelf.put(text, new Int16Array([n]));
  return {
    shelf,
    said: (kind) => {
      const clip = shelf.take(kind);
      return clip && (wanted[clip[0] ?? -1] ?? null);
    },
  };
}

describe('a shelf of fillers', () => {
  it('prepares those for a stalled provider first', () => {
    expect(setup().shelf.wanted()).toEqual([
      'One moment.',
      'Thank you.',
      'I am checking.',
      'Okay.',
      'Let me see.',
      'Good question.',
      'I see.',
    ]);
  });

  it('gives each its turn', () => {
    const { said } = setup();
    expect([said('question'), said('question'), said('question')]).toEqual([
      'Let me see.',
      'Good question.',
      'Let me see.',
    ]);
  });

  it('never says the same twice running', () => {
    const { said } = setup();
    expect([said('neutral'), said('neutral'), said('neutral')]).toEqual(['Okay.', 'One moment.', 'Okay.']);
  });

  it('says something else where there is nothing for the occasion', () => {
    expect(setup().said('positive')).toBe('One moment.');
  });

  it('says nothing rather than the same again', () => {
    const { said } = setup(['One moment.']);
    expect([said('hold'), said('hold')]).toEqual(['One moment.', null]);
  });

  it('says only what was made', () => {
    expect(setup(['Good question.']).said('question')).toBe('Good question.');
    expect(setup([]).said('question')).toBeNull();
  });

  it('gives a clip that may be used up', () => {
    const { shelf } = setup();
    shelf.take('negative')?.fill(99);
    shelf.take('neutral');
    expect(shelf.take('negative')).toEqual(new Int16Array([6]));
  });
});
