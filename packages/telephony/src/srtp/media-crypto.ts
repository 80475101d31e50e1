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
   */
  use(encryption: MediaEncryption | undefined): void {
    const before = this.#encryption;
    this.#encryption = encryption;
    if (!encryption) {
      this.#sender = null;
      this.#receiver = null;
      return;
    }
    const { suite, localKey, remoteKey } = encryption;
    const isSameSuite = before?.suite === suite;
    if (!isSameSuite || before.localKey !== localKey) this.#sender = new SrtpSender(suite, bytesOf(localKey));
    if (!isSameSuite || before.remoteKey !== remoteKey)
      this.#receiver = new SrtpReceiver(suite, bytesOf(remoteKey));
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
