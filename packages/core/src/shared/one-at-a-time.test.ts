import { describe, expect, it } from 'vitest';
import { OneAtATime } from './one-at-a-time.ts';

function setup() {
  const turns = new OneAtATime<string>();
  const begun: PromiseWithResolvers<void>[] = [];
  const work = async (): Promise<void> => {
    const run = Promise.withResolvers<void>();
    begun.push(run);
    await run.promise;
  };
  return { turns, begun, ask: (key = 'one') => turns.run(key, work) };
}

describe('work that is done one at a time', () => {
  it('starts at once when no run is in progress', () => {
    const { begun, ask } = setup();
    void ask();
    expect(begun).toHaveLength(1);
  });

  it('is done once more, and only once, for all who ask while it runs', async () => {
    const { begun, ask } = setup();
    const first = ask();
    const others = [ask(), ask(), ask()];
    expect(begun).toHaveLength(1);
    begun[0]?.resolve();
    await first;
    await Promise.resolve();
    expect(begun).toHaveLength(2);
    begun[1]?.resolve();
    await Promise.all(others);
    expect(begun).toHaveLength(2);
  });

  it('who asks during the last run waits for another one', async () => {
    const { begun, ask } = setup();
    const first = ask();
    const second = ask();
    begun[0]?.resolve();
    await first;
    await Promise.resolve();
    const third = ask();
    begun[1]?.resolve();
    await second;
    await Promise.resolve();
    expect(begun).toHaveLength(3);
    begun[2]?.resolve();
    await third;
  });

  it('does not wait for the work of another key', () => {
    const { begun, ask } = setup();
    void ask('one');
    void ask('other');
    expect(begun).toHaveLength(2);
  });

  it('begins at once again when everything is done', async () => {
    const { begun, ask } = setup();
    const first = ask();
    begun[0]?.resolve();
    await first;
    void ask();
    expect(begun).toHaveLength(2);
  });
});
