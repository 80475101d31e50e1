/** What every use case is handed: where state lives, what time it is, and the few settings that decide something. */
import { statement, type Db, type Tx } from '@parley/db';
import type { Clock, Log } from '@parley/runtime';
import type { PrivateAddresses } from '@parley/runtime/guarded-http';
import type { RecordingStorage } from './shared/recording-storage.ts';
import { OneAtATime } from './shared/one-at-a-time.ts';
import { createSecretBox, type SecretBox } from './shared/secret-box.ts';

/** Handed to every use case as its first argument. */
export interface CoreContext {
  db: Db;
  clock: Clock;
  /** The other clock, which every machine of a fleet shares. Calling hours are kept by both. */
  databaseNow: (tx: Tx) => Promise<Date>;
  log: Log;
  secretBox: SecretBox;
  /** Origin under which the api is reached, without a slash at the end; null: unknown, the api fills it per request. */
  publicUrl: string | null;
  recordings: RecordingStorage;
  /** For how many days a URL of a recording is valid; 0: as long as the recording exists. */
  recordingLinkDays: number;
  /** Which addresses that are not public members' trunks may have. */
  allowPrivateTrunks: PrivateAddresses;
  /** Of campaigns by their ids, in this process; see dialing/refill-campaign.ts. */
  fills: OneAtATime<number>;
}

/** What a process builds its context from. */
export interface CoreOptions extends Omit<
  CoreContext,
  | 'secretBox'
  | 'publicUrl'
  | 'allowPrivateTrunks'
  | 'recordingLinkDays'
  | 'databaseNow'
  | 'fills'
> {
  /** The setting `SECRET_KEY`. */
  secretKey: string;
  publicUrl?: string | null | undefined;
  /** Default 30. */
  recordingLinkDays?: number | undefined;
  /** Default: none. */
  allowPrivateTrunks?: PrivateAddresses | undefined;
  /** Default: Postgres is asked. */
  databaseNow?: CoreContext['databaseNow'];
}

const selectNow = statement<{ now: Date }>('database_now', 'select clock_timestamp() as now');

/** Puts the context of a process together. The caller closes the database. */
export function createCoreContext(options: CoreOptions): CoreContext {
  return {
    db: options.db,
    clock: options.clock,
    databaseNow: options.databaseNow ?? askDatabase,
    log: options.log,
    recordings: options.recordings,
    recordingLinkDays: options.recordingLinkDays ?? 30,
    secretBox: createSecretBox(options.secretKey),
    publicUrl: options.publicUrl?.replace(/(?<!\/)\/+$/, '') ?? null,
    allowPrivateTrunks: options.allowPrivateTrunks ?? 'none',
    fills: new OneAtATime(),
  };
}

async function askDatabase(tx: Tx): Promise<Date> {
  const [row] = await tx.query(selectNow);
  if (!row) throw new Error('The database has no clock');
  return row.now;
}

/** The clock's now as a Date, which is what SQL is bound with. */
export function now(ctx: Pick<CoreContext, 'clock'>): Date {
  return new Date(ctx.clock.now());
}
