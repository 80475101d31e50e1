import { describe, expect, it } from 'vitest';
import {
  asksToRepeat,
  endingOf,
  isAcknowledgement,
  isBackchannel,
  isFarewell,
  isStop,
  moodOf,
} from './caller-words.rules.ts';

describe('stop words', () => {
  it.each<[string, string, boolean]>([
    ['Stop!', 'en', true],
    ['Hold on, I have a question', 'en-US', true],
    ['holding on is hard', 'en', false],
    ['I cannot stop', 'en', false],
    ['Moment, bitte', 'de', true],
    ['Espere', 'es', true],
    ['Attendez…', 'fr', true],
    ['Aspetti un attimo', 'it', true],
    ['Wacht even', 'nl', true],
    ['Um momento', 'pt', true],
    ['stop', 'xx', true],
    ['', 'en', false],
  ])('"%s" (%s): %s', (text, language, isOne) => {
    expect(isStop(text, language)).toBe(isOne);
  });
});

describe('backchannels', () => {
  it.each<[string, string, boolean]>([
    ['Mm-hm.', 'en', true],
    ['Yeah, yeah, I see.', 'en', true],
    ['Yes, but', 'en', false],
    ['', 'en', false],
    ['Ja, genau.', 'de', true],
    ['Ja, aber', 'de', false],
    ['De acuerdo, vale', 'es', true],
    ["Oui, d'accord", 'fr', true],
    ['Sì, va bene', 'it', true],
    ['Ja ja, precies', 'nl', true],
    ['Sim, tudo bem', 'pt', true],
    ['Okay', 'xx', true],
  ])('"%s" (%s): %s', (text, language, isOne) => {
    expect(isBackchannel(text, language)).toBe(isOne);
  });
});

describe('requests to repeat', () => {
  it.each<[string, string, boolean]>([
    ['Sorry?', 'en', true],
    ['Sorry, what was that?', 'en', true],
    ['What time?', 'en', false],
    ['', 'en', false],
    ['Wie bitte?', 'de', true],
    ['¿Cómo dice?', 'es', true],
    ['Quoi ?', 'fr', true],
    ['Cosa?', 'it', true],
    ['Wat zegt u?', 'nl', true],
    ['O quê?', 'pt', true],
    ['Sorry?', 'xx', false],
  ])('"%s" (%s): %s', (text, language, isOne) => {
    expect(asksToRepeat(text, language)).toBe(isOne);
  });
});

describe('thanks', () => {
  it.each<[text: string, language: string, acknowledges: boolean, leaves: boolean]>([
    ['Okay, thank you so much.', 'en', true, true],
    ['No, thank you', 'en', false, false],
    ['Thanks, bye', 'en', false, true],
    ['Mm-hm', 'en', true, true],
    ['', 'en', false, false],
    ['Ja, danke schön', 'de', true, true],
    ['Danke, tschüss', 'de', false, true],
    ['Muchas gracias', 'es', true, true],
    ["D'accord, merci", 'fr', true, true],
    ['Grazie mille', 'it', true, true],
    ['Dank u wel', 'nl', true, true],
    ['Muito obrigada', 'pt', true, true],
    ['Okay', 'xx', true, true],
  ])('"%s" (%s)', (text, language, acknowledges, leaves) => {
    expect(isAcknowledgement(text, language)).toBe(acknowledges);
    expect(isFarewell(text, language)).toBe(leaves);
  });
});

