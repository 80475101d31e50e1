import { describe, expect, it } from 'vitest';
import { classByPhrase } from './machine-phrases.rules.ts';

describe('words of machines', () => {
  it.each([
    ['en', 'Hi, please leave a message after the beep.', 'machine'],
    ['en', 'I can’t come to the phone right now', 'machine'],
    ['en-GB', "You've reached the voicemail of John", 'machine'],
    ['de', 'Bitte hinterlassen Sie eine Nachricht nach dem Signalton.', 'machine'],
    ['es', 'Deje su mensaje después de la señal', 'machine'],
    ['fr', "Laissez-moi un message après le bip, s'il vous plaît", 'machine'],
    ['nl', 'Spreek uw bericht in na de piep', 'machine'],
    ['pl', 'please leave a message', 'machine'],
    ['de', 'Deje su mensaje', null],
    ['en', 'Hello?', null],
    ['en', 'Yes, this is John speaking, who is calling?', null],
    ['en', 'I got your message, thanks.', null],
    ['de', 'Müller, guten Tag', null],
    ['nl', 'Met Jan de Vries', null],
    ['en', '', null],
    [
      'en',
      "The person you're calling is using a screening service from Google. Go ahead and say your name.",
      'screening',
    ],
    ['en', 'If you record your name and reason for calling, I will see', 'screening'],
    ['en', 'Thank you for calling. For sales, press one.', 'menu'],
    ['de', 'Für den Vertrieb drücken Sie die Eins.', 'menu'],
    ['en', 'To leave a message, press one.', 'machine'],
  ])('%s: %s', (language, text, expected) => {
    expect(classByPhrase(text, language)).toBe(expected);
  });
});
