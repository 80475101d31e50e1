/**
 * Phrases of answering machines that people do not use when they answer a phone. Lower case, spaces instead of punctuation;
 * a phrase counts anywhere in the text. In languages without a list, a machine is recognised by its length and its beep.
 */

const PHRASES: Readonly<Record<string, readonly string[]>> = {
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
    'person you are calling',
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

/** @param language - BCP 47 or a two-letter code; English phrases count in every language, as carriers use them */
export function soundsLikeMachine(text: string, language: string): boolean {
  const plain = ` ${text
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/[^\p{L}\p{N}']+/gu, ' ')} `;
  const own = PHRASES[language.slice(0, 2).toLowerCase()] ?? [];
  return [...own, ...(PHRASES['en'] ?? [])].some((phrase) => plain.includes(` ${phrase} `));
}
