import { describe, expect, test } from 'vitest';
import { readableLine, type ScreenOptions } from './log-lines.ts';

const PLAIN: ScreenOptions = { level: 'warn', hasColours: false };

function line(fields: Record<string, unknown>): string {
  return JSON.stringify({
    level: 'warn',
    time: '2026-01-02T03:04:05.678Z',
    name: 'voice',
    msg: 'Something',
    ...fields,
  });
}

describe('a line for the screen', () => {
  test('is short: time, process, level, sentence, fields', () => {
    expect(readableLine('voice', line({ callId: 7, why: 'full' }), PLAIN)).toBe(
      '03:04:05 voice    warn  Something callId=7 why=full',
    );
  });

  test('is omitted below the level', () => {
    expect(readableLine('voice', line({ level: 'info' }), PLAIN)).toBeNull();
    expect(readableLine('voice', line({ level: 'info' }), { ...PLAIN, level: 'info' })).not.toBeNull();
  });

  test('names an error without its stack', () => {
    const entry = line({
      level: 'error',
      err: { type: 'Error', message: 'no route', stack: 'Error: no route\n at x' },
    });
    expect(readableLine('voice', entry, PLAIN)).toBe('03:04:05 voice    error Something error=no route');
  });

  test('shortens long values', () => {
    const readable = readableLine('voice', line({ text: 'x'.repeat(500) }), PLAIN) ?? '';
    expect(readable.length).toBeLessThan(200);
  });

  test('shows other text unchanged', () => {
    expect(readableLine('api', 'ReferenceError: x is not defined', PLAIN)).toBe(
      'api      ReferenceError: x is not defined',
    );
    expect(readableLine('api', '{"half a', PLAIN)).toBe('api      {"half a');
    expect(readableLine('api', '  ', PLAIN)).toBeNull();
  });

  test('has colours only if they are enabled', () => {
    expect(readableLine('voice', line({}), PLAIN)).not.toContain('\u001B');
    expect(readableLine('voice', line({}), { ...PLAIN, hasColours: true })).toContain('\u001B[33mwarn');
  });
});
