/** Reads the certificates that verify the identity of callers (RFC 8226), from one PEM file with any number of them. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';

/** Each one takes 0.1 ms of processor time for every inbound call with a signature. */
const MOST_CERTIFICATES = 16;

/** @throws Error when the file cannot be read, or contains no certificate, a broken one or too many */
export function readIdentityCertificates(file: string | undefined): X509Certificate[] {
  if (file === undefined) return [];
  const parts = readFileSync(file, 'utf8').split(BEGIN).slice(1);
  if (parts.length === 0) throw new Error(`STIR_CERT_FILE contains no certificate: ${file}`);
  if (parts.length > MOST_CERTIFICATES)
    throw new Error(`STIR_CERT_FILE contains more than ${MOST_CERTIFICATES} certificates: ${file}`);
  return parts.map((rest, index) => {
    try {
      return new X509Certificate(`${BEGIN}${rest.split(END, 1)[0] ?? ''}${END}`);
    } catch (cause) {
      throw new Error(`Certificate ${index + 1} of STIR_CERT_FILE cannot be read: ${file}`, { cause });
    }
  });
}
