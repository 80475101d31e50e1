/** The certificate with which a process answers browsers. It authenticates by its fingerprint in the answer, not by a name. */
import { X509Certificate } from 'node:crypto';
import { CipherContext, HashAlgorithm, NamedCurveAlgorithm, SignatureAlgorithm } from 'werift';

/** A key and its certificate (PEM), for the life of a thread. */
export interface DtlsIdentity {
  certPem: string;
  keyPem: string;
  /** SHA-256, upper-case hexadecimal pairs. */
  fingerprint: string;
}

/** ECDSA over P-256 with SHA-256, which all browsers have (RFC 8827 section 6.5). */
export const SIGNATURE = { signature: SignatureAlgorithm.ecdsa_3, hash: HashAlgorithm.sha256_4 } as const;

/** Makes a new key; about 30 ms. */
export async function createDtlsIdentity(): Promise<DtlsIdentity> {
  const { certPem, keyPem } = await CipherContext.createSelfSignedCertificateWithKey(
    SIGNATURE,
    NamedCurveAlgorithm.secp256r1_23,
  );
  return { certPem, keyPem, fingerprint: new X509Certificate(certPem).fingerprint256 };
}
