import type { EndReason } from '@parley/contracts';
import { expect, it } from 'vitest';
import { hasMessage } from './has-message.rules.ts';

const VOICEMAIL = { type: 'voicemail', text: 'Hello.', maxSeconds: 60 } as const;
const GREETING = { sender: 'bot', endMs: 3000 } as const;
const said = (endMs: number) => ({ sender: 'human', endMs }) as const;

type Turns = Parameters<typeof hasMessage>[0]['turns'];

it.each<[string, Turns, EndReason, boolean]>([
  [
    'a caller who speaks after the greeting has left a message',
    [GREETING, said(5000)],
    'message_taken',
    true,
  ],
  ['a caller who speaks over the greeting has left none', [GREETING, said(2000)], 'customer_hung_up', false],
  ['a caller who says nothing has left none', [GREETING], 'message_taken', false],
  ['without a greeting, what is said is the message', [said(900)], 'customer_hung_up', true],
  ['the recording of a lost process may contain a message', [], 'process_lost', true],
])('%s', (_sentence, turns, endedReason, expected) => {
  expect(hasMessage({ configuration: { answering: VOICEMAIL }, turns, endedReason })).toBe(expected);
});

it('a conversation is no message', () => {
  expect(hasMessage({ configuration: {}, turns: [GREETING, said(5000)], endedReason: 'end_call' })).toBe(
    false,
  );
});
