/** Writes an archive: a tar file whose last entries are the manifest with the checksum of each entry, and its own. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import { MANIFEST, MANIFEST_SUM, type Manifest } from './manifest.ts';

type Entry = Manifest['entries'][number];

export class ArchiveWriter {
  /** What was written so far. */
  readonly entries: Entry[] = [];
  readonly #path: string;
  readonly #pack = pack();
  readonly #written: Promise<void>;
  readonly #onBytes: (bytes: number) => void;

  /** @param path - the file appears under this name when it is complete */
  constructor(path: string, onBytes: (bytes: number) => void) {
    this.#path = path;
    this.#onBytes = onBytes;
    this.#written = pipeline(this.#pack, createWriteStream(this.#partial, { mode: 0o600 }));
    // `finish` and `abandon` report it.
    this.#written.catch(() => undefined);
  }

  get #partial(): string {
    return `${this.#path}.partial`;
  }

  /** @param size - of the source, in bytes */
  async add(name: string, size: number, source: NodeJS.ReadableStream): Promise<void> {
    const hash = createHash('sha256');
    const measure = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        hash.update(chunk);
        this.#onBytes(chunk.length);
        done(null, chunk);
      },
    });
    const entry = this.#pack.entry({ name, size, mode: 0o600 });
    // A file that cannot be written ends the entry too.
    await Promise.race([pipeline(source, measure, entry), this.#written]);
    this.entries.push({ name, bytes: size, sha256: hash.digest('hex') });
  }

  async addBytes(name: string, bytes: Buffer): Promise<void> {
    await this.add(name, bytes.length, Readable.from(bytes.length === 0 ? [] : [bytes]));
  }

  /** Writes the manifest and gives the file its name. */
  async finish(manifest: Omit<Manifest, 'entries'>): Promise<void> {
    const text = Buffer.from(JSON.stringify({ ...manifest, entries: this.entries }));
    await this.addBytes(MANIFEST, text);
    await this.addBytes(MANIFEST_SUM, Buffer.from(createHash('sha256').update(text).digest('hex')));
    this.#pack.finalize();
    await this.#written;
    const file = await open(this.#partial, 'r+');
    await file.sync();
    await file.close();
    await rename(this.#partial, this.#path);
  }

  /** Removes what was written. */
  async abandon(): Promise<void> {
    this.#pack.destroy();
    await this.#written.catch(() => undefined);
    await rm(this.#partial, { force: true });
  }
}
