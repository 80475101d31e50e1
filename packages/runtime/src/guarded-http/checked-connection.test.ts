import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { BlockList, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { Agent, request } from 'undici';
import { createCheckedConnector } from './checked-connection.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const mustRun = process.env['CI'] === 'true';
if (!hasOpenssl && !mustRun) process.stderr.write('Skipped: openssl is needed to make a certificate.\n');

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

/** A key and a certificate for localhost that are self-signed. */
function makeCertificate(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'parley-certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const options = [
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
  ];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const made = spawnSync('openssl', ['req', ...options, ...names, '-keyout', key, '-out', cert], {
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(`openssl failed: ${made.stderr}`);
  const result = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  rmSync(folder, { recursive: true });
  return result;
}

async function setup(
  blocked: string[],
): Promise<{ url: string; agent: Agent; cert: string; protocols: unknown[] }> {
  const { key, cert } = makeCertificate();
  const options = { key, cert, ALPNProtocols: ['h2', 'http/1.1'] };
  const server: Server = createServer(options, (_, response) => response.end('over TLS'));
  /** What the client and the server agreed on (ALPN, RFC 7301), for each connection. */
  const protocols: unknown[] = [];
  server.on('secureConnection', ({ alpnProtocol }) => protocols.push(alpnProtocol));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const blockList = new BlockList();
  for (const address of blocked) blockList.addAddress(address);
  const agent = new Agent({ connect: createCheckedConnector({ blockList, timeoutMs: 10_000 }) });
  undo.push(
    () => agent.destroy(),
    () => server.close(),
  );
  return { url: `https://localhost:${(server.address() as AddressInfo).port}/`, agent, cert, protocols };
}

function trust(cert: string): void {
  const before = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...before, cert]);
  undo.push(() => tls.setDefaultCACertificates(before));
}

describe.skipIf(!hasOpenssl && !mustRun)('a checked connection over TLS', () => {
  test('works where the address is allowed and the certificate trusted', async () => {
    const { url, agent, cert, protocols } = await setup([]);
    trust(cert);
    const response = await request(url, { dispatcher: agent });
    expect(await response.body.text()).toBe('over TLS');
    expect(protocols).toEqual(['http/1.1']);
  });

  test('still checks the certificate', async () => {
    const { url, agent } = await setup([]);
    await expect(request(url, { dispatcher: agent })).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
  });

  test('is refused if the address is blocked, with any certificate', async () => {
    const { url, agent, cert } = await setup(['127.0.0.1']);
    trust(cert);
    await expect(request(url, { dispatcher: agent })).rejects.toMatchObject({ code: 'ERR_IP_BLOCKED' });
  });
});
