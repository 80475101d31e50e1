/** Reads an archive and checks it against its manifest. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { extract, type Header } from 'tar-stream';
import { BackupError, MANIFEST, MANIFEST_SUM, manifestShape, type Manifest } from './manifest.ts';

/** A file of the archive. */
export interface Entry extends AsyncIterable<Buffer> {
  header: Header;
}

/** The entries in their order; each must be read to its end. */
export async function* entriesOf(path: string): AsyncGenerator<Entry> {
  const archive = extract();
  const source = createReadStream(path);
  source.on('error', (error) => archive.destroy(error));
  source.pipe(archive);
  try {
    for await (const entry of archive) yield entry as Entry;
  } finally {
    source.destroy();
  }
}

/**
 * Reads the whole archive.
 *
 * @param onBytes - called with the number of bytes that were checked
 * @throws BackupError for a file that is no archive, is not complete, or was changed
 */
export async function checkArchive(path: string, onBytes: (bytes: number) => void): Promise<Manifest> {
  const found: Manifest['entries'] = [];
  const texts = new Map<string, string>();
  try {
    for await (const entry of entriesOf(path)) {
      const { name } = entry.header;
      const { kept, ...sums } = await readEntry(entry, name === MANIFEST || name === MANIFEST_SUM, onBytes);
      if (kept === null) found.push({ name, ...sums });
      else texts.set(name, kept);
    }
  } catch (error) {
    throw damaged(path, 'it cannot be read to its end', error);
  }
  const manifest = readManifest(path, texts);
  const fault = faultOf(found, manifest.entries);
  if (fault !== null) throw damaged(path, fault);
  return manifest;
}

async function readEntry(entry: Entry, isKept: boolean, onBytes: (bytes: number) => void) {
  const hash = createHash('sha256');
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of entry) {
    hash.update(chunk);
    bytes += chunk.length;
    if (isKept) parts.push(chunk);
    onBytes(chunk.length);
  }
  return { bytes, sha256: hash.digest('hex'), kept: isKept ? Buffer.concat(parts).toString() : null };
}

function readManifest(path: string, texts: ReadonlyMap<string, string>): Manifest {
  const text = texts.get(MANIFEST);
  const sum = texts.get(MANIFEST_SUM);
  if (text === undefined || sum === undefined) throw damaged(path, 'it is not complete');
  if (createHash('sha256').update(text).digest('hex') !== sum)
    throw damaged(path, 'its manifest was changed');
  const manifest = manifestShape.safeParse(JSON.parse(text));
  if (!manifest.success)
    throw new BackupError(`${path} has a format that this version of Parley cannot read.`, {
      cause: manifest.error,
    });
  return manifest.data;
}

/** @returns null when both lists are the same */
function faultOf(found: Manifest['entries'], expected: Manifest['entries']): string | null {
  if (found.length !== expected.length) return 'it does not contain what its manifest lists';
  const wrong = expected.find(({ name, bytes, sha256 }, index) => {
    const entry = found[index];
    return entry?.name !== name || entry.bytes !== bytes || entry.sha256 !== sha256;
  });
  return wrong ? `the checksum of ${wrong.name} is wrong` : null;
}

function damaged(path: string, fault: string, cause?: unknown): BackupError {
  return new BackupError(`${path} is damaged: ${fault}. Nothing was restored. Use another backup.`, {
    cause,
  });
}
