import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLog } from './log.ts';

/** Logs one line with personal data in two places and returns what was written. */
function lineWith(includePersonalData: boolean): string {
  const written: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk.toString());
      done();
    },
  });
  const log = createLog({ name: 'test', includePersonalData, destination });
  log.info({ callId: 7, pii: { number: '+12025550123' }, nested: { pii: 'said' } }, 'A call was placed');
  return written.join('');
}

describe('the log', () => {
  it('leaves personal data out', () => {
    const line = lineWith(false);
    expect(JSON.parse(line)).toMatchObject({
      level: 'info',
      name: 'test',
      callId: 7,
      msg: 'A call was placed',
    });
    expect(line).not.toMatch(/12025550123|said/);
  });

  it('writes personal data when asked to', () => {
    expect(lineWith(true)).toMatch(/12025550123.*said/);
  });
});
