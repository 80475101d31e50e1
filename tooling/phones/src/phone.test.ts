/** A phone network and a caller on real sockets. Waits for what happens on the calls, never for a length of time. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { rmsDbfs, tonePurity } from '@parley/audio';
import { silentLog, systemClock } from '@parley/runtime';
import { findCharacter } from './phone-book.rules.ts';
import { createPhone, type Phone } from './phone.ts';
import type { SoundLine, WireLine } from './phone-log.ts';
import type { Script } from './script.ts';

const HOST = '127.0.0.1';
const CALLER = '+12025550198';
const BOOK = { seed: 1, ringMs: { first: 50, last: 100 }, answerRate: 1, talkMs: { first: 500, last: 900 } };

/** Speaks whenever the other side has paused, as an assistant would. */
function assistant(line: string): Script {
  const turn: Script = [
    { do: 'listen', pauseMs: 400, patienceMs: 2000 },
    { do: 'say', line },
  ];
  return Array.from({ length: 8 }, () => turn).flat();
}
const LISTENER: Script = [{ do: 'wait', ms: 60_000 }];

const folder = mkdtempSync(join(tmpdir(), 'phones-'));
const logFile = join(folder, 'deep', 'phones.jsonl');
let network: Phone;
let caller: Phone;

beforeAll(async () => {
  const common = { clock: systemClock, log: silentLog, listen: { host: HOST, port: 0 }, rtpPorts: null };
  network = createPhone({ ...common, logFile, findCharacter: (number) => findCharacter(number, BOOK) });
  caller = createPhone({ ...common, logFile: null, keepsSound: true });
  await network.start();
  await caller.start();
});

afterAll(async () => {
  await caller.stop();
  await network.stop();
  rmSync(folder, { recursive: true });
});

function call(to: string, script: Script = LISTENER) {
  return caller.call({ to, from: CALLER, host: HOST, port: network.address().port, script, voice: 'slt' });
}

function framesOf(sound: Int16Array): Int16Array[] {
  return Array.from({ length: Math.floor(sound.length / 160) }, (_, i) =>
    sound.subarray(i * 160, i * 160 + 160),
  );
}

function logOf(callId: string): (WireLine | SoundLine)[] {
  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n');
  return lines
    .map((line) => JSON.parse(line) as WireLine | SoundLine)
    .filter((line) => line.callId === callId);
}

/** Looks again and again until there is something to be seen; concurrent tests cannot use `expect.poll`. */
async function until(isTrue: () => boolean): Promise<void> {
  await vi.waitFor(() => expect(isTrue()).toBe(true), { timeout: 50_000 });
}

/** What the network's end of a call heard; written when that end has ended. */
async function soundOf(callId: string): Promise<SoundLine> {
  const find = (): SoundLine | undefined => logOf(callId).find((line) => 'event' in line);
  await until(() => find() !== undefined);
  return find() as SoundLine;
}

/** The wire as one line per message, repetitions left out: `in INVITE`, `out 180`. */
function wireOf(callId: string): string[] {
  const messages = logOf(callId).filter((line) => 'direction' in line);
  return [...new Set(messages.map((line) => `${line.direction} ${line.method ?? line.status}`))];
}

