/**
 * A person calls the demo assistant: baresip, with a recording of a human voice where Debian's package has one. They say
 * a day over the greeting, are understood, and then say nothing more until the assistant says goodbye.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWav, rmsDbfs } from '@parley/audio';
import { Baresip, ForeignProgram, isInstalled } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitForCall, type CallDetail } from '../src/calls.ts';
import { startInstallation, type Installation } from '../src/installation.ts';

/** The inbound demo assistant of a fresh installation. */
const DEMO_NUMBER = '+12025550101';
const DEMO_ID = 2;
/** "Wednesday", of Debian's asterisk-core-sounds-en-wav (the voice of Allison Smith; CC BY-SA 3.0, not ours to ship). */
const WEDNESDAY = '/usr/share/asterisk/sounds/en_US_f_Allison/digits/day-3.wav';
const SAMPLE_RATE_HZ = 8000;
/** In the middle of a greeting of twelve seconds. */
const SPEAKS_AFTER_SECONDS = 4;
/** Longer than the assistant waits; at the end of its sound baresip would hang up. */
const SILENT_SECONDS = 120;

const canRun = isInstalled('baresip');
const voice = await readFile(WEDNESDAY).catch(() => null);
if (!voice) {
  const why = 'asterisk-core-sounds-en-wav is not installed: the test with a human voice is skipped';
  if (process.env['CI'] === 'true') throw new Error(why);
  process.stderr.write(`${why}\n`);
}

describe.skipIf(!canRun || !voice)('a person who calls', () => {
  let installation: Installation;
  let folder: string;
  const programs: ForeignProgram[] = [];
  beforeAll(async () => {
    installation = await startInstallation();
    // As it comes it is more patient than a test needs to be.
    await installation.request('PUT', `/api/user/assistant/${DEMO_ID}`, { max_silence_duration: 5 });
    folder = await mkdtemp(join(tmpdir(), 'parley-human-'));
  });
  afterAll(async () => {
    await Promise.all(programs.map(async (program) => program.stop()));
    await installation?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is recognised during the greeting, and hears a goodbye after a silence', async () => {
    const run = (program: string, args: readonly string[]): ForeignProgram => {
      const running = new ForeignProgram(program, args, folder);
      programs.push(running);
      return running;
    };
    const baresip = await Baresip.start(
      { folder, run },
      betweenSilences(readWav(voice ?? new Uint8Array()).channels[0]),
    );
    baresip.dial(`sip:${DEMO_NUMBER}@127.0.0.1:${installation.sipPort}`);
    const call = await finishedCall(installation);

    expect(call.transcript).toContain('Customer: wednesday');
    expect(call.transcript).toMatch(/AI: Wednesday\. In the morning/);
    expect(call.transcript).toMatch(/[Gg]oodbye\.$/);
    const [greeting, answer] = call.turns;
    expect(greeting).toMatchObject({ sender: 'bot', is_interrupted: true });
    expect(answer).toMatchObject({ sender: 'human', text: 'wednesday' });
    expect(rmsDbfs(await baresip.heard())).toBeGreaterThan(-40);
  });
});

function betweenSilences(words: Int16Array = new Int16Array()): Int16Array {
  const [before, after] = [SPEAKS_AFTER_SECONDS * SAMPLE_RATE_HZ, SILENT_SECONDS * SAMPLE_RATE_HZ];
  const sound = new Int16Array(before + words.length + after);
  sound.set(words, before);
  return sound;
}

async function finishedCall(installation: Installation): Promise<CallDetail> {
  for (;;) {
    const { data } = (await installation.request('GET', '/api/user/calls?type=inbound')) as {
      data: { id: number }[];
    };
    const [call] = data;
    if (call) return waitForCall(installation, call.id, ({ status }) => status === 'completed', 120_000);
  }
}
