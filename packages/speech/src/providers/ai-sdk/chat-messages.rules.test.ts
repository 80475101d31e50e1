import { expect, it } from 'vitest';
import type { DialogueEntry } from '../../ports.ts';
import { toChatMessages } from './chat-messages.rules.ts';

const said = (text: string): DialogueEntry => ({ role: 'customer', kind: 'speech', text });

it('tells roles and words as they are', () => {
  expect(toChatMessages([said('Hello'), { role: 'assistant', text: 'Good morning.' }])).toEqual([
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Good morning.' },
  ]);
});

it.each([
  ['a key', 'dtmf', '1', /pressed 1/],
  ['silence', 'silence', '', /says nothing/],
  ['speech that was not understood', 'unrecognised', '', /could not be understood/],
] as const)('puts %s into words', (_name, kind, text, expected) => {
  expect(toChatMessages([{ role: 'customer', kind, text }])).toEqual([
    { role: 'user', content: expect.stringMatching(expected) as string },
  ]);
});

it('joins what the customer said in one turn', () => {
  expect(toChatMessages([said('Hello.'), said('Is anyone there?')])).toEqual([
    { role: 'user', content: 'Hello.\nIs anyone there?' },
  ]);
});

it('has a message of the user if neither side or only the assistant has spoken', () => {
  expect(toChatMessages([])).toMatchObject([{ role: 'user' }]);
  expect(toChatMessages([{ role: 'assistant', text: 'Hello.' }])).toMatchObject([
    { role: 'user' },
    { role: 'assistant' },
  ]);
});

it('puts the results of tools right behind their calls, and stands in for those that are missing', () => {
  const call = (id: string) => ({ id, name: 'look_up', arguments: { day: id } });
  const messages = toChatMessages([
    said('When?'),
    { role: 'assistant', text: '', toolCalls: [call('a'), call('b')] },
    said('Are you there?'),
    { role: 'tool', toolCallId: 'b', name: 'look_up', result: 'Tuesday' },
  ]);
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  expect(messages[1]).toMatchObject({
    content: [{ toolCallId: 'a', input: { day: 'a' } }, { toolCallId: 'b' }],
  });
  expect(messages[2]).toMatchObject({
    content: [
      { toolCallId: 'a', output: { value: expect.stringContaining('No result') as string } },
      { toolCallId: 'b', output: { value: 'Tuesday' } },
    ],
  });
});

it('leaves out what the assistant was cut off from before its first word', () => {
  expect(toChatMessages([said('Hello'), { role: 'assistant', text: '' }])).toHaveLength(1);
});
