/**
 * Runs PocketSphinx: two short processes for an utterance (together 60 ms of processor time), one with the expected phrases
 * and one with any phones. Owns the folder with the grammars; audio is never written to disk. At most two utterances are
 * decoded at once, so that a busy machine keeps its cores for live audio.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock, Log } from '@parley/runtime';
import { isPhrase, readHypothesis, type Hypothesis } from './hypothesis.rules.ts';
import { phraseGrammar, type PhraseGrammar, type Pronounce } from './phrase-grammar.rules.ts';
import type { PocketSphinxFiles } from './pocketsphinx-files.ts';
import { readPronunciations } from './pronunciations.ts';

/** A process that needs longer than this hangs, milliseconds. */
const PROCESS_LIMIT_MS = 4000;
const AT_ONCE = 2;
/** Narrow beams: half the work, and as right (measured on the same sentences). */
const ANY_SOUNDS_BEAMS = ['-beam', '1e-20', '-wbeam', '1e-10', '-pbeam', '1e-20'];
/**
 * Node gives its children sockets, which cannot be opened again as `/dev/stdin`; between two `cat` they are pipes.
 * `$@` is the whole command.
 */
const PIPED = 'cat | "$@" | cat';

interface Prepared {
  grammar: PhraseGrammar;
  /** Paths without their ending. */
  files: string;
}

/** What the decoder is made of. */
export interface PhraseDecoderOptions {
  clock: Clock;
  log: Log;
  files: PocketSphinxFiles;
}

/** One for a process. */
export class PhraseDecoder {
  readonly #options: PhraseDecoderOptions;
  readonly #prepared = new Map<string, Promise<Prepared | null>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #pronounce: Promise<Pronounce> | null = null;
  #folder: Promise<string> | null = null;

  constructor(options: PhraseDecoderOptions) {
    this.#options = options;
  }

  /**
   * Which of the phrases was said.
   *
   * @param samples - mono, 16 000 Hz
   * @returns null when it was none of them
   * @throws Error when PocketSphinx cannot be run
   */
  async decode(samples: Int16Array, phrases: readonly string[]): Promise<string | null> {
    const prepared = await this.#prepare(phrases);
    if (!prepared) return null;
    await this.#turn();
    try {
      const [phrase, anySounds] = await Promise.all([
        this.#run(samples, prepared, 'phrases', []),
        this.#run(samples, prepared, 'any-sounds', ANY_SOUNDS_BEAMS),
      ]);
      if (!phrase || !isPhrase(phrase, anySounds)) return null;
      return (
        phrase.words.map((word) => prepared.grammar.phraseOf(word)).find((text) => text !== null) ?? null
      );
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Removes the folder. */
  async close(): Promise<void> {
    const folder = await this.#folder;
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  }

  async #turn(): Promise<void> {
    while (this.#running >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
  }

  /** Grammars are kept: the states of a dialogue come again and again. */
  #prepare(phrases: readonly string[]): Promise<Prepared | null> {
    const key = JSON.stringify(phrases);
    const prepared = this.#prepared.get(key) ?? this.#write(phrases);
    this.#prepared.set(key, prepared);
    return prepared;
  }

  async #write(phrases: readonly string[]): Promise<Prepared | null> {
    const { files, log } = this.#options;
    const pronounce = await (this.#pronounce ??= readPronunciations(files.dictionary));
    const grammar = phraseGrammar(phrases, pronounce);
    const unpronounceable = grammar?.unpronounceable ?? phrases;
    if (unpronounceable.length > 0)
      log.warn(
        { pii: { unpronounceable } },
        'Phrases with words that the recogniser does not know are not understood',
      );
    if (!grammar) return null;
    const path = join(await this.#openFolder(), String(this.#prepared.size));
    await Promise.all([
      writeFile(`${path}.phrases`, grammar.phrases),
      writeFile(`${path}.any-sounds`, grammar.anySounds),
      writeFile(`${path}.dictionary`, grammar.dictionary),
    ]);
    return { grammar, files: path };
  }

  /** `control` names the one utterance: the file `stdin` in the folder `/dev`. */
  #openFolder(): Promise<string> {
    this.#folder ??= mkdtemp(join(tmpdir(), 'parley-phrases-')).then(async (folder) => {
      await writeFile(join(folder, 'control'), 'stdin\n');
      return folder;
    });
    return this.#folder;
  }

  async #run(
    samples: Int16Array,
    { files }: Prepared,
    grammar: 'phrases' | 'any-sounds',
    options: readonly string[],
  ): Promise<Hypothesis | null> {
    const { program, model } = this.#options.files;
    const control = join(await this.#openFolder(), 'control');
    const command = [program, '-hmm', model, '-jsgf', `${files}.${grammar}`, '-dict', `${files}.dictionary`];
    const input = ['-ctl', control, '-cepdir', '/dev', '-cepext', '', '-adcin', 'yes', '-adchdr', '0'];
    const output = ['-hypseg', '/dev/stdout', '-bestpath', 'no', '-logfn', '/dev/null'];
    const text = await this.#pipe([...command, ...input, ...output, ...options], samples);
    return readHypothesis(text);
  }

  /** @throws Error when the program cannot be started or does not end in time */
  #pipe(command: readonly string[], samples: Int16Array): Promise<string> {
    const child = spawn('/bin/sh', ['-c', PIPED, 'sh', ...command], {
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true, // a separate process group, to be ended as a whole
    });
    const endGroup = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended by itself meanwhile.
      }
    };
    const limit = this.#options.clock.after(PROCESS_LIMIT_MS, endGroup);
    let text = '';
    child.stdout.setEncoding('latin1').on('data', (piece: string) => (text += piece));
    child.stdin.on('error', () => {}); // it ended before it had read everything; the missing answer shows that
    child.stdin.end(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength));
    return new Promise<string>((resolve, reject) => {
      child.once('error', reject);
      // The exit code is that of `cat`, so success is recognised by the answer, which is always one line.
      child.once('close', () =>
        text.endsWith('\n') ? resolve(text) : reject(new Error('PocketSphinx gave no answer')),
      );
    }).finally(() => limit.cancel());
  }
}
