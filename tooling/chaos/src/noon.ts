/** A calling window that begins or ends in the next minutes needs a time zone in which it does not cross midnight. */

const ZONES = [
  'Pacific/Auckland',
  'Australia/Brisbane',
  'Asia/Kathmandu',
  'Europe/Berlin',
  'America/Sao_Paulo',
  'America/Denver',
  'Pacific/Honolulu',
];

/** @returns the time zone of the list whose clock is nearest to noon */
export function zoneAtNoon(nowMs: number): string {
  const hoursFromNoon = (zone: string): number => {
    const hour = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hour12: false });
    return Math.abs(Number(hour.format(nowMs)) - 12);
  };
  const [nearest = 'UTC'] = ZONES.toSorted((a, b) => hoursFromNoon(a) - hoursFromNoon(b));
  return nearest;
}
