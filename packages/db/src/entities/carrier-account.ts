/** Accounts at carriers, and the numbers that are bought through them. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { document, generatedId, instant, owner, ownerOrShared } from './columns.ts';
import { Trunk } from './line.ts';

/** What was set up at the carrier, by the carrier's ids. */
export interface CarrierConnection {
  /** Twilio: the Elastic SIP Trunk. Telnyx: the credential connection. */
  trunkRef: string;
  /** Telnyx only: through which messages are sent. */
  messagingProfileRef: string | null;
  /** The application, of TwiML or TeXML, that streams calls to us. Absent or null: calls go to the trunk. */
  applicationRef?: string | null;
  /** The origin to which calls are streamed, or were. Absent: calls were never streamed. */
  streamOrigin?: string;
  /**
   * Telnyx only: by what its requests are checked and its calls are dialed, since calls were first streamed. Without `organisationRef`,
   * the account has to be connected again before calls are dialed.
   */
  streamKey?: { publicKey: string; applicationRef: string; organisationRef?: string };
  /** How outbound calls leave. Absent: over the trunk. */
  outboundWay?: 'sip_trunk' | 'media_stream';
}

export const CarrierAccount = defineEntity({
  name: 'CarrierAccount',
  tableName: 'carrier_accounts',
  properties: {
    id: generatedId(),
    /** Null: shared by all users. */
    userId: ownerOrShared,
    name: p.text(),
    kind: p.enum(['twilio', 'telnyx']),
    /** Twilio's account SID. Null for Telnyx. */
    accountSid: p.text().strictNullable(),
    /** Twilio: the auth token. Telnyx: the API key. */
    secretSealed: p.text(),
    /** Hexadecimal digits in the names of what is set up at the carrier, so that it is found again. */
    tag: p.text(),
    /** Null: not connected. */
    connection: document<CarrierConnection>().strictNullable(),
    /** The trunk that connects calls to the account. Null: not connected. */
    trunkId: () =>
      p.manyToOne(Trunk).mapToPk().joinColumn('trunk_id').deleteRule('set null').strictNullable(),
    createdAt: instant(),
  },
});

/** The latest request to buy a number. The carrier is asked whether it has been bought before it is bought again. */
export const NumberPurchase = defineEntity({
  name: 'NumberPurchase',
  tableName: 'number_purchases',
  uniques: [
    {
      name: 'number_purchases_carrier_account_id_phone_number_unique',
      properties: ['carrierAccountId', 'phoneNumber'],
    },
  ],
  properties: {
    id: generatedId(),
    /** Who gets the number. */
    userId: owner,
    carrierAccountId: () =>
      p.manyToOne(CarrierAccount).mapToPk().joinColumn('carrier_account_id').deleteRule('cascade'),
    /** E.164. */
    phoneNumber: p.text(),
    /** `open`: the carrier has been asked, or is about to be; its answer is not known. */
    state: p.enum(['open', 'bought', 'failed']),
    /** Why it failed, as a sentence. */
    reason: p.text().strictNullable(),
    /** As the carrier offered it. */
    monthlyPrice: p.decimal('number').columnType('numeric(12,6)').strictNullable(),
    /** ISO 4217. */
    currency: p.text().strictNullable(),
    createdAt: instant(),
    updatedAt: instant(),
  },
});

/** A row of {@link CarrierAccount}. */
export type CarrierAccountRow = InferEntity<typeof CarrierAccount>;
/** A row of {@link NumberPurchase}. */
export type NumberPurchaseRow = InferEntity<typeof NumberPurchase>;
