/** The port through which recordings are kept: disk now, S3-compatible later. Keys are relative paths with `/`. */
import type { Readable } from 'node:stream';

/** Bytes of a file, both ends included, as in HTTP's Range. */
export interface ByteRange {
  start: number;
  end: number;
}

/** One recording while it grows. */
export interface RecordingWriter {
  /** Writes at a position; a recording's header is rewritten as it grows. */
  write(bytes: Uint8Array, offsetBytes: number): Promise<void>;
  /** Closing twice is fine. */
  close(): Promise<void>;
}

/** Where recordings are; the business and voice see nothing else of it. */
export interface RecordingStorage {
  /** Makes or empties the file. */
  createWriter(key: string): Promise<RecordingWriter>;
  /** A stream of the whole file or of a part. It fails with an `error` event when the file is gone. */
  open(key: string, range?: ByteRange): Readable;
  /** Bytes, or null when there is no such file. */
  size(key: string): Promise<number | null>;
  /** Removing what is not there is fine. */
  remove(key: string): Promise<void>;
}
