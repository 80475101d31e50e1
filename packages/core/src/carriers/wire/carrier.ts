/**
 * What Parley needs from a carrier's REST API. `twilio.ts` and `telnyx.ts` implement it. A request whose result is not known
 * is an {@link CarrierError} of the kind `uncertain`: the carrier may have done what was asked, so that a purchase or a message
 * must not simply be sent again.
 */

/** Kinds of accounts. */
export type CarrierKind = 'twilio' | 'telnyx';

/** An account with its decrypted secret. Never logged, never stored. */
export interface CarrierCredentials {
  kind: CarrierKind;
  /** Twilio only: `AC` and 32 hexadecimal digits. */
  accountSid: string | null;
  /** Twilio: the auth token. Telnyx: the API key. */
  secret: string;
}

/** Kinds of numbers that carriers sell. */
export const numberTypes = ['local', 'mobile', 'toll_free'] as const;
/** One of {@link numberTypes}. */
export type NumberType = (typeof numberTypes)[number];

/** What numbers are looked for. */
export interface NumberSearch {
  /** Two letters, upper case. */
  country: string;
  type: NumberType;
  /** Digits of the area, as in the national number. */
  area?: string | undefined;
  /** Digits anywhere in the number. */
  contains?: string | undefined;
}

/** What a number costs. */
export interface NumberPrice {
  /** Per month; null: the carrier does not say. */
  monthly: number | null;
  /** Once; null: the carrier does not say. */
  setup: number | null;
  /** ISO 4217. */
  currency: string | null;
}

/** A number for sale. */
export interface AvailableNumber extends NumberPrice {
  /** E.164. */
  phoneNumber: string;
  country: string;
  type: NumberType;
  /** Town or area; null where the carrier does not say. */
  locality: string | null;
  isSmsCapable: boolean;
  /** The carrier asks for an address or documents, which have to be given in its own pages. */
  addressRequirements: 'none' | 'any' | 'local' | 'foreign';
}

/** A number of the account. */
export interface OwnedNumber {
  /** The carrier's id of it. */
  ref: string;
  /** E.164. */
  phoneNumber: string;
  isSmsCapable: boolean;
}

/** What {@link Carrier.connect} sets up. */
export interface ConnectPlan {
  /** Hexadecimal digits in the names of what is set up. */
  tag: string;
  /** The new password for SIP. */
  password: string;
  /** `host` or `host:port` under which the carrier reaches this installation; null: calls come in another way. */
  sipAddress: string | null;
  /** Where the carrier asks what to do with an inbound call that it is going to stream; null: calls are streamed in no direction. */
  voiceUrl: string | null;
  /** Whether the calls of numbers are streamed. */
  streamsInbound: boolean;
}

/** What was set up at the carrier. */
export interface Connection {
  trunkRef: string;
  messagingProfileRef: string | null;
  /** What the calls of numbers go to instead of the trunk. Absent or null: they go to the trunk. */
  applicationRef?: string | null;
}

/** A connection, and how our trunk reaches it. */
export interface NewConnection extends Connection {
  host: string;
  username: string;
  registers: boolean;
  /** What streams need besides the secret of the account; null: nothing, or there are no streams. */
  streamKey: StreamKey | null;
}

/** What the requests of a Telnyx account are checked against. */
export interface StreamKey {
  /** Verifies the signatures of its requests. */
  publicKey: string;
  /** The TeXML application of the account. */
  applicationRef: string;
  organisationRef: string;
}

/** A message to be sent, in E.164. */
export interface SmsRequest {
  from: string;
  to: string;
  body: string;
}

/** A message as the carrier describes it. */
export interface SmsReport {
  ref: string;
  status: 'sent' | 'delivered' | 'undelivered' | 'failed';
  segments: number | null;
  cost: number | null;
  currency: string | null;
  error: string | null;
}

/** One account at a carrier. Every function throws {@link CarrierError}. */
export interface Carrier {
  /** @throws CarrierError `unauthorised` for wrong credentials, `rejected` for an account that is closed */
  check(): Promise<void>;
  /** At most 20. */
  searchNumbers(search: NumberSearch): Promise<AvailableNumber[]>;
  /** At most 1,000. */
  listNumbers(): Promise<OwnedNumber[]>;
  /** @returns null when the account does not own it */
  findNumber(phoneNumber: string): Promise<OwnedNumber | null>;
  /** Orders the number, which the account owns soon afterwards. */
  buyNumber(phoneNumber: string): Promise<void>;
  /** Sets up a SIP connection; parts that exist are used again. */
  connect(plan: ConnectPlan): Promise<NewConnection>;
  /** Sends calls and messages of a number to a connection. */
  assignNumber(number: OwnedNumber, connection: Connection): Promise<void>;
  sendSms(message: SmsRequest, connection: Connection): Promise<SmsReport>;
  readSms(ref: string): Promise<SmsReport>;
  /** A message that was sent since then. @returns null: there is none; `unknown`: the carrier offers no such list */
  findSms(message: SmsRequest, since: Date): Promise<SmsReport | null | 'unknown'>;
}

/** `uncertain`: there was no answer, or one that does not say whether the request was carried out. */
export type CarrierErrorKind = 'rejected' | 'unauthorised' | 'missing' | 'rate-limited' | 'uncertain';

/** A carrier did not do what it was asked. The message is for the owner of the account. */
export class CarrierError extends Error {
  readonly kind: CarrierErrorKind;
  /** Where the carrier asks to wait. */
  readonly retryAfterSeconds: number | null;
  /** True for an `uncertain` request without a connection: the carrier has certainly not received it. */
  readonly isUnsent: boolean;

  constructor(
    kind: CarrierErrorKind,
    message: string,
    {
      retryAfterSeconds = null,
      isUnsent = false,
    }: Partial<Pick<CarrierError, 'retryAfterSeconds' | 'isUnsent'>> = {},
  ) {
    super(message);
    this.name = 'CarrierError';
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
    this.isUnsent = isUnsent;
  }
}
