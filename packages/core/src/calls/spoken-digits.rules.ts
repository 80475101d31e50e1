/**
 * Digits as people say them and recognisers write them: `4242`, `four two four two`, `double four`, `forty-two`. Words of
 * seven languages; tens of English only, because the others join theirs into one word or say them in another order.
 */

const DIGIT_WORDS: readonly (readonly string[])[] = [
  ['zero', 'oh', 'null', 'zéro', 'cero', 'nul'],
  ['one', 'eins', 'un', 'uno', 'een', 'één', 'um'],
  ['two', 'zwei', 'zwo', 'deux', 'dos', 'due', 'twee', 'dois'],
  ['three', 'drei', 'trois', 'tres', 'tre', 'drie', 'três'],
  ['four', 'vier', 'quatre', 'cuatro', 'quattro', 'quatro'],
  ['five', 'fünf', 'cinq', 'cinco', 'cinque', 'vijf'],
  ['six', 'sechs', 'seis', 'sei', 'zes'],
  ['seven', 'sieben', 'sept', 'siete', 'sette', 'zeven', 'sete'],
  ['eight', 'acht', 'huit', 'ocho', 'otto', 'oito'],
  ['nine', 'neun', 'neuf', 'nueve', 'nove', 'negen'],
];
const TEENS = [
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
];
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const REPEATS = new Map([
  ['double', 2],
  ['triple', 3],
]);

const WORDS = new Map<string, string>([
  ...DIGIT_WORDS.flatMap((words, digit) => words.map((word) => [word, String(digit)] as const)),
  ...TEENS.map((word, index) => [word, String(10 + index)] as const),
  ...TENS.map((word, index) => [word, String(20 + 10 * index)] as const),
]);

/** A number in a text. */
export interface DigitRun {
  /** Where it stands: `text.slice(start, end)`. */
  start: number;
  end: number;
  digits: string;
}

interface Word {
  start: number;
  end: number;
  text: string;
}

const WORD = /[\p{L}\p{N}_]+/gu;
/** Between two parts of one number. */
const JOINT = /^[\s().\-–,+]{0,3}$/u;
const COMMA = /,/;

/** A number that is being read. */
interface OpenRun {
  start: number;
  end: number;
  parts: string[];
  /** The last part is a word such as "forty". */
  endsWithTens: boolean;
}

/** All numbers of a text, whatever their length, in linear time. */
export function digitRunsOf(text: string): DigitRun[] {
  const runs: OpenRun[] = [];
  let run: OpenRun | null = null;
  let repeat: { start: number; times: number } | null = null;
  for (const word of wordsOf(text)) {
    const times = REPEATS.get(word.text);
    const digits = digitsOf(word.text);
    if (times !== undefined) {
      repeat = { start: word.start, times };
    } else if (digits === null) {
      run = null;
      repeat = null;
    } else {
      const start = repeat?.start ?? word.start;
      const part = digits.length === 1 ? digits.repeat(repeat?.times ?? 1) : digits;
      repeat = null;
      if (!run || !isJoined(text.slice(run.end, start), run.parts.at(-1) ?? '', part)) {
        run = { start, end: word.end, parts: [], endsWithTens: false };
        runs.push(run);
      }
      extend(run, part, word);
    }
  }
  return runs
    .filter(({ start }) => !isPartOfName(text, start))
    .map(({ start, end, parts }) => ({ start, end, digits: parts.join('') }));
}

function extend(run: OpenRun, part: string, word: Word): void {
  const last = run.parts.at(-1) ?? '';
  // "forty two" is 42.
  if (run.endsWithTens && part.length === 1 && part !== '0')
    run.parts[run.parts.length - 1] = `${last[0] ?? ''}${part}`;
  else run.parts.push(part);
  run.end = word.end;
  run.endsWithTens = TENS.includes(word.text);
}

function* wordsOf(text: string): Generator<Word> {
  for (const { 0: found, index } of text.matchAll(WORD))
    yield { start: index, end: index + found.length, text: found.toLowerCase() };
}

function digitsOf(word: string): string | null {
  return /^\d+$/.test(word) ? word : (WORDS.get(word) ?? null);
}

/** A comma separates the digits of one number only if it is dictated digit by digit, or in long groups. */
function isJoined(between: string, last: string, next: string): boolean {
  if (!JOINT.test(between)) return false;
  return !COMMA.test(between) || [last, next].every(({ length }) => length === 1 || length > 2);
}

/** The end of an identifier with letters, such as a UUID, is no number. */
function isPartOfName(text: string, start: number): boolean {
  return /[\p{L}\p{N}_][-.@]$/u.test(text.slice(Math.max(0, start - 2), start));
}
