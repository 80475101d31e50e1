/**
 * Colours, type and shape. Mantine would write its variables into an inline `<style>`, which our
 * content security policy refuses; they are adopted as a constructed style sheet instead.
 */
import {
  alpha,
  convertCssVariables,
  createTheme,
  type CSSVariablesResolver,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  type MantineTheme,
  mergeMantineTheme,
} from '@mantine/core';

const textFonts = '"Inter Variable", "Inter Fallback", ui-sans-serif, system-ui, sans-serif';
const numberFonts = '"JetBrains Mono Variable", ui-monospace, "Liberation Mono", Menlo, Consolas, monospace';

/** The font sizes of data. Browsers have 16 px to a rem. */
const fontSizes = { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' };

/** The theme. Shade 8 keeps white text on filled buttons above a contrast of 4.5. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: 8,
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: textFonts,
  fontFamilyMonospace: numberFonts,
  fontSizes,
  headings: {
    fontFamily: textFonts,
    fontWeight: '600',
    sizes: {
      h2: { fontSize: '1.25rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
      h5: { fontSize: '0.875rem', lineHeight: '1.45' },
    },
  },
  respectReducedMotion: true,
});

/**
 * Alerts, badges and quiet buttons on dark surfaces: a tint of their colour. Mantine's own are saturated areas, which stand out
 * more than the main action of a page.
 */
function darkTints({ colors }: MantineTheme): Record<string, string> {
  return Object.fromEntries(
    Object.entries(colors).flatMap(([name, shades]) => [
      [`--mantine-color-${name}-light`, alpha(shades[5], 0.14)],
      [`--mantine-color-${name}-light-hover`, alpha(shades[5], 0.22)],
      [`--mantine-color-${name}-light-color`, shades[2]],
    ]),
  );
}

/** Small deviations from Mantine's greys and reds, for readable small text (WCAG 2.2 AA). */
const readableVariables: CSSVariablesResolver = (ofTheme) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5a6270',
    '--mantine-color-placeholder': '#6f7783',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-default-border': '#d5d9e0',
  },
  dark: {
    ...darkTints(ofTheme),
    '--mantine-color-dimmed': '#a3a8b0',
    '--mantine-color-placeholder': '#9ba1a9',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
});

/** Makes the theme's variables known to the document. Called once, before the first drawing. */
export function adoptThemeVariables(target: Document): void {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    convertCssVariables(defaultCssVariablesResolver(merged)) + convertCssVariables(readableVariables(merged)),
  );
  target.adoptedStyleSheets = [...target.adoptedStyleSheets, sheet];
}
