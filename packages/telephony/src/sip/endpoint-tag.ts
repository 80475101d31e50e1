/**
 * The tags of an endpoint behind a front end with the port of the endpoint. A far end repeats our tag in every request of a dialog
 * (RFC 3261 section 12.2.1.1) and in Replaces (RFC 3891), so that the front finds the endpoint of a dialog without any state. The
 * port is no secret: it is in the Contact of the endpoint, too.
 */

const SUFFIX = /\.(\d{1,5})$/;

/** The end of the tags of an endpoint that listens on this port. */
export function endpointTagSuffix(port: number): string {
  return `.${port}`;
}

/** The port in a tag; null for a tag that no endpoint behind a front has created. The sender of a request may have invented it. */
export function endpointPortOf(tag: string): number | null {
  const digits = SUFFIX.exec(tag)?.[1];
  return digits === undefined ? null : Number(digits);
}
