import { describe, expect, it } from 'vitest';
import { askedFor, type Asked } from './asked.rules.ts';
import { endingOf } from './caller-words.rules.ts';

describe('what the assistant asks for', () => {
  it.each<[string, string, Asked | null]>([
    ['What is your phone number?', 'en', 'phone'],
    ['And your telephone number?', 'en', 'phone'],
    ['Of course. Could you give me the best number to reach you? Take your time.', 'en', 'phone'],
    ['I have your phone number. What day would you like?', 'en', null],
    ['I will send it to your e-mail address.', 'en', null],
    ['May I have your card number, please?', 'en', 'card'],
    ['Please tell me your e-mail address.', 'en', 'email'],
    ['How do you spell that?', 'en', 'spelling'],
    ['Could you spell your e-mail address for me?', 'en', 'spelling'],
    ["What's your date of birth?", 'en', 'birth'],
    ['What is the delivery address?', 'en', 'address'],
    ['What is your order number?', 'en', 'number'],
    ['How many people will come?', 'en', null],
    ['What is your name?', 'en', null],
    ['Wie lautet Ihre Telefonnummer?', 'de', 'phone'],
    ['Können Sie das bitte buchstabieren?', 'de', 'spelling'],
    ['¿Cuál es su número de teléfono?', 'es', 'phone'],
    ['Quelle est votre adresse e-mail ?', 'fr', 'email'],
    ['Qual è la sua data di nascita?', 'it', 'birth'],
    ['Wat is uw e-mailadres?', 'nl', 'email'],
    ['Qual é o seu telefone?', 'pt', 'phone'],
    ['What is your phone number?', 'xx', null],
  ])('"%s" (%s): %s', (text, language, asked) => {
    expect(askedFor(text, language)).toBe(asked);
  });
});

describe('a telephone number is awaited until it is long enough for its beginning', () => {
  it.each<[string, string, string]>([
    ['en', '202 555 01', 'awaited'],
    ['en', '202 555 0143.', 'digits'],
    ['en', '1 202 555 014', 'awaited'],
    ['en', '1 202 555 0143.', 'digits'],
    ['en', 'oh 7 7 0 0 9 0 0 1', 'awaited'],
    ['en', '0412 345 678.', 'digits'],
    ['en', '+44 7700 900 1', 'awaited'],
    ['en', '+44 7700 900123.', 'digits'],
    ['en', 'plus 44 7700 900 1', 'awaited'],
    ['de', '0151 23 45 67', 'awaited'],
    ['de', '0151 23 45 67 89.', 'digits'],
    ['de', 'null null 49 151 23 45 67', 'awaited'],
    ['de-CH', '0049 151 23 45 67 89.', 'digits'],
    ['fr', '06 12 34 56', 'awaited'],
    ['fr', '06 12 34 56 78.', 'digits'],
    ['fr', '+33 6 12 34 56 78.', 'digits'],
    ['es', '612 345 67', 'awaited'],
  ])('%s: "%s" is %s', (language, text, ending) => {
    expect(endingOf(text, language, 'phone')).toBe(ending);
  });
});

describe('an answer that lacks a part is awaited', () => {
  it.each<[Asked, string, string]>([
    ['phone', '020', 'awaited'],
    ['phone', "It's oh two", 'awaited'],
    ['phone', '020 7946.', 'awaited'],
    ['phone', '020 7946 0018.', 'digits'],
    ['phone', 'Yes.', 'finished'],
    ['phone', 'Why do you need it?', 'finished'],
    ['phone', 'The same as last time.', 'finished'],
    ['card', '4111 1111 1111.', 'awaited'],
    ['card', '4111 1111 1111 1111.', 'digits'],
    ['email', 'John.', 'awaited'],
    ['email', 'John dot Smith.', 'awaited'],
    ['email', 'It is john dot smith at example.', 'awaited'],
    ['email', 'It is john dot smith at example dot com.', 'finished'],
    ['email', 'john@example.com', 'open'],
    ['email', 'Yes, please.', 'finished'],
    ['email', 'No.', 'finished'],
    ['email', "I don't have one.", 'finished'],
    ['spelling', 'S as in sugar.', 'awaited'],
    ['spelling', 'M, I, L', 'awaited'],
    ['spelling', 'Just like the river.', 'finished'],
    ['address', '12 Main Street.', 'awaited'],
    ['address', '12 Main Street, Springfield, 62704.', 'dictated'],
    ['address', '14 King Street, London SW1A 1AA.', 'finished'],
    ['address', 'It is where we met.', 'finished'],
    ['birth', 'The third of March.', 'finished'],
    ['birth', 'March third.', 'awaited'],
    ['birth', 'March 3rd, 1985.', 'digits'],
    ['birth', 'March third nineteen eighty five.', 'finished'],
    ['number', '4 7 1', 'awaited'],
    ['number', 'One moment.', 'finished'],
  ])('%s: "%s" is %s', (asked, text, ending) => {
    expect(endingOf(text, 'en', asked)).toBe(ending);
  });
});
