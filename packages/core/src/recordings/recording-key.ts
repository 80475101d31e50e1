/** The key of a recording: one folder per month, so that no folder holds millions of files. */

/** For example `2026/11/4711.wav`; the month is in UTC. */
export function recordingKey(callId: number, createdAt: Date): string {
  const [year, month] = createdAt.toISOString().split('-');
  return `${year}/${month}/${callId}.wav`;
}
