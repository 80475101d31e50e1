/** Certificates of a test, made with the program openssl. */
import { execFile } from 'node:child_process';
import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const NAME = /^[a-z]+$/;

/** A self-signed certificate and its key. */
export interface TestCertificate {
  certFile: string;
  keyFile: string;
  /** Both in one file. */
  bothFile: string;
}

/**
 * Makes a certificate for a day.
 *
 * @param name - of its files in the folder
 * @param host - an IPv4 address or a name that it is for
 */
export async function makeCertificate(folder: string, name: string, host: string): Promise<TestCertificate> {
  if (!NAME.test(name)) throw new Error('The name of a certificate has small letters only');
  const [certFile, keyFile, bothFile] = ['cert', 'key', 'both'].map((part) =>
    path.join(folder, `${name}-${part}.pem`),
  ) as [string, string, string];
  const kind = /^[0-9.]+$/.test(host) ? 'IP' : 'DNS';
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const files = [
    '-days',
    '1',
    '-subj',
    `/CN=${host}`,
    '-addext',
    `subjectAltName=${kind}:${host}`,
    '-keyout',
    keyFile,
    '-out',
    certFile,
  ];
  await run('openssl', [...request, ...files]);
  for (const file of [certFile, keyFile]) await appendFile(bothFile, await readFile(file));
  return { certFile, keyFile, bothFile };
}
