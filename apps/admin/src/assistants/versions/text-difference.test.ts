import { describe, expect, it } from 'vitest';
import { isLong, textDifference } from './text-difference.ts';

const line = (kind: 'same' | 'added' | 'removed', text: string) => ({ kind, line: text });

describe('the difference of texts', () => {
  it('has the lines that come and go, between the lines that stay', () => {
    expect(textDifference('Greet.\nAsk.\nEnd.', 'Greet.\nListen.\nAsk.')).toEqual([
      line('same', 'Greet.'),
      line('added', 'Listen.'),
      line('same', 'Ask.'),
      line('removed', 'End.'),
    ]);
  });

  it('leaves out equal lines that are far from a change', () => {
    const lines = Array.from({ length: 9 }, (_, place) => `Line ${place}`);
    const changed = lines.with(4, 'Another line');
    expect(textDifference(lines.join('\n'), changed.join('\n'))).toEqual([
      { kind: 'skipped', count: 2 },
      line('same', 'Line 2'),
      line('same', 'Line 3'),
      line('removed', 'Line 4'),
      line('added', 'Another line'),
      line('same', 'Line 5'),
      line('same', 'Line 6'),
      { kind: 'skipped', count: 2 },
    ]);
  });

  it('is empty of changes for equal texts, and tells long texts from short ones', () => {
    expect(textDifference('One.', 'One.')).toEqual([line('same', 'One.')]);
    expect([isLong('a', 'b'), isLong('a\nb'), isLong('a', 'b'.repeat(61))]).toEqual([false, true, true]);
  });
});
