/** The manifest of a backup, the last file of the archive but one: what the archive contains, with checksums. */
import { z } from 'zod';

const identifier = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/);

export const manifestShape = z.object({
  /** The format of the archive. A later version of Parley that writes another format uses another number. */
  format: z.literal(1),
  /** The version of Parley. */
  version: z.string(),
  takenAt: z.iso.datetime(),
  /** Applied to the database, in their order. */
  migrations: z.array(z.string()),
  /** A text that was sealed with the SECRET_KEY of the installation; without that key, passwords and keys are lost. */
  secretKeyCheck: z.string(),
  /** Ordered by their references. */
  tables: z.array(z.object({ name: identifier, columns: z.array(identifier), rows: z.int() })),
  partitions: z.array(z.object({ parent: identifier, month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/) })),
  sequences: z.array(
    z.object({ name: identifier, lastValue: z.string().regex(/^\d{1,19}$/), isCalled: z.boolean() }),
  ),
  recordings: z.object({
    files: z.int(),
    /** Recordings that were removed while the backup was being taken. */
    missing: z.int(),
  }),
  entries: z.array(z.object({ name: z.string(), bytes: z.int(), sha256: z.string() })),
});

/** The contents of {@link manifestShape}. */
export type Manifest = z.output<typeof manifestShape>;

export const MANIFEST = 'manifest.json';
/** SHA-256 of the manifest, in hexadecimal digits. */
export const MANIFEST_SUM = 'manifest.json.sha256';
/** Followed by the table and the number of the part. */
export const TABLES = 'database/';
/** Followed by the key of the recording. */
export const RECORDINGS = 'recordings/';

/** The maximum size of the manifest, which is held in memory: enough for more than a million recordings. */
export const MOST_MANIFEST_BYTES = 256 * 1024 * 1024;

/** A backup cannot be taken or restored; the message is for the operator. */
export class BackupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BackupError';
  }
}

/** The storage of recordings, as far as a backup uses it; core's `RecordingStorage`. */
export interface RecordingFiles {
  size(key: string): Promise<number | null>;
  open(key: string, range?: { start: number; end: number }): NodeJS.ReadableStream;
  createWriter(key: string): Promise<{
    write(bytes: Uint8Array, offsetBytes: number): Promise<void>;
    close(): Promise<void>;
  }>;
}
