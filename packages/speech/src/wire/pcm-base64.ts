/** Samples as they stand in messages of text. */

/** @param samples - mono Int16. @returns the same, little endian, as base64 */
export function pcmBase64(samples: Int16Array): string {
  const bytes = Buffer.alloc(samples.length * 2);
  samples.forEach((sample, index) => bytes.writeInt16LE(sample, index * 2));
  return bytes.toString('base64');
}
