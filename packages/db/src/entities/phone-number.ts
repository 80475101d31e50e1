/** Phone numbers of users. Each belongs to the trunk that it is reached through. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { CarrierAccount } from './carrier-account.ts';
import { generatedId, instant, owner } from './columns.ts';
import { Trunk } from './line.ts';

/** The agent of the user to which the sound of a call is streamed. */
export interface StoredStream {
  /** `wss://`, or `ws://` on this machine. */
  url: string;
  /** Values may contain variables. */
  parameters: { name: string; value: string }[];
  /** When the agent cannot be used. */
  onFailure: 'assistant' | 'hang_up';
}

/** What a rule of a route does. `assistantId` of the others: whose voice speaks the text. */
export type StoredRouteAction =
  | { type: 'assistant'; assistantId: number }
  | { type: 'message'; assistantId: number; text: string }
  | { type: 'voicemail'; assistantId: number; text: string; maxSeconds: number }
  | {
      type: 'menu';
      assistantId: number;
      text: string;
      choices: { key: string; assistantId: number }[];
    }
  | ({ type: 'stream'; assistantId: number } & StoredStream)
  | { type: 'reject' };

/** The queue of a route. `text` is spoken in the voice of the assistant that will answer. */
export interface StoredQueue {
  /** Calls that may talk at once. */
  maxCalls: number;
  maxWaiting: number;
  maxWaitSeconds: number;
  text: string;
  announceEverySeconds: number;
  /** For callers when the queue is full, or who have waited too long. */
  overflow: Extract<StoredRouteAction, { type: 'message' | 'voicemail' | 'reject' }>;
}

/** The stored route of a number. The first rule that applies decides. */
export interface StoredRoute {
  /** IANA name. */
  timezone: string;
  rules: {
    /** Lower case English weekday names. */
    days: string[];
    /** `HH:MM:SS`, local; see `calling-window.rules.ts` of core. */
    from: string;
    until: string;
    /** Two letters, upper case; empty: every caller. */
    callerCountries: string[];
    action: StoredRouteAction;
  }[];
  otherwise: StoredRouteAction;
  /** Absent or null: calls do not wait. */
  queue?: StoredQueue | null;
}

export const PhoneNumber = defineEntity({
  name: 'PhoneNumber',
  tableName: 'phone_numbers',
  properties: {
    id: generatedId(),
    userId: () => owner().index(),
    trunkId: () => p.manyToOne(Trunk).mapToPk().joinColumn('trunk_id').deleteRule('cascade'),
    /** E.164 with `+`. */
    phoneNumber: p.text().unique(),
    /** Two letters, upper case. */
    countryCode: p.text(),
    typeLabel: p.enum(['Normal', 'SIP', 'Caller ID']),
    /** The account at a carrier that the number was bought in; see {@link CarrierAccount}. */
    carrierAccountId: () =>
      p
        .manyToOne(CarrierAccount)
        .mapToPk()
        .joinColumn('carrier_account_id')
        .deleteRule('set null')
        .strictNullable(),
    /** The carrier's id of the number. */
    carrierRef: p.text().strictNullable(),
    /** A name that the owner gave it. */
    nickname: p.text().strictNullable(),
    /** According to the carrier. */
    isSmsCapable: p.boolean().default(false),
    /** What happens to its calls; null: its inbound assistant answers them. */
    inboundRoute: p.json<StoredRoute>().strictNullable().default(null),
    createdAt: instant(),
  },
});

/** A row of {@link PhoneNumber}. */
export type PhoneNumberRow = InferEntity<typeof PhoneNumber>;
