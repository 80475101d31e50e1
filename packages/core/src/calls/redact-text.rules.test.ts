import { describe, expect, it, test } from 'vitest';
import { cardsInParts, redactText } from './redact-text.rules.ts';
import { digitRunsOf } from './spoken-digits.rules.ts';

const ALL = ['card_number', 'email', 'phone_number'] as const;

const CARD = '[card number]';
const EMAIL = '[email address]';
const PHONE = '[phone number]';

const REDACTED: [text: string, result: string][] = [
  ['It is 4242 4242 4242 4242.', `It is ${CARD}.`],
  ['4242-4242-4242-4242, 12/29', `${CARD}, 12/29`],
  ['4242424242424242', CARD],
  ['3782 822463 10005 is an Amex', `${CARD} is an Amex`],
  ['6205 5000 0000 0000 004', CARD],
  ['four two four two four two four two four two four two four two four two', CARD],
  ['Four, two, four, two, 4, 2, 4, 2, 4242, 4242', CARD],
  ['forty-two forty-two forty-two forty-two forty two forty two 42 42 thanks', `${CARD} thanks`],
  ['double four two two 1 1 1 1', PHONE],
  ['vier zwei vier zwei vier zwei vier zwei vier zwei vier zwei vier zwei vier zwei', CARD],
  ['4242 4242 4242 4242 123', CARD],
  ['Call +1 (202) 555-0142 please', `Call ${PHONE} please`],
  ['null eins fünf eins, zwei drei vier fünf sechs', PHONE],
  ['My number is 0151 23456789', `My number is ${PHONE}`],
  ['triple five 0 1 4 2', PHONE],
  ['Write to anna.smith+shop@mail.example.com.', `Write to ${EMAIL}.`],
  ['anna dot smith at example dot com', EMAIL],
  ['It is anna at example.com, thank you', `It is ${EMAIL}, thank you`],
  ['anna underscore smith at shop dot co dot uk', EMAIL],
  ['anna punkt schmidt ät beispiel punkt de', EMAIL],
  ['ana arroba ejemplo punto es', EMAIL],
  ['a@b.de and c@d.de', `${EMAIL} and ${EMAIL}`],
];

const KEPT = [
  'Tomorrow at ten thirty.',
  'I am at home. Please call again.',
  'On 2026-01-31 at 09:05, or on 31.01.2026',
  'It costs 1299 euros.',
  'Order 550e8400-e29b-41d4-a716-446655440000',
  'I have 3, 5, 7 or 11 of them.',
  'One or two, maybe three.',
  '10, 20, 30, 40 and 50 guests',
  'at 5 pm, 6 people',
  '',
];

describe('all kinds', () => {
  test.each(REDACTED)('%s', (text, result) => {
    expect(redactText(text, ALL)).toBe(result);
    expect(redactText(result, ALL)).toBe(result);
  });

  test.each(KEPT)('%s stays', (text) => {
    expect(redactText(text, ALL)).toBe(text);
  });
});

describe('single kinds', () => {
  const text = 'Card 4242 4242 4242 4242, mail a@b.de, phone +12025550142';
  it.each([
    [['card_number'], `Card ${CARD}, mail a@b.de, phone +12025550142`],
    [['email'], `Card 4242 4242 4242 4242, mail ${EMAIL}, phone +12025550142`],
    [[], text],
  ] as const)('%j', (kinds, result) => {
    expect(redactText(text, kinds)).toBe(result);
  });

  it('a number of 16 digits whose check digit is wrong is no card number', () => {
    expect(redactText('4242 4242 4242 4243', ['card_number'])).toBe('4242 4242 4242 4243');
  });
});

describe('a card number in parts', () => {
  it('is found in the turns of one person', () => {
    const texts = ['It is 4242', '4242 4242', 'yes', 'four two four two'];
    const cards = cardsInParts(texts);
    expect(texts.map((text, index) => redactText(text, ALL, cards[index]))).toEqual([
      `It is ${CARD}`,
      CARD,
      'yes',
      CARD,
    ]);
  });

  it('is not made of numbers that do not belong together', () => {
    expect(cardsInParts(['12 people', '2026', '4242', '1999'])).toEqual([[], [], [], []]);
  });
});

it.each([
  ['digits', '4'.repeat(100_000)],
  ['groups', '4242 '.repeat(20_000)],
  ['words', 'four '.repeat(20_000)],
  ['at signs', 'a@'.repeat(50_000)],
  ['dots', `a@${'a.'.repeat(50_000)}`],
  ['spoken addresses', 'a dot a at '.repeat(9_000)],
])('100 kB of %s are read in linear time', (_, text) => {
  const half = text.slice(0, text.length / 2);
  const cost = (part: string): number => {
    const before = performance.now();
    redactText(part, ALL);
    cardsInParts([part]);
    return performance.now() - before;
  };
  cost(half);
  // Quadratic work would take 10 s and more; the margin is that of a busy machine.
  expect(cost(text)).toBeLessThan(5_000);
});

it('numbers are found where they stand', () => {
  const text = 'Dial double four 12, then 7.';
  expect(digitRunsOf(text).map(({ start, end, digits }) => [text.slice(start, end), digits])).toEqual([
    ['double four 12', '4412'],
    ['7', '7'],
  ]);
});
