/** The time zones that a field offers. */

/** The time zones that this browser knows; its list lacks UTC. */
const KNOWN = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** @param chosen - also offered where the browser lists it under another name, such as `US/Eastern`: a field would show the first zone */
export function timeZones(chosen: string): readonly string[] {
  return KNOWN.includes(chosen) ? KNOWN : [chosen, ...KNOWN];
}
