/** Which pictures `npm run shots` takes, and how their files are called: `<page>-<state>-<width>-<scheme>.png`. */
import { parseArgs } from 'node:util';
import { ADMIN_PAGES, PAGE_STATES, type AdminPage, type PageState } from '@parley/e2e/admin';

/** Width and height of the window, in CSS pixels. A picture shows the whole page, also what is below. */
export const WIDTHS = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const;
const SCHEMES = ['light', 'dark'] as const;

type Width = keyof typeof WIDTHS;
type Scheme = (typeof SCHEMES)[number];

/** One picture. */
export interface Shot {
  page: AdminPage;
  state: PageState;
  width: Width;
  scheme: Scheme;
}

/** What the command line selects. */
export interface ShotOptions {
  pages: readonly AdminPage[];
  widths: readonly Width[];
  schemes: readonly Scheme[];
  /** The small pictures of the README instead of all others. */
  isForDocs: boolean;
}

/** The pictures of the README: the first screen of six pages. */
const DOCS_SHOTS: readonly (readonly [page: string, scheme: Scheme])[] = [
  ['overview', 'light'],
  ['call', 'light'],
  ['campaign', 'light'],
  ['assistant', 'dark'],
  ['lead', 'dark'],
  ['trunks', 'dark'],
];
const WIDTH_NAMES = Object.keys(WIDTHS) as Width[];

/**
 * Each option takes a name, several with commas, and may be repeated; without it everything is selected.
 * @throws Error for an unknown option or name
 */
export function readShotOptions(words: readonly string[]): ShotOptions {
  const several = { type: 'string', multiple: true } as const;
  const { values } = parseArgs({
    args: [...words],
    options: { page: several, scheme: several, width: several, docs: { type: 'boolean', default: false } },
  });
  const pageNames = ADMIN_PAGES.map(({ name }) => name);
  const chosen = new Set(choose('page', values.page, pageNames));
  return {
    pages: ADMIN_PAGES.filter(({ name }) => chosen.has(name)),
    widths: choose('width', values.width, WIDTH_NAMES),
    schemes: choose('scheme', values.scheme, SCHEMES),
    isForDocs: values.docs,
  };
}

function choose<Name extends string>(
  option: string,
  given: readonly string[] | undefined,
  known: readonly Name[],
): readonly Name[] {
  if (given === undefined) return known;
  const names = new Set(given.flatMap((text) => text.split(',')).map((name) => name.trim()));
  const unknown = [...names].find((name) => !known.some((one) => one === name));
  if (unknown !== undefined)
    throw new Error(`--${option} "${unknown}" does not exist. Known: ${known.join(', ')}`);
  return known.filter((name) => names.has(name));
}

/** Every picture of the selected pages. The menu opens on narrow screens only. */
export function planShots(options: ShotOptions): Shot[] {
  const shots = PAGE_STATES.flatMap((state) =>
    options.widths.flatMap((width) =>
      options.schemes.flatMap((scheme) =>
        options.pages
          .filter((page) => page.states.includes(state) && (state !== 'menu' || width === 'narrow'))
          .map((page): Shot => ({ page, state, width, scheme })),
      ),
    ),
  );
  return options.isForDocs ? shots.filter(isForDocs) : shots;
}

function isForDocs({ page, state, width, scheme }: Shot): boolean {
  const isChosen = DOCS_SHOTS.some(([name, colours]) => name === page.name && colours === scheme);
  return isChosen && state === 'data' && width === 'wide';
}

/** @returns the name of the file, without a folder */
export function shotName({ page, state, width, scheme }: Shot): string {
  return `${page.name}-${state}-${width}-${scheme}.png`;
}
