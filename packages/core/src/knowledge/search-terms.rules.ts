/**
 * The words by which a passage is found: lower case, without accents of Latin letters, without punctuation. Passages and
 * questions go through the same function. The segmenter also finds words in languages that are written without spaces.
 */

/** Longer ones are cut: Postgres takes 2046 bytes. */
const MAX_WORD = 64;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Each word once, in the order of the text. */
export function searchTerms(text: string): string[] {
  const terms = new Set<string>();
  for (const { segment, isWordLike } of segmenter.segment(withoutAccents(text.toLowerCase()))) {
    if (!isWordLike) continue;
    for (const word of segment.split(/[^\p{L}\p{M}\p{N}]+/u))
      if (word !== '') terms.add(Array.from(word).slice(0, MAX_WORD).join(''));
  }
  return [...terms];
}

function withoutAccents(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFKC');
}

/** The stemmers of Postgres, by the language of an assistant (ISO 639-1). */
const STEMMERS: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  ne: 'nepali',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
};

/** The dictionary of Postgres that reduces words of a language to their stems and knows its stop words. */
export function stemmerOf(language: string): string {
  const name = STEMMERS[language.slice(0, 2).toLowerCase()];
  return name === undefined ? 'simple' : `${name}_stem`;
}
