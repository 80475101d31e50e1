/** Recordings of a person: Debian's package asterisk-core-sounds-en-wav (CC BY-SA 3.0, which this project does not ship). */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { readWav } from '@parley/audio';

const FOLDER = '/usr/share/asterisk/sounds/en_US_f_Allison/';

/** Prints a note where the package is not installed; with CI=true that is an error. */
export function hasHumanVoice(): boolean {
  if (existsSync(FOLDER)) return true;
  const why = 'asterisk-core-sounds-en-wav is not installed: the tests with a human voice are skipped';
  if (process.env['CI'] === 'true') throw new Error(why);
  process.stderr.write(`${why}\n`);
  return false;
}

/** @returns mono, 8000 Hz */
export async function humanVoice(name: string): Promise<Int16Array> {
  const [samples = new Int16Array()] = readWav(await readFile(`${FOLDER}${name}.wav`)).channels;
  return samples;
}
