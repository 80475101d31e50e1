import { describe, expect, it } from 'vitest';
import {
  clipped,
  isEndReported,
  messagesForModel,
  redactedDialogue,
  transcriptOf,
  type DialogueMessage,
} from './dialogue.rules.ts';

const user = (content: string): DialogueMessage => ({ role: 'user', content });
const assistant = (content: string): DialogueMessage => ({ role: 'assistant', content });

describe('what the model reads', () => {
  it.each([
    ['all messages of a short conversation', [assistant('Hello.'), user('Hi')], ['Hello.', 'Hi']],
    ['the newest hundred messages', Array.from({ length: 120 }, (_, index) => user(`${index}`)), undefined],
  ])('is %s, in their order', (_, messages, expected) => {
    const read = messagesForModel(messages).map(({ content }) => content);
    expect(read).toEqual(expected ?? Array.from({ length: 100 }, (_none, index) => `${index + 20}`));
  });

  it('has at most 40,000 characters, and always the message to answer', () => {
    const long = Array.from({ length: 20 }, () => user('x'.repeat(4000)));
    expect(messagesForModel(long)).toHaveLength(10);
    expect(messagesForModel([user('y'.repeat(90_000))])).toEqual([user('y'.repeat(4000))]);
  });
});

it('a text is cut between characters, not within one', () => {
  expect(clipped('😀'.repeat(4001))).toBe('😀'.repeat(4000));
  expect(clipped('short')).toBe('short');
});

it('a card number is found across the messages of the customer only', () => {
  const messages = [user('My card is 4111 1111'), assistant('Go on.'), user('1111 1111')];
  expect(redactedDialogue(messages, ['card_number'])).toEqual([
    expect.stringContaining('[card number]'),
    'Go on.',
    '[card number]',
  ]);
  expect(redactedDialogue(messages, [])).toEqual(messages.map(({ content }) => content));
});

it('the transcript has one message a line', () => {
  expect(transcriptOf([assistant('Hello.'), user('Hi')])).toBe('AI: Hello.\nCustomer: Hi');
});

describe('an end is reported', () => {
  const AT = new Date('2026-01-01T00:00:00Z');
  const URL = 'https://receiver.example/ended';
  it.each([
    ['the first time', AT, null, URL, false, true],
    ['not without an address', AT, null, null, true, false],
    ['not where the customer wrote nothing', null, null, URL, true, false],
    ['not again', AT, AT, URL, false, false],
    ['again with the setting', AT, AT, URL, true, true],
  ])('%s', (_, lastMessageAt, endReportedAt, url, repeated, expected) => {
    const settings = { conversationEndedWebhookUrl: url, isConversationEndRepeated: repeated };
    expect(isEndReported({ lastMessageAt, endReportedAt }, settings)).toBe(expected);
  });
});