describe.concurrent('phone network', () => {
  test.each([
    ['+12025550160', 'busy', 486],
    ['+12025550180', 'rejected', 603],
    ['+12025550195', 'unreachable', 503],
    ['+14155552671', 'rejected', 404],
  ] as const)('%s: %s with %i', async (number, cause, sipStatus) => {
    const person = call(number);
    expect(await person.ended).toMatchObject({ cause, sipStatus });
    expect(await person.answered).toBe(false);
    await until(() => wireOf(person.leg.id).includes('in ACK'));
    expect(wireOf(person.leg.id)).toEqual(expect.arrayContaining(['in INVITE', `out ${sipStatus}`]));
  });

  test('a talker greets, and answers when the other side has spoken', { timeout: 60_000 }, async () => {
    const person = call('+12025550110', [
      { do: 'listen', pauseMs: 400, patienceMs: 10_000 },
      { do: 'say', line: 'This is a test.' },
      { do: 'listen', pauseMs: 400, patienceMs: 10_000 },
      { do: 'hang-up' },
    ]);
    expect(await person.ended).toMatchObject({ cause: 'local-hang-up' });
    // The greeting lasts less than a second; the answer to us two more.
    const loudFrames = framesOf(person.heard()).filter((frame) => rmsDbfs(frame) > -40);
    expect(loudFrames.length).toBeGreaterThan(50);
    const sound = await soundOf(person.leg.id);
    expect(sound.loudMs).toBeGreaterThan(400);
    expect(sound.packetsReceived).toBeGreaterThan(100);
    const wire = ['in INVITE', 'out 180', 'out 200', 'in ACK', 'in BYE'];
    expect(wireOf(person.leg.id)).toEqual(expect.arrayContaining(wire));
  });

  test('voicemail speaks, beeps and listens', { timeout: 60_000 }, async () => {
    const person = call('+12025550150');
    const beep = (): boolean => {
      // Frames, not longer parts: on a busy machine some packets are late.
      const tones = framesOf(person.heard()).filter(
        (frame) => rmsDbfs(frame) > -30 && tonePurity(frame, 1000, 8000) > 0.95,
      );
      return tones.length >= 10;
    };
    await until(beep);
    await person.leg.hangUp();
  });

  test('one rings until the caller gives up', { timeout: 60_000 }, async () => {
    const person = call('+12025550170');
    await until(() => wireOf(person.leg.id).includes('out 180'));
    await person.leg.hangUp();
    expect(await person.ended).toMatchObject({ cause: 'cancelled' });
    expect(wireOf(person.leg.id)).toEqual(expect.arrayContaining(['in CANCEL', 'out 487']));
  });

  test('an impatient one hangs up in the middle of the sentence', { timeout: 60_000 }, async () => {
    const person = call(
      '+12025550185',
      assistant('This is the assistant, and I have quite a long sentence for you.'),
    );
    expect(await person.ended).toMatchObject({ cause: 'remote-hang-up' });
    const sound = await soundOf(person.leg.id);
    expect(sound.loudMs).toBeLessThan(3000);
  });

  test('one presses 1, then 9', { timeout: 60_000 }, async () => {
    const person = call('+12025550190', assistant('Press a key.'));
    await until(() => person.keys === '19');
    await person.leg.hangUp();
    expect(await person.ended).toMatchObject({ cause: 'local-hang-up' });
  });

  test('the echo says back what it hears, and the log names the tone', { timeout: 60_000 }, async () => {
    const person = call('+12025550199', [
      { do: 'beep', hz: 600, ms: 2000 },
      { do: 'wait', ms: 1500 },
      { do: 'hang-up' },
    ]);
    await person.ended;
    const loud = Int16Array.from(
      framesOf(person.heard())
        .filter((frame) => rmsDbfs(frame) > -30)
        .flatMap((frame) => [...frame]),
    );
    expect(loud.length).toBeGreaterThan(8000);
    // Less than pure, because packets of a busy machine come late; another tone would have none.
    expect(tonePurity(loud, 600, 8000)).toBeGreaterThan(0.5);
    const sound = await soundOf(person.leg.id);
    expect(sound.tonesMs['600']).toBeGreaterThan(1000);
  });

  test('the silent one says nothing', { timeout: 60_000 }, async () => {
    const person = call('+12025550198', [{ do: 'wait', ms: 1000 }, { do: 'hang-up' }]);
    await person.ended;
    expect(await person.answered).toBe(true);
    expect(rmsDbfs(person.heard())).toBeLessThan(-80);
  });

  test('one of the crowd hangs up after a while', { timeout: 60_000 }, async () => {
    const person = call('+19005550123');
    expect(await person.ended).toMatchObject({ cause: 'remote-hang-up' });
  });
});
