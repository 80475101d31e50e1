/**
 * Work whose result the page does not wait for, such as renewing a list. A failure reaches the browser's error
 * reporting, which the banner for failures shows to the user.
 */
export function inBackground(work: Promise<unknown> | undefined): void {
  work?.catch(reportError);
}
