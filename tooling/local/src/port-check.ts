/** Checks whether the ports are free, so that the message can name the port and its variable. */
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { once } from 'node:events';

export interface WantedPort {
  /** The variable that sets it. */
  variable: string;
  host: string;
  port: number;
  protocols: readonly ('tcp' | 'udp')[];
}

/** A sentence for each unavailable port. Port 0 is always free. */
export async function findPortFaults(wanted: readonly WantedPort[]): Promise<string[]> {
  const faults: string[] = [];
  for (const entry of wanted) {
    for (const protocol of entry.protocols) {
      const code = protocol === 'tcp' ? await tryTcp(entry) : await tryUdp(entry);
      if (code !== null) faults.push(describe(entry, protocol, code));
    }
  }
  return faults;
}

function describe({ variable, host, port }: WantedPort, protocol: string, code: string): string {
  const place = `${protocol.toUpperCase()} port ${port} (${variable})`;
  switch (code) {
    case 'EADDRINUSE':
      return `${place} is used by another program. Stop it, or set ${variable} to another port.`;
    case 'EACCES':
      return `${place} may not be used by this account. Set ${variable} to a port above 1023.`;
    case 'EADDRNOTAVAIL':
      return `${place}: this machine does not have the address ${host}. Set ${variable} to one that it has.`;
    default:
      return `${place} cannot be used (${code}).`;
  }
}

async function tryTcp({ host, port }: WantedPort): Promise<string | null> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    return codeOf(error);
  }
  server.close();
  await once(server, 'close');
  return null;
}

async function tryUdp({ host, port }: WantedPort): Promise<string | null> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  try {
    socket.bind(port, host);
    await once(socket, 'listening');
    return null;
  } catch (error) {
    return codeOf(error);
  } finally {
    socket.close();
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
