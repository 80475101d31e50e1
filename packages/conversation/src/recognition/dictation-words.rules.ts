/** Words of dictated numbers, spellings and addresses, by language: lower case, without punctuation. `dictation.rules.ts` uses them. */
import { rowOf } from '../language.rules.ts';

/** One language. */
export interface DictationWords {
  /** Digits in words, and what repeats the next one, as they are used in numbers that are said one by one. */
  digits: readonly string[];
  /** After these, an e-mail address is said in parts. */
  addressCues: readonly string[];
  /** After these, a word is said letter by letter. */
  spellingCues: readonly string[];
  /** After these, a number is said in groups, if digits follow. */
  numberCues: readonly string[];
}

const NO_WORDS: DictationWords = { digits: [], addressCues: [], spellingCues: [], numberCues: [] };

const WORDS: Readonly<Record<string, DictationWords>> = {
  en: {
    digits: [
      'zero',
      'oh',
      'nought',
      'one',
      'two',
      'three',
      'four',
      'five',
      'six',
      'seven',
      'eight',
      'nine',
      'double',
      'triple',
    ],
    addressCues: ['email is', 'e-mail is', 'email address is', 'e-mail address is'],
    spellingCues: ['spelled', 'spelt', 'spell it', 'spell that'],
    numberCues: ['number is'],
  },
  de: {
    digits: [
      'null',
      'eins',
      'zwei',
      'zwo',
      'drei',
      'vier',
      'fünf',
      'sechs',
      'sieben',
      'acht',
      'neun',
      'doppel',
    ],
    addressCues: ['e-mail ist', 'email ist', 'e-mail-adresse ist', 'mailadresse ist', 'adresse lautet'],
    spellingCues: ['buchstabiert', 'buchstabiere', 'schreibt sich'],
    numberCues: ['nummer ist', 'nummer lautet'],
  },
  es: {
    digits: ['cero', 'uno', 'dos', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve', 'doble'],
    addressCues: ['correo es', 'correo electrónico es', 'email es'],
    spellingCues: ['se deletrea', 'se escribe', 'deletreo'],
    numberCues: ['número es'],
  },
  fr: {
    digits: ['zéro', 'un', 'deux', 'trois', 'quatre', 'cinq', 'six', 'sept', 'huit', 'neuf', 'double'],
    addressCues: ['e-mail est', 'email est', 'adresse mail est', 'mail est'],
    spellingCues: ["s'épelle", "ça s'écrit", "j'épelle"],
    numberCues: ['numéro est', "numéro c'est"],
  },
  it: {
    digits: ['zero', 'uno', 'due', 'tre', 'quattro', 'cinque', 'sei', 'sette', 'otto', 'nove', 'doppio'],
    addressCues: ['e-mail è', 'email è', 'mail è'],
    spellingCues: ['si scrive', 'lo spelling è'],
    numberCues: ['numero è'],
  },
  nl: {
    digits: ['nul', 'een', 'één', 'twee', 'drie', 'vier', 'vijf', 'zes', 'zeven', 'acht', 'negen', 'dubbel'],
    addressCues: ['e-mail is', 'email is', 'e-mailadres is', 'mailadres is'],
    spellingCues: ['gespeld', 'spel je als', 'ik spel'],
    numberCues: ['nummer is'],
  },
  pt: {
    digits: [
      'zero',
      'um',
      'dois',
      'três',
      'quatro',
      'cinco',
      'seis',
      'meia',
      'sete',
      'oito',
      'nove',
      'duplo',
    ],
    addressCues: ['e-mail é', 'email é'],
    spellingCues: ['soletra-se', 'soletrando', 'se escreve'],
    numberCues: ['número é'],
  },
};

/** The words of a language; none for a language without a list. */
export function dictationWords(language: string): DictationWords {
  return rowOf(WORDS, language, NO_WORDS);
}
