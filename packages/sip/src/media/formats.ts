/** One format of a media description, and the parameters that we write for it. */

/** One `rtpmap`, or the definition of a static payload type (RFC 3551 section 6). */
export interface Format {
  payloadType: number;
  /** Upper case: `PCMU`, `TELEPHONE-EVENT`. */
  encoding: string;
  clockRateHz: number;
  /** Absent: 1, or not stated. */
  channels?: number;
  /** The text of `fmtp`, as the far end wrote it. */
  parameters?: string;
}

/**
 * The parameters that we write for a format. Events 0-15 are the keys 0-9 * # A-D (RFC 4733 section 3.2). Of Opus we decode and
 * send mono of at most 16 000 Hz, and use the repair data (RFC 7587 section 6.1).
 */
export function parametersToWrite({ encoding }: Format): string | null {
  if (encoding === 'TELEPHONE-EVENT') return '0-15';
  if (encoding !== 'OPUS') return null;
  return 'maxplaybackrate=16000;sprop-maxcapturerate=16000;useinbandfec=1';
}
