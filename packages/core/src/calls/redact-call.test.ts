import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { arrangeHosted, endOf, makeAnsweredCall } from '../../test/arrange.ts';
import { completeCall } from '../lifecycle/complete-call.ts';
import { finishCall } from '../lifecycle/finish-call.ts';
import { findCall } from './find-call.ts';
import { redactWords, type CallWords } from './redact-call.ts';

const database = useTestDatabase();
const selectPayloads = statement<{ payload: unknown }>(
  '',
  'select payload from deliveries where call_id = $1',
);

const turn = (sender: 'bot' | 'human', text: string) => ({
  sender,
  startedAtMs: 0,
  startMs: 0,
  endMs: 1,
  text,
  isInterrupted: false,
  latencyMs: {},
});

const WORDS: CallWords = {
  transcript: 'AI: Your card number?\nCustomer: 4242 4242\nAI: Go on.\nCustomer: 4242 4242 and a@b.de',
  turns: [
    turn('bot', 'Your card number?'),
    turn('human', '4242 4242'),
    turn('bot', 'Go on.'),
    turn('human', '4242 4242 and a@b.de'),
  ],
  toolCalls: [
    {
      name: 'pay',
      arguments: { card: 4242424242424242, payer: { mail: ['a@b.de', 7] } },
      startMs: 0,
      durationMs: 1,
      isError: false,
      result: '{"charged":"4242424242424242"}',
    },
  ],
  variables: { mail: 'a@b.de', amount: 12 },
};

it('redacts every part of what was said and done; a card number is found across turns', () => {
  const redacted = redactWords(WORDS, ['card_number', 'email']);
  expect(redacted.transcript).toBe(
    'AI: Your card number?\nCustomer: [card number]\nAI: Go on.\nCustomer: [card number] and [email address]',
  );
  expect(redacted.turns.map(({ text }) => text)).toEqual([
    'Your card number?',
    '[card number]',
    'Go on.',
    '[card number] and [email address]',
  ]);
  expect(redacted.toolCalls).toMatchObject([
    {
      arguments: { card: '[card number]', payer: { mail: ['[email address]', 7] } },
      result: '{"charged":"[card number]"}',
    },
  ]);
  expect(redacted.variables).toEqual({ mail: '[email address]', amount: 12 });
});

it('changes nothing where nothing is asked for', () => {
  expect(redactWords(WORDS, [])).toBe(WORDS);
});

it('neither the record of a call nor its webhook has what the assistant removes', async () => {
  const about = await arrangeHosted(database.db, {
    redact: ['card_number', 'email'],
    is_webhook_active: true,
    webhook_url: 'https://receiver.example/parley',
  });
  const { ctx, identity } = about;
  const callId = await makeAnsweredCall(about);
  await finishCall(ctx, { ...endOf(about, callId), ...WORDS });
  await completeCall(ctx, callId, {
    values: { status: true, summary: 'Card four two four two 4242 4242 4242 was charged.' },
    detail: {},
  });
  const stored = JSON.stringify(await findCall(ctx, identity, callId));
  expect(stored).toContain('[card number] was charged');
  expect(stored).not.toMatch(/4242|a@b\.de/);
  const payloads = await ctx.db.query(selectPayloads, [callId]);
  expect(payloads).toHaveLength(1);
  expect(JSON.stringify(payloads)).not.toMatch(/4242|a@b\.de/);
});
