/** Where a call's recording is kept: by month, so that a folder never holds millions of files. */

/** For example `2026/11/4711.wav`; the month is UTC's. */
export function recordingKey(callId: number, createdAt: Date): string {
  const [year, month] = createdAt.toISOString().split('-');
  return `${year}/${month}/${callId}.wav`;
}
