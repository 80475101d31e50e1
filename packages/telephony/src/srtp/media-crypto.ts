/** The encryption of one call in both directions, and what of it stays when offer and answer are repeated. */
import type { MediaEncryption } from '@parley/sip';
import { SrtpReceiver } from './srtp-receiver.ts';
import { SrtpSender } from './srtp-sender.ts';

/** Plain until the first {@link use}. */
export class MediaCrypto {
  #encryption: MediaEncryption | undefined;
  #sender: SrtpSender | null = null;
  #receiver: SrtpReceiver | null = null;

  /**
   * Takes the agreed keys. A direction whose key is the same continues: with its counters starting over, the key stream would
   * be used twice, and old packets could be replayed.
   *
   * @returns whether a new key of ours replaces another one: the stream then needs another SSRC. Some far ends begin to count the rounds
   *   of our sequence numbers again with a new key, others do not (RFC 3711 section 3.3.1 and RFC 4568 section 7.1.4), and only a
   *   new source begins with the first round for all of them.
   */
  use(encryption: MediaEncryption | undefined): boolean {
    const before = this.#encryption;
    this.#encryption = encryption;
    if (!encryption) {
      this.#sender = null;
      this.#receiver = null;
      return false;
    }
    const { suite, localKey, remoteKey } = encryption;
    const isSameSuite = before?.suite === suite;
    const isReplaced = this.#sender !== null && (!isSameSuite || before.localKey !== localKey);
    if (isReplaced || !this.#sender) this.#sender = new SrtpSender(suite, bytesOf(localKey));
    if (!isSameSuite || before.remoteKey !== remoteKey)
      this.#receiver = new SrtpReceiver(suite, bytesOf(remoteKey), this.#receiver);
    return isReplaced;
  }

  protect(kind: 'rtp' | 'rtcp', packet: Uint8Array): Uint8Array {
    if (!this.#sender) return packet;
    return kind === 'rtp' ? this.#sender.protectRtp(packet) : this.#sender.protectRtcp(packet);
  }

  /** Null: not authentic. */
  open(kind: 'rtp' | 'rtcp', datagram: Uint8Array): Uint8Array | null {
    if (!this.#receiver) return datagram;
    return kind === 'rtp' ? this.#receiver.openRtp(datagram) : this.#receiver.openRtcp(datagram);
  }
}

function bytesOf(key: string): Uint8Array {
  return new Uint8Array(Buffer.from(key, 'base64'));
}
