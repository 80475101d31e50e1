/** A sound as a decoder delivers it. */

/** Samples of 16 bits, those of the channels in turn. */
export interface DecodedSound {
  /** 0 if nothing was decoded. */
  sampleRateHz: number;
  channelCount: number;
  pieces: Int16Array[];
}

/** The mean of the channels. */
export function monoOf({ pieces, channelCount }: DecodedSound): Int16Array {
  const length = pieces.reduce((sum, piece) => sum + Math.floor(piece.length / channelCount), 0);
  const mono = new Int16Array(length);
  let at = 0;
  for (const piece of pieces)
    for (let start = 0; start + channelCount <= piece.length; start += channelCount) {
      let sum = 0;
      for (let channel = 0; channel < channelCount; channel++) sum += piece[start + channel] ?? 0;
      mono[at++] = Math.round(sum / channelCount);
    }
  return mono;
}
