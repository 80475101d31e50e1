/**
 * From phrases and how their words sound to what PocketSphinx reads: a grammar (JSGF) that knows these phrases and
 * polite words around them, the dictionary it needs, and a second grammar that takes any sounds at all. How much better
 * the second one fits than the first tells speech that is none of the phrases.
 *
 * Each phrase is one word of the dictionary, so that long ones pay no penalty for their many words.
 */

/** Pronunciations of a word, each a row of phones; none if the word is unknown. */
export type Pronounce = (word: string) => readonly string[];

/** What to write into PocketSphinx's files, and how to read its answer. */
export interface PhraseGrammar {
  phrases: string;
  anySounds: string;
  dictionary: string;
  /** The phrase behind a word of the answer. */
  phraseOf(word: string): string | null;
  /** Phrases with a word whose sound is not known: they can not be recognised. */
  unpronounceable: readonly string[];
}

/** Words that may stand before and after a phrase. */
const BEFORE = ['um', 'uh'];
const AFTER = ['please'];
/** What people say without meaning an answer; short, so that it would pass for a phrase that sounds a little like it. */
const NO_ANSWERS = ['hello', 'hello there', 'who is this', 'what', 'what did you say', 'pardon', 'sorry'];
/** Of a phrase whose words can each be said in several ways. */
const MOST_PRONUNCIATIONS = 6;
/** The phones of the model, ARPAbet. */
const PHONES =
  'AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH'.split(
    ' ',
  );

/** @returns null when none of the phrases can be pronounced */
export function phraseGrammar(phrases: readonly string[], pronounce: Pronounce): PhraseGrammar | null {
  const sounds = new Map(phrases.map((phrase) => [phrase, pronunciationsOf(phrase, pronounce)]));
  const known = phrases.filter((phrase) => (sounds.get(phrase) ?? []).length > 0);
  if (known.length === 0) return null;
  const words = known.map((_phrase, index) => `phrase${index}`);
  const others = NO_ANSWERS.filter(
    (text) =>
      !phrases.some((phrase) => phrase.toLowerCase() === text) &&
      pronunciationsOf(text, pronounce).length > 0,
  );
  const otherWords = others.map((_text, index) => `other${index}`);
  const lines = [
    ...known.flatMap((phrase, index) => dictionaryLines(words[index] ?? '', sounds.get(phrase) ?? [])),
    ...others.flatMap((text, index) =>
      dictionaryLines(otherWords[index] ?? '', pronunciationsOf(text, pronounce)),
    ),
    ...[...BEFORE, ...AFTER].flatMap((word) => dictionaryLines(word, pronounce(word))),
    ...PHONES.map((phone) => `sound${phone.toLowerCase()} ${phone}`),
  ];
  return {
    phrases: grammar(
      `[${BEFORE.join(' | ')}] (${[...words, ...otherWords].join(' | ')}) [${AFTER.join(' | ')}]`,
    ),
    anySounds: grammar(`(${PHONES.map((phone) => `sound${phone.toLowerCase()}`).join(' | ')})+`),
    dictionary: `${lines.join('\n')}\n`,
    phraseOf: (word) => known[words.indexOf(word.replace(/\(\d+\)$/, ''))] ?? null,
    unpronounceable: phrases.filter((phrase) => !known.includes(phrase)),
  };
}

/** Every way to say the words one after the other, up to a limit. */
function pronunciationsOf(phrase: string, pronounce: Pronounce): string[] {
  const words =
    phrase
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[a-z']+/g) ?? [];
  if (words.length === 0 || /\d/.test(phrase)) return [];
  let ways = [''];
  for (const word of words) {
    const next = pronounce(word);
    ways = ways
      .flatMap((way) => next.map((phones) => `${way} ${phones}`.trim()))
      .slice(0, MOST_PRONUNCIATIONS);
  }
  return ways;
}

/** `word PHONES`, then `word(2) PHONES`, … */
function dictionaryLines(word: string, pronunciations: readonly string[]): string[] {
  return pronunciations.map((phones, index) => `${word}${index === 0 ? '' : `(${index + 1})`} ${phones}`);
}

function grammar(rule: string): string {
  return `#JSGF V1.0;\ngrammar answers;\npublic <answer> = ${rule} ;\n`;
}
