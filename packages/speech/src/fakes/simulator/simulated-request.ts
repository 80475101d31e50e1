/** What came to a simulated provider, kept for the test to look at. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { readWav, type WavSound } from '@parley/audio';

/** One request, or one socket from its upgrade to its end. */
export interface SimulatedRequest {
  /** Without the query. */
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  authorization: string | undefined;
  /** The JSON body, or the text fields of the form. */
  body: Record<string, unknown>;
  /** The file of a transcription request. */
  sound: WavSound | null;
  /** What a socket has brought so far: messages as they are, sound as its number of bytes. */
  messages: Record<string, unknown>[];
  soundBytes: number;
  /** Whether the client took the whole reply or went away before its end. On sockets: whether it said goodbye. */
  outcome: Promise<'finished' | 'aborted'>;
}

/** Everything but the outcome, with an empty body. */
export function describeRequest(request: IncomingMessage): Omit<SimulatedRequest, 'outcome'> {
  const { pathname, searchParams } = new URL(`http://simulator${request.url ?? '/'}`);
  return {
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: request.headers,
    authorization: request.headers.authorization,
    body: {},
    sound: null,
    messages: [],
    soundBytes: 0,
  };
}

/** Reads the body to its end. */
export async function readRequest(request: IncomingMessage): Promise<Omit<SimulatedRequest, 'outcome'>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const contentType = request.headers['content-type'] ?? '';
  const content = Buffer.concat(chunks);
  const common = describeRequest(request);
  if (!contentType.startsWith('multipart/'))
    return { ...common, body: JSON.parse(content.toString() || '{}') as Record<string, unknown> };
  const form = await new Response(content, { headers: { 'content-type': contentType } }).formData();
  const file = form.get('file');
  const sound = file instanceof File ? readWav(new Uint8Array(await file.arrayBuffer())) : null;
  return { ...common, body: Object.fromEntries(form), sound };
}
