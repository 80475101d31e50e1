/** Reads server-sent events in tests, as a client does: HTML Living Standard, section 9.2.6. */

/** One event. */
interface ReadEvent {
  /** Null where the event has none of its own. */
  id: number | null;
  event: string;
  data: Record<string, unknown>;
}

export interface EventReader {
  status: number;
  headers: Headers;
  /** The next block: an event, a comment or a field without an event. Null at the end. */
  nextBlock(): Promise<string | null>;
  /** The next event. Null at the end. */
  next(): Promise<ReadEvent | null>;
  /** Events until one of this name, which is the last of the result, or until the end. */
  until(event: string): Promise<ReadEvent[]>;
  /** All events until the end. */
  rest(): Promise<ReadEvent[]>;
  disconnect(): void;
}

interface ReaderOptions {
  token: string;
  headers?: Record<string, string>;
}

/** Resolves with the head of the answer. */
export async function openEvents(url: string, { token, headers }: ReaderOptions): Promise<EventReader> {
  const gone = new AbortController();
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    signal: gone.signal,
  });
  const blocks = blocksOf(response);
  const nextBlock = async (): Promise<string | null> => {
    const { done, value } = await blocks.next();
    return done ? null : value;
  };
  const next = async (): Promise<ReadEvent | null> => {
    for (;;) {
      const block = await nextBlock();
      if (block === null || block.includes('event: ')) return block === null ? null : eventOf(block);
    }
  };
  const until = async (name: string | null): Promise<ReadEvent[]> => {
    const events: ReadEvent[] = [];
    for (;;) {
      const event = await next();
      if (event === null) return events;
      events.push(event);
      if (event.event === name) return events;
    }
  };
  return {
    status: response.status,
    headers: response.headers,
    nextBlock,
    next,
    until,
    rest: () => until(null),
    disconnect: () => gone.abort(),
  };
}

async function* blocksOf(response: Response): AsyncGenerator<string, void> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes as Uint8Array, { stream: true });
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    yield* parts;
  }
  if (text !== '') throw new Error(`The stream ended within an event: ${text}`);
}

function eventOf(block: string): ReadEvent {
  const fields = block.split('\n').map((line) => /^(\w+): (.*)$/.exec(line)?.slice(1) ?? [line, '']);
  const { id, event = '', data = '', ...others } = Object.fromEntries(fields) as Record<string, string>;
  if (Object.keys(others).length > 0) throw new Error(`The event has other fields: ${block}`);
  return { id: id === undefined ? null : Number(id), event, data: JSON.parse(data) as ReadEvent['data'] };
}
