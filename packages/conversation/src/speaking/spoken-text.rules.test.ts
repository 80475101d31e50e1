import { describe, expect, it } from 'vitest';
import { spokenText } from './spoken-text.rules.ts';

describe('spokenText', () => {
  it.each([
    ['plain speech stays as it is', 'Good morning, Mr. Smith!', 'Good morning, Mr. Smith!'],
    [
      'emphasis goes, its words stay',
      'That is **very** _important_ and `free`.',
      'That is very important and free.',
    ],
    ['an underscore inside a word stays', 'the snake_case word', 'the snake_case word'],
    ['headings and list marks go', '## Hours\n- Monday\n* Tuesday', 'Hours Monday Tuesday'],
    ['numbers of a list stay, a person would say them', '1. Monday', '1. Monday'],
    ['a link keeps its words', 'See [our site](https://example.com/a?b=c) now.', 'See our site now.'],
    ['the second half of a cut link keeps its words', 'our site](https://example.com) now.', 'our site now.'],
    ['a bare address goes', 'Look at https://example.com/path, please.', 'Look at, please.'],
    ['an address in brackets takes them along', 'Our site (www.example.com) is down.', 'Our site is down.'],
    ['emoji go, with joiners and flags', 'Great 👍🏽 job 👩‍💻 🇩🇪!', 'Great job!'],
    ['digits and keys stay', 'Press 1, # or *.', 'Press 1, # or *.'],
    ['an image keeps its description', 'Look: ![our shop](https://a.b/c.png)', 'Look: our shop'],
    ['a rule under a heading goes', 'Hours\n- - - -\nMonday', 'Hours Monday'],
    ['bars of a table become spaces', '| Monday | 9 to 5 |', 'Monday 9 to 5'],
    ['money and times stay', '€3.50 at 10:30 – 50 %', '€3.50 at 10:30 – 50 %'],
    ['other scripts stay', 'Привет, 你好。', 'Привет, 你好。'],
    ['line breaks become spaces', 'one\n\ntwo', 'one two'],
    ['nothing to say is nothing', '--- 😀 **', ''],
    ['a mark alone is nothing', '!', ''],
  ])('%s', (_sentence, written, spoken) => {
    expect(spokenText(written)).toBe(spoken);
  });

  it.each(['[](', '![a](', '*', '* ', '- - x', '| ', ' ', '_', '](', '!', 'www.'])(
    'takes linear time for many times %j',
    (part) => {
      expect(spokenText(`${part.repeat(200_000)} end`)).toMatch(/end$/u);
    },
  );
});
