/**
 * The transforms of SRTP with the keys of one direction: AES-128 in counter mode (RFC 3711 section 4.1.1) and HMAC-SHA1
 * (section 4.2.1). Both keep their state between packets, which costs a fifth of new objects for each packet: one cipher in
 * ECB mode turns counter blocks into key stream, and the hash states after the two padded keys of HMAC (RFC 2104) are copied.
 */
import { createCipheriv, createHash, type Cipheriv, type Hash } from 'node:crypto';
import type { SessionKeys } from './session-keys.ts';

/** The longest payload, bytes: more than fits into one Ethernet frame. */
export const LONGEST_PAYLOAD_BYTES = 2048;

const BLOCK_BYTES = 16;
const HASH_BLOCK_BYTES = 64;

/** The cipher of one direction; not for two calls at the same time. */
export class PacketCipher {
  readonly #cipher: Cipheriv;
  readonly #salt: Uint8Array;
  readonly #counters = new Uint8Array(LONGEST_PAYLOAD_BYTES);
  readonly #counterView = new DataView(this.#counters.buffer);
  readonly #inner: Hash;
  readonly #outer: Hash;
  readonly #suffix = new Uint8Array(4);

  constructor({ encryption, authentication, salt }: SessionKeys) {
    this.#cipher = createCipheriv('aes-128-ecb', encryption, null).setAutoPadding(false);
    this.#salt = salt;
    this.#inner = createHash('sha1').update(padded(authentication, 0x36));
    this.#outer = createHash('sha1').update(padded(authentication, 0x5c));
  }

  /**
   * Encrypts or decrypts in place: XOR with the key stream of one packet.
   *
   * @param index - of the packet, below 2^48
   */
  apply(payload: Uint8Array, ssrc: number, index: number): void {
    const blocks = Math.ceil(payload.length / BLOCK_BYTES);
    this.#writeCounters(blocks, ssrc, index);
    const stream = this.#cipher.update(this.#counters.subarray(0, blocks * BLOCK_BYTES));
    for (let at = 0; at < payload.length; at++) payload[at] = (payload[at] ?? 0) ^ (stream[at] ?? 0);
  }

  /** HMAC-SHA1 of the bytes and of a 32-bit number after them, 20 bytes. */
  authenticate(bytes: Uint8Array, suffix: number): Buffer {
    new DataView(this.#suffix.buffer).setUint32(0, suffix);
    const inner = this.#inner.copy().update(bytes).update(this.#suffix).digest();
    return this.#outer.copy().update(inner).digest();
  }

  /** IV = (salt * 2^16) XOR (SSRC * 2^64) XOR (index * 2^16); block j has the counter IV + j. */
  #writeCounters(blocks: number, ssrc: number, index: number): void {
    for (let block = 0; block < blocks; block++) {
      const at = block * BLOCK_BYTES;
      this.#counters.set(this.#salt, at);
      this.#xor(at + 4, ssrc);
      this.#xor(at + 8, Math.floor(index / 0x1_00_00));
      this.#counterView.setUint16(at + 12, this.#counterView.getUint16(at + 12) ^ (index & 0xff_ff));
      this.#counterView.setUint16(at + 14, block);
    }
  }

  #xor(at: number, value: number): void {
    this.#counterView.setUint32(at, (this.#counterView.getUint32(at) ^ value) >>> 0);
  }
}

function padded(key: Uint8Array, pad: number): Uint8Array {
  const block = new Uint8Array(HASH_BLOCK_BYTES).fill(pad);
  for (const [at, byte] of key.entries()) block[at] = byte ^ pad;
  return block;
}
