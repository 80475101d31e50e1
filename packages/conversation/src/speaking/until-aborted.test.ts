import { describe, expect, it } from 'vitest';
import { untilAborted } from './until-aborted.ts';

/** Gives 1 and 2, then hangs or fails; remembers whether it was left. */
function setup(ending: 'hangs' | 'fails' | 'ends') {
  const leaving = new AbortController();
  let wasLeft = false;
  async function* source(): AsyncGenerator<number> {
    try {
      yield 1;
      yield 2;
      if (ending === 'hangs') await new Promise<never>(() => undefined);
      if (ending === 'fails') throw new Error('gone');
    } finally {
      wasLeft = true;
    }
  }
  return { leaving, items: untilAborted(source(), leaving.signal), wasLeft: () => wasLeft };
}

async function collect(items: AsyncIterable<number>): Promise<number[]> {
  const all: number[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('untilAborted', () => {
  it('gives everything of a source that ends', async () => {
    const { items } = setup('ends');
    expect(await collect(items)).toEqual([1, 2]);
  });

  it('ends at once when aborted, although the source hangs', async () => {
    const { items, leaving } = setup('hangs');
    expect(await items.next()).toMatchObject({ value: 1 });
    expect(await items.next()).toMatchObject({ value: 2 });
    const hanging = items.next();
    leaving.abort();
    expect(await hanging).toMatchObject({ done: true });
  });

  it('lets a source that waits between items clean up', async () => {
    const { items, leaving, wasLeft } = setup('hangs');
    await items.next();
    leaving.abort();
    expect(await items.next()).toMatchObject({ done: true });
    expect(wasLeft()).toBe(true);
  });

  it('asks nothing of the source when aborted before', async () => {
    const { items, leaving } = setup('ends');
    leaving.abort();
    expect(await collect(items)).toEqual([]);
  });

  it('passes on the failure of the source', async () => {
    const { items } = setup('fails');
    await expect(collect(items)).rejects.toThrow('gone');
  });
});
