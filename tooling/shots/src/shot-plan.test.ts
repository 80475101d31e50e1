import { ADMIN_PAGES } from '@parley/e2e/admin';
import { describe, expect, it } from 'vitest';
import { planShots, readShotOptions, shotName } from './shot-plan.ts';

const namesFor = (...words: string[]): string[] => planShots(readShotOptions(words)).map(shotName);

describe('the pictures of the admin app', () => {
  it('are of every page, each in a file of its own', () => {
    const names = namesFor();
    expect(new Set(names).size).toBe(names.length);
    for (const { name, states } of ADMIN_PAGES)
      expect(names).toContain(`${name}-${states[0]}-wide-light.png`);
  });

  it('are named by page, state, width and colour scheme', () => {
    expect(namesFor('--page', 'call', '--width', 'narrow')).toEqual([
      'call-data-narrow-light.png',
      'call-data-narrow-dark.png',
      'call-missing-narrow-light.png',
      'call-missing-narrow-dark.png',
    ]);
  });

  it('are selected by several pages, with commas or a repeated option', () => {
    const expected = [
      'consents-data-wide-dark.png',
      'users-data-wide-dark.png',
      'consents-empty-wide-dark.png',
    ];
    const rest = ['--width', 'wide', '--scheme', 'dark'];
    expect(namesFor('--page', 'users,consents', ...rest)).toEqual(expected);
    expect(namesFor('--page', 'users', '--page', 'consents', ...rest)).toEqual(expected);
  });

  it('show the menu on narrow screens only', () => {
    const menus = namesFor('--page', 'overview').filter((name) => name.includes('-menu-'));
    expect(menus).toEqual(['overview-menu-narrow-light.png', 'overview-menu-narrow-dark.png']);
  });

  it('are six for the README, light and dark', () => {
    const names = namesFor('--docs');
    expect(names).toHaveLength(6);
    expect(names.filter((name) => name.endsWith('-data-wide-light.png'))).toHaveLength(3);
    expect(names.filter((name) => name.endsWith('-data-wide-dark.png'))).toHaveLength(3);
  });

  it.each([
    [['--page', 'nowhere'], /--page "nowhere" does not exist\. Known: sign-in, overview/],
    [['--scheme', 'sepia'], /--scheme "sepia" does not exist\. Known: light, dark/],
    [['--width', '1440'], /--width "1440" does not exist\. Known: wide, narrow/],
    [['--page'], /argument missing/],
    [['--depth', '1'], /Unknown option '--depth'/],
    [['calls'], /Unexpected argument 'calls'/],
  ])('are refused for the words %j', (words, message) => {
    expect(() => readShotOptions(words)).toThrow(message);
  });
});
