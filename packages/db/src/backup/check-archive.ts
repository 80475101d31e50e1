/** Reads an archive and checks it against its manifest. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { extract, type Header } from 'tar-stream';
import {
  BackupError,
  MANIFEST,
  MANIFEST_SUM,
  manifestShape,
  MOST_MANIFEST_BYTES,
  RECORDINGS,
  TABLES,
  type Manifest,
} from './manifest.ts';

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
      const fault = faultOfHeader(entry.header);
      if (fault !== null) throw damaged(path, fault);
      const { kept, ...sums } = await readEntry(entry, name === MANIFEST || name === MANIFEST_SUM, onBytes);
      if (kept === null) found.push({ name, ...sums });
      else texts.set(name, kept);
    }
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw damaged(path, 'it cannot be read to its end', error);
  }
  const manifest = readManifest(path, texts);
  const fault = faultOf(found, manifest.entries);
  if (fault !== null) throw damaged(path, fault);
  return manifest;
}

/** The parts of a path below the folder of recordings. */
const PATH = /^(?:[A-Za-z0-9][\w.-]*\/)*[A-Za-z0-9][\w.-]*$/;

/** A backup has plain files of the kinds that `take-backup.ts` writes. @returns null for those */
function faultOfHeader({ name, type, size }: Header): string | null {
  if (type !== 'file') return 'it contains something else than files';
  if (name === MANIFEST || name === MANIFEST_SUM)
    return size > MOST_MANIFEST_BYTES ? 'its manifest is too large' : null;
  const folder = [TABLES, RECORDINGS].find((start) => name.startsWith(start));
  if (folder !== undefined && PATH.test(name.slice(folder.length))) return null;
  return 'it contains a file with a name that no backup has';
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
  const manifest = manifestShape.safeParse(parsed(text));
  if (!manifest.success)
    throw new BackupError(`${path} has a format that this version of Parley cannot read.`, {
      cause: manifest.error,
    });
  return manifest.data;
}

/** @returns undefined for text that is no JSON */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
