import { expect, test } from 'vitest';
import { shape } from './fields.ts';
import { writtenStream } from './stream-target.ts';

const target = shape(writtenStream);

test('a target has no parameters and falls back to the assistant, where nothing else is given', () => {
  const url = 'wss://agent.example/media?x=1';
  expect(target.parse({ url })).toEqual({ url, parameters: [], on_failure: 'assistant' });
});

test.each([
  ['wss://agent.example', true],
  ['WSS://agent.example:8443/a', true],
  ['ws://127.0.0.1:8090/media', true],
  ['ws://localhost/media', true],
  ['ws://[::1]/media', true],
  ['ws://agent.example/media', false],
  ['ws://localhost.agent.example/', false],
  ['https://agent.example/', false],
  ['wss://user:password@agent.example/', false],
  ['wss://agent.example/#part', false],
  ['wss:///media', false],
  ['wss://agent example/', false],
  ['', false],
])('the address %s is accepted: %s', (url, isAccepted) => {
  expect(target.safeParse({ url }).success).toBe(isAccepted);
});

test('names of parameters are unique, and their number is limited', () => {
  const url = 'wss://agent.example/';
  const same = { name: 'a', value: '1' };
  expect(target.safeParse({ url, parameters: [same, same] }).success).toBe(false);
  const many = Array.from({ length: 21 }, (_, n) => ({ name: `n${n}`, value: '' }));
  expect(target.safeParse({ url, parameters: many }).success).toBe(false);
  expect(target.safeParse({ url, parameters: many.slice(1) }).success).toBe(true);
});
