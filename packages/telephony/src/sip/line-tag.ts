/**
 * The tags of a line behind a front end with the port of the line. A far end repeats our tag in every request of a dialog
 * (RFC 3261 section 12.2.1.1) and in Replaces (RFC 3891), so that the front finds the line of a dialog without any state. The
 * port is no secret: it is in the Contact of the line, too.
 */

const SUFFIX = /\.(\d{1,5})$/;

/** The end of the tags of a line that listens on this port. */
export function lineTagSuffix(port: number): string {
  return `.${port}`;
}

/** The port in a tag; null for a tag that no line behind a front has created. The sender of a request may have invented it. */
export function linePortOf(tag: string): number | null {
  const digits = SUFFIX.exec(tag)?.[1];
  return digits === undefined ? null : Number(digits);
}
