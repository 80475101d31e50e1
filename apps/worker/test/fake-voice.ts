/** A fake voice process that answers the private contract with the status that a test sets. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that was received. */
export interface Asked {
  method: string;
  path: string;
  authorization: string;
  body: unknown;
}

export interface FakeVoice {
  url: string;
  asked: Asked[];
  /** The status of the following answers. */
  status: number;
  /** Answers written messages; absent: like any other request. */
  reply?: (body: unknown) => Promise<object>;
  close: () => Promise<void>;
}

/** Listens on loopback; answers 202 unless a test sets another status. */
export async function startFakeVoice(): Promise<FakeVoice> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const body = await text(request);
      const { method = '', url: path = '', headers } = request;
      asked.push({
        method,
        path,
        authorization: headers.authorization ?? '',
        body: body ? JSON.parse(body) : null,
      });
      const parsed: unknown = body ? JSON.parse(body) : null;
      if (path === '/internal/replies' && voice.reply) {
        const answered = await voice.reply(parsed);
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answered));
        return;
      }
      response.writeHead(voice.status).end('{}');
    };
    void answer();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const voice: FakeVoice = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    status: 202,
    async close() {
      server.closeAllConnections();
      if (server.listening) await once(server.close(), 'close');
    },
  };
  return voice;
}
