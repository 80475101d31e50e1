/** Iterates over paginated lists. */

interface Page {
  data: unknown[];
  current_page: number;
  next_page_url: string | null;
}

/** The pagination envelope among the responses of a list: some lists are bare arrays unless a page is requested. */
type PageOf<Body> = Extract<Body, Page>;

interface CursorPage {
  data: unknown[];
  next_cursor: string | null;
}

type RecordAfter<Body> = Extract<Body, CursorPage>['data'][number];

type RecordOf<Body> = PageOf<Body>['data'][number];

/** An endpoint with pages; the type of its query is inferred. */
type List<Query, Body> = (
  input?: { query?: Query | undefined },
  options?: { signal?: AbortSignal | undefined },
) => Promise<{ body: Body }>;

/**
 * Every page from the first, or from `query.page`, to the last.
 *
 * @param list - such as `parley.calls.list`
 * @param query - its filters and `per_page`
 */
export async function* eachPage<Query extends object, Body>(
  list: List<Query, Body>,
  query?: NoInfer<Query>,
  options: { signal?: AbortSignal } = {},
): AsyncGenerator<PageOf<Body>, void, undefined> {
  let number = Number((query as { page?: unknown } | undefined)?.page ?? 1);
  for (;;) {
    const { body } = await list({ query: { ...query, page: number } as unknown as Query }, options);
    const page = body as PageOf<Body>;
    yield page;
    if (page.next_page_url === null) return;
    number = page.current_page + 1;
  }
}

/**
 * Every record of a list, each once: a record that moves to the next page because newer ones were added is not yielded
 * again.
 */
export async function* eachRecord<Query extends object, Body>(
  list: List<Query, Body>,
  query?: NoInfer<Query>,
  options: { signal?: AbortSignal } = {},
): AsyncGenerator<RecordOf<Body>, void, undefined> {
  const seen = new Set<unknown>();
  for await (const page of eachPage(list, query, options))
    for (const record of page.data) {
      const key = keyOf(record);
      if (seen.has(key)) continue;
      seen.add(key);
      yield record as RecordOf<Body>;
    }
}

/**
 * Every record of a list that takes a `cursor`, such as `parley.calls.list`. Records that are added while the loop runs move
 * no others, and the last records cost no more than the first.
 *
 * @param query - its filters and `per_page`; with `cursor`, the records after it
 */
export async function* eachRecordByCursor<Query extends { cursor?: string | undefined }, Body>(
  list: List<Query, Body>,
  query?: NoInfer<Query>,
  options: { signal?: AbortSignal } = {},
): AsyncGenerator<RecordAfter<Body>, void, undefined> {
  let cursor: string | null = query?.cursor ?? '';
  while (cursor !== null) {
    const { body } = await list({ query: { ...query, cursor } as unknown as Query }, options);
    const page = body as CursorPage;
    yield* page.data as RecordAfter<Body>[];
    cursor = page.next_cursor;
  }
}

/** The identity of a record: its id, or all of its content if it has none. */
function keyOf(record: unknown): unknown {
  const { id } = Object(record) as { id?: unknown };
  return id ?? JSON.stringify(record);
}
