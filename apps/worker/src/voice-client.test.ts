import { afterEach, describe, expect, test } from 'vitest';
import { createVoiceClient, type VoiceClient } from './voice-client.ts';
import { startFakeVoice, type Asked } from '../test/fake-voice.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

/** A client and a voice process that answers each request with one status. */
async function setup(status: number): Promise<{ voice: VoiceClient; url: string; asked: Asked[] }> {
  const process = await startFakeVoice();
  process.status = status;
  const voice = createVoiceClient('a secret');
  undo.push(() => voice.close(), process.close);
  return { voice, url: process.url, asked: process.asked };
}

const CALL = {
  callId: 7,
  createdAt: new Date('2026-01-02T03:04:05.678Z'),
  processId: '00000000-0000-4000-8000-000000000003',
};

describe('the voice client', () => {
  test('hands a call over with secret, creation time and process id', async () => {
    const { voice, url, asked } = await setup(202);
    expect(await voice.takeCall(url, CALL)).toBe('taken');
    expect(asked).toEqual([
      {
        method: 'PUT',
        path: '/internal/calls/7',
        authorization: 'Bearer a secret',
        body: { created_at: '2026-01-02T03:04:05.678Z', process_id: CALL.processId },
      },
    ]);
  });

  test.each([
    [202, 'taken'],
    [409, 'fenced'],
    [503, 'full'],
  ])('understands status %i as %s', async (status, meaning) => {
    const { voice, url } = await setup(status);
    expect(await voice.takeCall(url, CALL)).toBe(meaning);
  });

  test('throws on a status that is not in the contract', async () => {
    const { voice, url } = await setup(500);
    await expect(voice.takeCall(url, CALL)).rejects.toThrow('answered 500');
  });

  test('distinguishes an absent process from one that refuses', async () => {
    const { voice } = await setup(202);
    const absent = 'http://127.0.0.1:1';
    expect(await voice.takeCall(absent, CALL)).toBe('unreachable');
    expect(await voice.hangUp(absent, 7, 'hang_up_requested')).toBe('unreachable');
    expect(await voice.sendBye(absent, {})).toBe('unreachable');
    expect(await voice.isAlive(absent)).toBe(false);
  });

  test('asks for a hang-up with its reason', async () => {
    const { voice, url, asked } = await setup(202);
    expect(await voice.hangUp(url, 7, 'hang_up_requested')).toBe('accepted');
    expect(asked).toMatchObject([
      { method: 'POST', path: '/internal/calls/7/hang-up', body: { reason: 'hang_up_requested' } },
    ]);
  });

  test('reports that a process does not have the call', async () => {
    const { voice, url } = await setup(404);
    expect(await voice.hangUp(url, 7, 'hang_up_requested')).toBe('unknown-call');
  });

  test('passes on a stored dialog for the BYE', async () => {
    const { voice, url, asked } = await setup(202);
    expect(await voice.sendBye(url, { callId: 'abc' })).toBe('accepted');
    expect(asked).toMatchObject([{ path: '/internal/dialogs/bye', body: { dialog: { callId: 'abc' } } }]);
  });
});
