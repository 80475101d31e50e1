/** Ids in URLs. */

/** Whether a part of a URL can be the id of a record. */
export function isUrlId(text: string): boolean {
  return /^[1-9]\d{0,14}$/.test(text);
}
