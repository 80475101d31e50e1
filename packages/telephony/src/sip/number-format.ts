/** How numbers are written in the SIP URIs that a trunk receives. */

import type { NumberFormat } from '../call-leg.ts';

/**
 * RFC 3966 section 5.1.4: "Globally unique numbers are identified by the leading "+" character." User parts that are no
 * such number (an extension, a name) stay as they are.
 */
export function writeNumber(number: string, format: NumberFormat = 'e164'): string {
  return format === 'e164_without_plus' ? number.replace(/^\+(?=\d+$)/, '') : number;
}
