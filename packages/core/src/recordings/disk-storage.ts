/** Recordings as files below one folder. */
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, normalize, sep } from 'node:path';
import type { RecordingStorage, RecordingWriter } from '../shared/recording-storage.ts';

/** @param directory - created with its first file; readable only by the account of this process */
export function diskStorage(directory: string): RecordingStorage {
  const pathOf = (key: string): string => {
    const path = normalize(join(directory, key));
    if (!path.startsWith(normalize(directory) + sep))
      throw new Error('A recording key must stay below its folder');
    return path;
  };
  return {
    createWriter: (key) => createFileWriter(pathOf(key)),
    async continueWriter(key) {
      const path = pathOf(key);
      try {
        // A copy takes the place of the file: a process that is thawed keeps the old one and cannot spoil it.
        await copyFile(path, continuationOf(path));
        await rename(continuationOf(path), path);
        const { size: sizeBytes } = await stat(path);
        return { writer: await createFileWriter(path, 'r+'), sizeBytes };
      } catch (error) {
        if (!isMissing(error)) throw error;
        return { writer: await createFileWriter(path), sizeBytes: 0 };
      }
    },
    async createReplacement(key) {
      const path = replacementOf(pathOf(key));
      // Another process that still writes to an earlier one keeps its own file.
      await rm(path, { force: true });
      return createFileWriter(path);
    },
    async replace(key) {
      const path = pathOf(key);
      const [old, replacement] = await Promise.all([stat(path), stat(replacementOf(path))]);
      if (old.size !== replacement.size) throw new Error('The replacement of a recording is incomplete');
      await rename(replacementOf(path), path);
    },
    open: (key, range) => createReadStream(pathOf(key), range),
    async size(key) {
      try {
        return (await stat(pathOf(key))).size;
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    async remove(key) {
      for (const path of [replacementOf(pathOf(key)), continuationOf(pathOf(key)), pathOf(key)])
        await rm(path, { force: true });
    },
  };
}

const replacementOf = (path: string): string => `${path}.new`;
const continuationOf = (path: string): string => `${path}.next`;

async function createFileWriter(path: string, flags: 'w' | 'r+' = 'w'): Promise<RecordingWriter> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, flags, 0o600);
  let isOpen = true;
  return {
    async write(bytes, offsetBytes) {
      let written = 0;
      while (written < bytes.length) {
        const result = await file.write(bytes, written, bytes.length - written, offsetBytes + written);
        written += result.bytesWritten;
      }
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await file.close();
    },
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
