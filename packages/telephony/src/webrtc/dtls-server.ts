/**
 * The DTLS side of one call (RFC 6347, RFC 5764): a handshake that yields the keys of SRTP. Nothing else is sent over DTLS.
 * werift carries out the handshake; {@link findMissingProof} checks what it does not.
 */
import { DtlsServer as Handshake } from 'werift';
import { SIGNATURE, type DtlsIdentity } from './dtls-identity.ts';
import { findMissingProof } from './dtls-proof.ts';
import type { SessionOffer } from './session-offer.rules.ts';

/** AES_CM_128_HMAC_SHA1_80 (RFC 5764 section 4.1.2), which all browsers have. */
const SRTP_PROFILE = 0x00_01;
const MASTER_KEY_BYTES = 16;
const MASTER_SALT_BYTES = 14;
/** A handshake has four datagrams of the browser; the limit leaves room for every retransmission of 30 s. */
const MOST_DATAGRAMS = 64;
const LONGEST_DATAGRAM_BYTES = 1500;
/** RFC 6347 section 4.1: type, version, epoch, sequence number and length of a record. */
const RECORD_HEADER_BYTES = 13;
const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
/** A flight that is higher than any: the library then stops its retransmissions. */
const NO_FLIGHT = 99;

/** Master key and salt of each direction, 30 bytes. */
export interface SrtpKeys {
  local: Uint8Array;
  remote: Uint8Array;
}

/** What a handshake uses of its call. */
export interface DtlsServerOptions {
  identity: DtlsIdentity;
  fingerprints: SessionOffer['fingerprints'];
  send(datagram: Uint8Array): void;
  /** Called once. */
  onKeys(keys: SrtpKeys): void;
  /** Called once, instead of or after {@link onKeys}; the reason is for the log. */
  onFailed(reason: string): void;
}

/** RFC 7983 section 7: the first byte of DTLS is 20 to 63. */
export function isDtls([first = 0]: Uint8Array): boolean {
  return first >= 20 && first <= 63;
}

/** One handshake. No datagram makes it throw. */
export class DtlsServer {
  readonly #options: DtlsServerOptions;
  readonly #transport: { onData: (data: Buffer) => void };
  readonly #handshake: Handshake;
  #state: 'open' | 'done' | 'over' = 'open';
  #datagrams = 0;

  constructor(options: DtlsServerOptions) {
    this.#options = options;
    const transport = {
      type: 'ice',
      address: ['', 0] as const,
      onData: (_data: Buffer): void => undefined,
      send: async (data: Buffer): Promise<void> => {
        if (this.#state !== 'over') options.send(data);
      },
      close: async (): Promise<void> => undefined,
    };
    this.#transport = transport;
    this.#handshake = new Handshake({
      cert: options.identity.certPem,
      key: options.identity.keyPem,
      signatureHash: SIGNATURE,
      transport: transport as never,
      srtpProfiles: [SRTP_PROFILE],
      extendedMasterSecret: true,
      certificateRequest: true,
    });
    this.#handshake.onConnect.subscribe(() => this.#finish());
    this.#handshake.onError.subscribe((error) => this.#fail(error.message));
    this.#handshake.onClose.subscribe(() => this.#state === 'open' && this.#fail('Closed by the browser'));
  }

  receive(datagram: Uint8Array): void {
    this.#datagrams++;
    if (this.#state === 'over' || this.#datagrams > MOST_DATAGRAMS) return;
    if (datagram.length > LONGEST_DATAGRAM_BYTES || datagram.length < RECORD_HEADER_BYTES) return;
    // After the handshake only its last message is still answered, where our answer was lost: RFC 6347 section 4.2.4. A new
    // handshake would change the keys, and an alert may come from anyone.
    if (this.#state === 'done' && (datagram[0] !== HANDSHAKE || isHello(datagram))) return;
    try {
      this.#transport.onData(Buffer.from(datagram));
    } catch {
      // Malformed: dropped, as RFC 6347 section 4.1.2.7 says of invalid records.
    }
  }

  /** Ends retransmissions; nothing is sent or called afterwards. */
  close(): void {
    this.#state = 'over';
    this.#handshake.dtls.flight = NO_FLIGHT;
  }

  #finish(): void {
    if (this.#state !== 'open') return;
    try {
      this.#takeKeys();
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error));
    }
  }

  #takeKeys(): void {
    const missing = findMissingProof(this.#handshake, this.#options.fingerprints);
    if (missing) return this.#fail(`The handshake of the browser is not proved: ${missing}`);
    if (this.#handshake.srtp.srtpProfile !== SRTP_PROFILE) return this.#fail('No profile of SRTP is common');
    const keys = this.#handshake.extractSessionKeys(MASTER_KEY_BYTES, MASTER_SALT_BYTES);
    this.#state = 'done';
    this.#options.onKeys({
      local: new Uint8Array(Buffer.concat([keys.localKey, keys.localSalt])),
      remote: new Uint8Array(Buffer.concat([keys.remoteKey, keys.remoteSalt])),
    });
  }

  #fail(reason: string): void {
    if (this.#state !== 'open') return;
    this.close();
    this.#options.onFailed(reason);
  }
}

/** A record of epoch 0 with a ClientHello. */
function isHello(datagram: Uint8Array): boolean {
  return datagram[3] === 0 && datagram[4] === 0 && datagram[RECORD_HEADER_BYTES] === CLIENT_HELLO;
}
