/** The interface of the storage of recordings: disk at present. Keys are relative paths with `/`. */
import type { Readable } from 'node:stream';

/** A range of bytes, inclusive at both ends, as in HTTP's Range. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A recording in progress. */
export interface RecordingWriter {
  /** Writes at a position, because the header of a recording is rewritten as it grows. */
  write(bytes: Uint8Array, offsetBytes: number): Promise<void>;
  /** May be called twice. */
  close(): Promise<void>;
}

/** The storage of recordings. */
export interface RecordingStorage {
  /** Creates or truncates the file. */
  createWriter(key: string): Promise<RecordingWriter>;
  /**
   * Goes on with a file that a lost process has written, whatever that process still writes; without one it is created.
   *
   * @returns the size of what is there, in bytes
   */
  continueWriter(key: string): Promise<{ writer: RecordingWriter; sizeBytes: number }>;
  /** Creates a second file for the same key, of the same size, instead of an earlier replacement. */
  createReplacement(key: string): Promise<RecordingWriter>;
  /** Puts the replacement in place of the file. Rejects when it is missing or has another size. */
  replace(key: string): Promise<void>;
  /** A stream of the whole file or of a part. It emits `error` when the file does not exist. */
  open(key: string, range?: ByteRange): Readable;
  /** Size in bytes, or null when the file does not exist. */
  size(key: string): Promise<number | null>;
  /** Removes the file and its replacement. Succeeds also when there is none. */
  remove(key: string): Promise<void>;
}
