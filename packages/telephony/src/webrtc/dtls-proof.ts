/**
 * Whether the browser of a handshake is the one whose offer we answered. werift (0.25) reads the messages with which a client
 * proves that it has the key of its certificate, and that both sides saw the same handshake, but checks neither; without
 * these checks anyone between browser and server could present a copy of the certificate.
 */
import { createHash, createHmac, timingSafeEqual, verify, X509Certificate } from 'node:crypto';
import type { DtlsServer } from 'werift';
import type { SessionOffer } from './session-offer.rules.ts';

/** The handshake messages of RFC 5246 section 7.4 that are looked at. */
const CLIENT_KEY_EXCHANGE = 16;
const CERTIFICATE_VERIFY = 15;
const FINISHED = 20;
/** Section 7.4.1.4.1: hash functions and signatures; SHA-1 and MD5 are not accepted. */
const HASHES: Readonly<Record<number, string>> = { 4: 'sha256', 5: 'sha384', 6: 'sha512' };
const KEY_TYPES: Readonly<Record<number, string>> = { 1: 'rsa', 3: 'ec' };
/** Section 7.4.9. */
const VERIFY_DATA_BYTES = 12;
/** Our flights 4 and 6 and the browser's flight 5 in the order of the handshake (RFC 6347 section 4.2.4). */
interface Transcript {
  /** All messages before the given kind of message of the browser. */
  before(type: number): Buffer;
  /** The body of that message. */
  body(type: number): Buffer;
}

/**
 * @returns the part of the proof that is missing; null: the handshake is with the browser of the offer
 */
export function findMissingProof(
  server: DtlsServer,
  fingerprints: SessionOffer['fingerprints'],
): 'certificate' | 'extended-master-secret' | 'signature' | 'key-exchange' | 'finished' | null {
  const certificate = server.cipher.remoteCertificate;
  if (!certificate || !fingerprints.some(({ hash, value }) => fingerprintOf(certificate, hash) === value))
    return 'certificate';
  // RFC 7627 binds the keys to the whole handshake; all browsers have it.
  if (!server.dtls.remoteExtendedMasterSecret) return 'extended-master-secret';
  const transcript = transcriptOf(server);
  if (!isSigned(certificate, transcript)) return 'signature';
  // Several key exchanges: only the one that was signed counts.
  const exchanged = transcript.body(CLIENT_KEY_EXCHANGE).subarray(1);
  if (!server.cipher.remoteKeyPair?.publicKey?.equals(exchanged)) return 'key-exchange';
  return isFinished(server.cipher.masterSecret, transcript) ? null : 'finished';
}

function fingerprintOf(certificate: Buffer, hash: string): string {
  const digest = createHash(hash).update(certificate).digest('hex').toUpperCase();
  return (digest.match(/../g) ?? []).join(':');
}

/** The library keeps each kind of message of a flight once, the first that arrived. */
function transcriptOf(server: DtlsServer): Transcript {
  const messages = server.dtls.sortedHandshakeCache;
  const at = (type: number): number => messages.findLastIndex((message) => message.msg_type === type);
  // Both sides send a Finished; the browser's is the first of them.
  const find = (type: number): number =>
    type === FINISHED ? messages.findIndex((message) => message.msg_type === FINISHED) : at(type);
  return {
    before: (type) => Buffer.concat(messages.slice(0, find(type)).map((message) => message.serialize())),
    body: (type) => messages[find(type)]?.fragment ?? Buffer.alloc(0),
  };
}

/** Section 7.4.8: the signature covers all handshake messages before it. */
function isSigned(certificate: Buffer, transcript: Transcript): boolean {
  const body = transcript.body(CERTIFICATE_VERIFY);
  const [hash, keyType] = [HASHES[body[0] ?? 0], KEY_TYPES[body[1] ?? 0]];
  if (hash === undefined || keyType === undefined || body.length < 4) return false;
  const signature = body.subarray(4, 4 + body.readUInt16BE(2));
  const key = new X509Certificate(certificate).publicKey;
  if (key.asymmetricKeyType !== keyType) return false;
  return verify(hash, transcript.before(CERTIFICATE_VERIFY), key, signature);
}

/** Section 7.4.9: PRF(master secret, "client finished", SHA-256 of the handshake messages). */
function isFinished(masterSecret: Buffer | undefined, transcript: Transcript): boolean {
  if (!masterSecret) return false;
  const seed = Buffer.concat([
    Buffer.from('client finished'),
    createHash('sha256').update(transcript.before(FINISHED)).digest(),
  ]);
  const hmac = (...parts: Buffer[]): Buffer =>
    createHmac('sha256', masterSecret).update(Buffer.concat(parts)).digest();
  // Section 5: P_SHA256; its first block is longer than what is needed.
  const expected = hmac(hmac(seed), seed).subarray(0, VERIFY_DATA_BYTES);
  const received = transcript.body(FINISHED);
  return received.length === VERIFY_DATA_BYTES && timingSafeEqual(received, expected);
}
