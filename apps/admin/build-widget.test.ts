import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildWidget, MOST_WIDGET_BYTES, widgetBytes } from './build-widget.ts';

it('the widget is two files of at most 20 kB compressed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-widget-build-'));
  try {
    await buildWidget(folder);
    expect((await readdir(folder)).toSorted()).toEqual(['sound.js', 'widget.js']);
    expect(widgetBytes(folder)).toBeLessThanOrEqual(MOST_WIDGET_BYTES);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
