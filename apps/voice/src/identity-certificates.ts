/** Reads the certificates that verify the identity of callers (RFC 8226), from one PEM file with any number of them. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

const PEM = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** @throws Error when the file cannot be read, or contains no certificate */
export function readIdentityCertificates(file: string | undefined): X509Certificate[] {
  if (file === undefined) return [];
  const certificates = (readFileSync(file, 'utf8').match(PEM) ?? []).map((pem) => new X509Certificate(pem));
  if (certificates.length === 0) throw new Error(`STIR_CERT_FILE contains no certificate: ${file}`);
  return certificates;
}
