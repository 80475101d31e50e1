/** Handshakes with werift's client, honest and with what an attacker between browser and server would send. */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { DtlsClient } from 'werift';
import { describe, expect, it } from 'vitest';
import { createDtlsIdentity, SIGNATURE, type DtlsIdentity } from './dtls-identity.ts';
import { DtlsServer, type SrtpKeys } from './dtls-server.ts';

interface Outcome {
  keys: SrtpKeys | null;
  reason: string | null;
}

/** Connects a client to a server that expects `expected`, over a path that can change datagrams of the client. */
async function handshake(given: {
  client: DtlsIdentity;
  expected: DtlsIdentity;
  path?: (datagram: Buffer) => Buffer[];
}): Promise<Outcome & { client: DtlsClient; server: DtlsServer; inject: (datagram: Buffer) => void }> {
  const { client: identity, expected, path = (datagram) => [datagram] } = given;
  const clientSide = {
    type: 'udp',
    address: ['', 0],
    onData: (_data: Buffer): void => undefined,
    send: async (datagram: Buffer): Promise<void> => {
      for (const sent of path(Buffer.from(datagram))) setImmediate(() => server.receive(sent));
    },
    close: async (): Promise<void> => undefined,
  };
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const server = new DtlsServer({
    identity: await createDtlsIdentity(),
    fingerprints: [{ hash: 'sha256', value: expected.fingerprint }],
    send: (datagram) => setImmediate(() => clientSide.onData(Buffer.from(datagram))),
    onKeys: (keys) => resolve({ keys, reason: null }),
    onFailed: (reason) => resolve({ keys: null, reason }),
  });
  const client = new DtlsClient({
    cert: identity.certPem,
    key: identity.keyPem,
    signatureHash: SIGNATURE,
    transport: clientSide as never,
    srtpProfiles: [1],
    extendedMasterSecret: true,
  });
  // A refused client goes on asking, until its retransmissions are ended below.
  client.connect().catch(() => undefined);
  const outcome = await promise;
  client.dtls.flight = 99;
  return { ...outcome, client, server, inject: (datagram) => server.receive(datagram) };
}

describe('the handshake with a browser', () => {
  it('yields the same keys on both sides', async () => {
    const browser = await createDtlsIdentity();
    const { keys, client } = await handshake({ client: browser, expected: browser });
    const theirs = client.extractSessionKeys(16, 14);
    expect(keys?.remote).toEqual(new Uint8Array(Buffer.concat([theirs.localKey, theirs.localSalt])));
    expect(keys?.local).toEqual(new Uint8Array(Buffer.concat([theirs.remoteKey, theirs.remoteSalt])));
  });

  it('refuses another certificate than that of the offer', async () => {
    const [browser, other] = [await createDtlsIdentity(), await createDtlsIdentity()];
    expect(await handshake({ client: other, expected: browser })).toMatchObject({
      keys: null,
      reason: expect.stringContaining('certificate') as string,
    });
  });

  it('refuses a copy of the certificate without its key', async () => {
    const browser = await createDtlsIdentity();
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const keyPem = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }))
      .export({ type: 'pkcs8', format: 'pem' })
      .toString();
    expect(await handshake({ client: { ...browser, keyPem }, expected: browser })).toMatchObject({
      keys: null,
      reason: expect.stringContaining('signature') as string,
    });
  });

  it('survives the loss of its second flight, which browsers send as one datagram, and repetitions', async () => {
    const browser = await createDtlsIdentity();
    let count = 0;
    // Two ClientHello, then five datagrams of werift's client for the one of a browser.
    const path = (datagram: Buffer): Buffer[] => {
      count++;
      return count > 2 && count <= 7 ? [] : [datagram, datagram];
    };
    expect(await handshake({ client: browser, expected: browser, path })).toMatchObject({ reason: null });
  });

  it('ignores malformed datagrams before and after it, and does not begin again', async () => {
    const browser = await createDtlsIdentity();
    const noise = (length: number, fill: number): Buffer => Buffer.alloc(length, fill);
    let first: Buffer | null = null;
    const path = (datagram: Buffer): Buffer[] => {
      first ??= datagram;
      return [noise(5, 22), noise(13, 22), noise(30, 22), datagram];
    };
    const { keys, client, inject } = await handshake({ client: browser, expected: browser, path });
    expect(keys).not.toBeNull();
    if (first) inject(first);
    inject(Buffer.from('15fefd0000000000000001000202 28'.replace(' ', ''), 'hex'));
    for (let n = 0; n < 200; n++) inject(noise(n, 22));
    await expect.poll(() => client.connected).toBe(true);
  });
});
