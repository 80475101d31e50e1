/**
 * One Contact at one registrar (RFC 3261 section 10.2), and what its requests have in common: the Call-ID and the From tag
 * stay the same, the CSeq number grows with each request, and the answers to known challenges are sent from the start.
 */
import { ALLOW } from '../dialog/agent-core.ts';
import { Authenticator } from '../dialog/authentication.ts';
import { buildRequest } from '../message/build-request.ts';
import type { Credentials } from '../message/digest.ts';
import type { Envelope } from '../message/envelope.ts';
import type { SipRequest } from '../message/message.ts';
import { nameAddr } from '../message/name-addr.ts';
import { randomToken, type RandomSource } from '../message/random.ts';
import { parseSipUri } from '../message/uri.ts';

/** The addresses and the account of a binding. */
export interface BindingOptions {
  /** The Request-URI: the registrar's domain, without a user. */
  registrarUri: string;
  /** From and To: what others call, for example `sip:alice@example.com`. */
  addressOfRecord: string;
  /** Where we receive calls for the address of record. */
  contactUri: string;
  credentials: Credentials;
}

const CALL_ID_BYTES = 16;

/** Keeps its state between requests; one at a time may be under way (section 10.2). */
export class Binding {
  readonly contactUri: string;
  readonly #options: BindingOptions;
  readonly #random: RandomSource;
  readonly #callId: string;
  readonly #tag: string;
  #authenticator: Authenticator;
  #sequence = 0;

  /** @throws SipParseError when one of the URIs is malformed */
  constructor(options: BindingOptions, random: RandomSource) {
    for (const uri of [options.registrarUri, options.addressOfRecord, options.contactUri]) parseSipUri(uri);
    this.contactUri = options.contactUri;
    this.#options = options;
    this.#random = random;
    this.#callId = randomToken(random, CALL_ID_BYTES);
    this.#tag = randomToken(random);
    this.#authenticator = new Authenticator(options.credentials, random);
  }

  get authenticator(): Authenticator {
    return this.#authenticator;
  }

  /** After a failure: the next request begins without answers, as a registrar that has restarted expects. */
  forgetChallenges(): void {
    this.#authenticator = new Authenticator(this.#options.credentials, this.#random);
  }

  /** The next REGISTER. With 0 seconds it removes the binding (section 10.2.2). */
  nextRequest(expiresSeconds: number, userAgent: string): SipRequest {
    const { registrarUri, addressOfRecord } = this.#options;
    return buildRequest({
      method: 'REGISTER',
      uri: registrarUri,
      callId: this.#callId,
      sequence: (this.#sequence += 1),
      from: nameAddr(addressOfRecord, { tag: this.#tag }),
      to: nameAddr(addressOfRecord),
      headers: [
        ...this.#authenticator.headersFor('REGISTER', registrarUri),
        { name: 'Contact', value: `<${this.contactUri}>` },
        { name: 'Expires', value: String(expiresSeconds) },
        ALLOW,
        { name: 'User-Agent', value: userAgent },
      ],
    });
  }

  /** Whether a response belongs to the latest request; the transaction layer has compared only branch and method. */
  isAnsweredBy({ callId, fromTag, sequence }: Envelope): boolean {
    return callId === this.#callId && fromTag === this.#tag && sequence.number === this.#sequence;
  }
}
