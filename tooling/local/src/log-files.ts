/** The complete logs of the processes: `<folder>/<process>.log`, with one older file each after rotation. */
import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const LARGEST_FILE_BYTES = 20 * 1024 * 1024;

export class LogFiles {
  readonly #folder: string;
  readonly #files = new Map<string, { descriptor: number; bytes: number }>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Appends a line. On a full disk, lines are lost without an error. */
  append(name: string, line: string): void {
    try {
      const file = this.#files.get(name) ?? this.#open(name);
      file.bytes += writeSync(file.descriptor, `${line}\n`);
      if (file.bytes > LARGEST_FILE_BYTES) this.#turnOver(name, file.descriptor);
    } catch {
      // The error could not be written either.
    }
  }

  close(): void {
    for (const { descriptor } of this.#files.values()) closeSync(descriptor);
    this.#files.clear();
  }

  #path(name: string): string {
    return join(this.#folder, `${name}.log`);
  }

  #open(name: string): { descriptor: number; bytes: number } {
    const descriptor = openSync(this.#path(name), 'a', 0o600);
    const file = { descriptor, bytes: fstatSync(descriptor).size };
    this.#files.set(name, file);
    return file;
  }

  #turnOver(name: string, descriptor: number): void {
    closeSync(descriptor);
    this.#files.delete(name);
    renameSync(this.#path(name), `${this.#path(name)}.1`);
  }
}