describe('endings', () => {
  it.each<[string, string, string]>([
    ['I would like a room.', 'en', 'finished'],
    ['Is that so?', 'en', 'finished'],
    ['I would like a room and', 'en', 'unfinished'],
    ['My name is.', 'en', 'unfinished'],
    ["Well, I'm", 'en', 'unfinished'],
    ['It is 555 01', 'en', 'dictated'],
    ['It is 555 01.', 'en', 'dictated'],
    ['A table for 4', 'en', 'digits'],
    ['Room 12.', 'en', 'digits'],
    ['My number is 0 2 0', 'en', 'dictated'],
    ['My number is 0 2 0. 7 9 4 6.', 'en', 'dictated'],
    ['My number is 020 7946 0018.', 'en', 'digits'],
    ['My number is 020-794', 'en', 'dictated'],
    ['Zero two zero', 'en', 'dictated'],
    ['Null zwei', 'de', 'dictated'],
    ['At seven', 'en', 'open'],
    ['At 7:30.', 'en', 'digits'],
    ['That was in 2024.', 'en', 'digits'],
    ['It costs $12.50', 'en', 'digits'],
    ['M, I, double L', 'en', 'dictated'],
    ['Seven, nine, to, four', 'en', 'dictated'],
    ['M. I. L. A. Lee.', 'en', 'dictated'],
    ['From 10 to 12.', 'en', 'digits'],
    ['Seven to nine', 'en', 'open'],
    ['Seven nine four six, yes.', 'en', 'finished'],
    ['My phone number is zero to zero.', 'en', 'dictated'],
    ['My phone number is zero to zero. Seven, nine, four, six.', 'en', 'dictated'],
    ['My phone number is zero to zero. Seven, nine, four, six. We are a nine-five-eight.', 'en', 'dictated'],
    ['My phone number is wrong.', 'en', 'finished'],
    ['My phone number is 0 2 0 7 9 4 6 0 0 1 8, and I come at four.', 'en', 'finished'],
    ['Mein Name wird Mueller buchstabiert, am Uhr.', 'de', 'dictated'],
    ['My name is spelled M. I.', 'en', 'dictated'],
    ['It is spelt the same, am I. Giddy, giddy. And steward.', 'en', 'dictated'],
    [
      'It is spelled like the river, and I would like a table for four people on Friday evening at seven.',
      'en',
      'finished',
    ],
    ['My name is spelled M. I. Should it be?', 'en', 'dictated'],
    ['Is it spelled with a T?', 'en', 'finished'],
    ['Your name, how is it spelled?', 'en', 'finished'],
    ['My e-mail is', 'en', 'dictated'],
    ['My email address is john dot', 'en', 'dictated'],
    ['My email is john at example', 'en', 'dictated'],
    ['My email is john at example dot com.', 'en', 'finished'],
    ['My email is john@example', 'en', 'dictated'],
    ['My email is john@example.com, and I come at four.', 'en', 'finished'],
    ['My email is a n n a', 'en', 'dictated'],
    ['C H R I S T I N A', 'en', 'dictated'],
    ['Se escribe M A Y', 'es', 'dictated'],
    ['My email is c h r i s t i n a dot h o f f m a n n at gmail', 'en', 'dictated'],
    ['My email is c h r i s t i n a dot h o f f m a n n at gmail dot com.', 'en', 'finished'],
    ['I sent you an email.', 'en', 'finished'],
    ['Meine E-Mail ist hans Punkt meier', 'de', 'dictated'],
    ['Meine E-Mail ist hans Punkt meier at web Punkt de', 'de', 'open'],
    ['a room', 'en', 'open'],
    ['', 'en', 'open'],
    ['Mein Name ist', 'de', 'unfinished'],
    ['Me llamo', 'es', 'unfinished'],
    ["Je m'appelle", 'fr', 'unfinished'],
    ['Vorrei', 'it', 'unfinished'],
    ['Mijn nummer is', 'nl', 'dictated'],
    ['The order number is', 'en', 'dictated'],
    ['The order number is wrong', 'en', 'open'],
    ['O meu nome é', 'pt', 'unfinished'],
    ['a room and', 'xx', 'open'],
  ])('"%s" (%s) is %s', (text, language, ending) => {
    expect(endingOf(text, language)).toBe(ending);
  });
});

describe('moods', () => {
  it.each<[string, string, string]>([
    ['And on Sunday?', 'en', 'question'],
    ['When do you open', 'en', 'question'],
    ['No, that is wrong.', 'en', 'negative'],
    ['No thanks', 'en', 'negative'],
    ['Thank you so much.', 'en', 'positive'],
    ['On Tuesday.', 'en', 'neutral'],
    ['', 'en', 'neutral'],
    ['Das ist leider kaputt', 'de', 'negative'],
    ['Muchas gracias', 'es', 'positive'],
    ['Combien', 'fr', 'question'],
  ])('"%s" (%s) is %s', (text, language, mood) => {
    expect(moodOf(text, language)).toBe(mood);
  });
});

it('finds no digits at the end of many digits, in linear time', () => {
  expect(endingOf(`${'1 '.repeat(200_000)}xy`, 'en')).toBe('open');
  expect(endingOf('1 '.repeat(200_000), 'en')).toBe('digits');
});
