/** Reads the certificates that verify the identity of callers (RFC 8226), from one PEM file with any number of them. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';

/** @throws Error when the file cannot be read, or contains no certificate */
export function readIdentityCertificates(file: string | undefined): X509Certificate[] {
  if (file === undefined) return [];
  const certificates = readFileSync(file, 'utf8')
    .split(BEGIN)
    .slice(1)
    .map((rest) => new X509Certificate(`${BEGIN}${rest.split(END, 1)[0] ?? ''}${END}`));
  if (certificates.length === 0) throw new Error(`STIR_CERT_FILE contains no certificate: ${file}`);
  return certificates;
}
