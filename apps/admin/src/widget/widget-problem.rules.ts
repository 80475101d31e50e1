/** The text that explains why a call of the widget cannot start. */
import type { WidgetTextName } from '@parley/contracts';

/** Names of errors of `getUserMedia` (Media Capture and Streams, section 10.2). */
const MICROPHONE_ERRORS: Readonly<Record<string, WidgetTextName>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'no_microphone',
  OverconstrainedError: 'no_microphone',
  NotReadableError: 'in_use',
};

/** Statuses of the server at which another attempt may succeed soon: too many requests or calls, no free voice process. */
const BUSY_STATUSES: ReadonlySet<number> = new Set([429, 503]);

/** What went wrong: the name of an error of the browser, or the status of an answer. */
export type WidgetFault = { name: string } | { status: number };

/** @returns the name of the text */
export function explainFault(fault: WidgetFault): WidgetTextName {
  if ('status' in fault) return BUSY_STATUSES.has(fault.status) ? 'busy' : 'unavailable';
  return MICROPHONE_ERRORS[fault.name] ?? 'unavailable';
}

/** Browsers hide the microphone on pages that are not secure contexts. */
export function canAskForMicrophone(page: { isSecureContext: boolean; hasMediaDevices: boolean }): boolean {
  return page.isSecureContext && page.hasMediaDevices;
}

/** Black or white, which can be read on the colour (WCAG 2.2, relative luminance). `color`: `#rgb` or `#rrggbb`. */
export function readableOn(color: string): '#000' | '#fff' {
  const digits = color.length === 4 ? color.slice(1).replaceAll(/./g, '$&$&') : color.slice(1);
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  // The contrast with white is 1.05 / (L + 0.05), that with black (L + 0.05) / 0.05.
  return (luminance + 0.05) ** 2 > 1.05 * 0.05 ? '#000' : '#fff';
}
