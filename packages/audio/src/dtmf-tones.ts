/** The tone pairs of DTMF keys (ITU-T Q.23), for far ends that do not support telephone-event. */

/** The tones of the rows and columns of the keypad, Hz. */
export const DTMF_ROWS_HZ = [697, 770, 852, 941] as const;
export const DTMF_COLUMNS_HZ = [1209, 1336, 1477, 1633] as const;
const KEYPAD = ['123A', '456B', '789C', '*0#D'] as const;
/** The amplitude of each of the two tones: -8 dBm0 in G.711, within the limits of ITU-T Q.24 for senders. */
const AMPLITUDE = 9000;

/** The key at a row and a column of the keypad. */
export function keyAt(row: number, column: number): string {
  return KEYPAD[row]?.[column] ?? '';
}

/** The sound of a key; silence for any other character. */
export function dtmfTone(key: string, sound: { sampleRateHz: number; samples: number }): Int16Array {
  const row = KEYPAD.findIndex((keys) => keys.includes(key));
  const rowHz = DTMF_ROWS_HZ[row];
  const columnHz = DTMF_COLUMNS_HZ[KEYPAD[row]?.indexOf(key) ?? -1];
  if (key.length !== 1 || rowHz === undefined || columnHz === undefined) return new Int16Array(sound.samples);
  const perSample = (2 * Math.PI) / sound.sampleRateHz;
  return Int16Array.from({ length: sound.samples }, (_, at) =>
    Math.round(AMPLITUDE * (Math.sin(rowHz * perSample * at) + Math.sin(columnHz * perSample * at))),
  );
}
