/** The dependencies and settings that every use case receives. */
import { statement, type Db, type Tx } from '@parley/db';
import { HostResolver, SipServerResolver, type AddressFamily, type Clock, type Log } from '@parley/runtime';
import type { PrivateAddresses } from '@parley/runtime/guarded-http';
import type { RecordingStorage } from './shared/recording-storage.ts';
import { OneAtATime } from './shared/one-at-a-time.ts';
import { createSecretBox, type SecretBox } from './shared/secret-box.ts';

/** The first argument of every use case. */
export interface CoreContext {
  db: Db;
  clock: Clock;
  /** The database's clock, which all machines of a fleet share. Calling hours are checked against both clocks. */
  databaseNow: (tx: Tx) => Promise<Date>;
  log: Log;
  secretBox: SecretBox;
  /**
   * Origin under which the api is reached, without a trailing slash; null when it is not configured, so that the api
   * uses the origin of each request.
   */
  publicUrl: string | null;
  recordings: RecordingStorage;
  /** For how many days a URL of a recording is valid; 0: as long as the recording exists. */
  recordingLinkDays: number;
  /** Which non-public addresses the trunks of members may have. */
  allowPrivateTrunks: PrivateAddresses;
  /** Which non-public addresses the webhooks of operators may have. */
  allowPrivateWebhooks: PrivateAddresses;
  /** Addresses in place of the carriers' own, for simulators; null: their own. */
  carrierUrls: Readonly<Record<'twilio' | 'telnyx', string | null>>;
  /** Find the servers of trunks, by the address family of the peer. */
  sipServers: Readonly<Record<AddressFamily, SipServerResolver>>;
  /** Running refills of campaigns by campaign id, in this process; see dialing/refill-campaign.ts. */
  fills: OneAtATime<number>;
}

/** The options of {@link createCoreContext}. */
export interface CoreOptions extends Omit<
  CoreContext,
  | 'secretBox'
  | 'publicUrl'
  | 'allowPrivateTrunks'
  | 'allowPrivateWebhooks'
  | 'recordingLinkDays'
  | 'databaseNow'
  | 'carrierUrls'
  | 'sipServers'
  | 'fills'
> {
  /** The setting `SECRET_KEY`. */
  secretKey: string;
  /** The setting `OTHER_SECRET_KEYS`. Default: none. */
  otherSecretKeys?: readonly string[] | undefined;
  publicUrl?: string | null | undefined;
  /** Default 30. */
  recordingLinkDays?: number | undefined;
  /** Default: none. */
  allowPrivateTrunks?: PrivateAddresses | undefined;
  /** Default: none. */
  allowPrivateWebhooks?: PrivateAddresses | undefined;
  /** The settings `TWILIO_API_URL` and `TELNYX_API_URL`. Default: the carriers' own addresses. */
  carrierUrls?: { twilio?: string | null | undefined; telnyx?: string | null | undefined } | undefined;
  /** Default: the name servers of the system. */
  sipServers?: CoreContext['sipServers'];
  /** Default: a query to Postgres. */
  databaseNow?: CoreContext['databaseNow'];
}

const selectNow = statement<{ now: Date }>('database_now', 'select clock_timestamp() as now');

/** Creates the context of a process. The caller closes the database. */
export function createCoreContext(options: CoreOptions): CoreContext {
  return {
    db: options.db,
    clock: options.clock,
    databaseNow: options.databaseNow ?? askDatabase,
    log: options.log,
    recordings: options.recordings,
    recordingLinkDays: options.recordingLinkDays ?? 30,
    secretBox: createSecretBox(options.secretKey, options.otherSecretKeys),
    publicUrl: withoutSlashes(options.publicUrl),
    allowPrivateTrunks: options.allowPrivateTrunks ?? 'none',
    allowPrivateWebhooks: options.allowPrivateWebhooks ?? 'none',
    carrierUrls: {
      twilio: withoutSlashes(options.carrierUrls?.twilio),
      telnyx: withoutSlashes(options.carrierUrls?.telnyx),
    },
    sipServers: options.sipServers ?? {
      4: new SipServerResolver(options.clock, new HostResolver(options.clock, 4)),
      6: new SipServerResolver(options.clock, new HostResolver(options.clock, 6)),
    },
    fills: new OneAtATime(),
  };
}

function withoutSlashes(url: string | null | undefined): string | null {
  return url?.replace(/(?<!\/)\/+$/, '') ?? null;
}

async function askDatabase(tx: Tx): Promise<Date> {
  const [row] = await tx.query(selectNow);
  if (!row) throw new Error('The database has no clock');
  return row.now;
}

/** The current time as a Date, the type that SQL parameters take. */
export function now(ctx: Pick<CoreContext, 'clock'>): Date {
  return new Date(ctx.clock.now());
}
