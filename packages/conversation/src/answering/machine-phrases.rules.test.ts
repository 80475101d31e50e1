import { describe, expect, it } from 'vitest';
import { soundsLikeMachine } from './machine-phrases.rules.ts';

describe('words of an answering machine', () => {
  it.each([
    ['en', 'Hi, please leave a message after the beep.', true],
    ['en', 'I can’t come to the phone right now', true],
    ['en-GB', "You've reached the voicemail of John", true],
    ['de', 'Bitte hinterlassen Sie eine Nachricht nach dem Signalton.', true],
    ['es', 'Deje su mensaje después de la señal', true],
    ['fr', "Laissez-moi un message après le bip, s'il vous plaît", true],
    ['nl', 'Spreek uw bericht in na de piep', true],
    ['pl', 'please leave a message', true],
    ['de', 'Deje su mensaje', false],
    ['en', 'Hello?', false],
    ['en', 'Yes, this is John speaking, who is calling?', false],
    ['en', 'I got your message, thanks.', false],
    ['de', 'Müller, guten Tag', false],
    ['nl', 'Met Jan de Vries', false],
    ['en', '', false],
  ])('%s: %s', (language, text, expected) => {
    expect(soundsLikeMachine(text, language)).toBe(expected);
  });
});
