/**
 * Phrases of answering machines, call screening assistants and phone menus that people do not use when they answer a phone.
 * Lower case, spaces instead of punctuation; a phrase counts anywhere in the text. In languages without a list, a machine is
 * recognised by its length and its beep.
 */

const MACHINE_PHRASES: Readonly<Record<string, readonly string[]>> = {
  en: [
    'leave a message',
    'leave your message',
    'leave me a message',
    'leave your name',
    'leave your number',
    'after the tone',
    'after the beep',
    'at the tone',
    'record your message',
    'voicemail',
    'voice mail',
    'voice mailbox',
    'mailbox is full',
    'not available right now',
    'is not available',
    'unable to take your call',
    'cannot take your call',
    "can't take your call",
    "can't come to the phone",
    'cannot come to the phone',
    'answering machine',
    'you have reached the',
    "you've reached the",
    'forwarded to',
    'get back to you as soon as',
    'person you are calling is not',
    'number you have dialed',
    'the subscriber',
  ],
  de: [
    'hinterlassen sie',
    'nach dem signalton',
    'nach dem piepton',
    'nach dem ton',
    'anrufbeantworter',
    'mailbox',
    'sprachbox',
    'nicht erreichbar',
    'nicht zu erreichen',
    'nicht ans telefon',
    'rufen sie zurück',
    'rufe sie zurück',
    'der angerufene teilnehmer',
  ],
  es: [
    'deje un mensaje',
    'deje su mensaje',
    'deja un mensaje',
    'deja tu mensaje',
    'después de la señal',
    'después del tono',
    'tras la señal',
    'buzón de voz',
    'contestador',
    'no está disponible',
    'no puedo atender',
    'no podemos atender',
    'el número marcado',
  ],
  fr: [
    'laissez un message',
    'laisser un message',
    'laissez moi un message',
    'après le bip',
    'après le signal',
    'messagerie',
    'répondeur',
    'boîte vocale',
    "n'est pas disponible",
    'pas joignable',
    'suis absent',
    'votre correspondant',
  ],
  nl: [
    'laat een bericht',
    'bericht achterlaten',
    'spreek een bericht in',
    'spreek uw bericht in',
    'na de piep',
    'na de toon',
    'voicemail',
    'antwoordapparaat',
    'niet bereikbaar',
    'niet beschikbaar',
    'niet aan de telefoon komen',
  ],
};

/** Assistants that ask callers for their name and purpose before the person picks up. */
const SCREENING_PHRASES: Readonly<Record<string, readonly string[]>> = {
  en: [
    'screening service',
    'call screening',
    'screening your call',
    'screening this call',
    'your name and reason for calling',
    'your name and why you are calling',
    "your name and why you're calling",
    'say your name and',
    'state your name and',
    'see if this person is available',
    'see if they are available',
  ],
  de: ['ihren namen und den grund', 'namen und grund ihres anrufs', 'anruffilter'],
};

const MENU_PHRASES: Readonly<Record<string, readonly string[]>> = {
  en: [
    'press one',
    'press 1',
    'press two',
    'press 2',
    'press zero',
    'press 0',
    'press the pound key',
    'press the star key',
    'following options',
    'menu options',
    'main menu',
    'dial by name',
    'party you wish to reach',
    "party's extension",
  ],
  de: ['drücken sie', 'wählen sie die', 'hauptmenü'],
  es: ['pulse uno', 'pulse el', 'marque uno', 'menú principal'],
  fr: ['tapez un', 'appuyez sur', 'menu principal'],
  nl: ['toets een', 'toets 1', 'kies een', 'hoofdmenu'],
};

/** Which kind of machine uses such words; screening first, because its words resemble those of an answering machine. */
const CLASSES = [
  ['screening', SCREENING_PHRASES],
  ['machine', MACHINE_PHRASES],
  ['menu', MENU_PHRASES],
] as const;

/**
 * The kind of machine that uses such words; null if people might.
 *
 * @param language - BCP 47 or a two-letter code; English phrases count in every language, as carriers use them
 */
export function classByPhrase(text: string, language: string): 'machine' | 'screening' | 'menu' | null {
  const plain = ` ${text
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/[^\p{L}\p{N}']+/gu, ' ')} `;
  const own = language.slice(0, 2).toLowerCase();
  const found = CLASSES.find(([, lists]) =>
    [...(lists[own] ?? []), ...(lists['en'] ?? [])].some((phrase) => plain.includes(` ${phrase} `)),
  );
  return found?.[0] ?? null;
}
