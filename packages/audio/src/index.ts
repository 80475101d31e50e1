/**
 * Audio as mono Int16 PCM in typed arrays: pure functions and small streaming classes. No sockets, no clock.
 */
export { decodeG711, encodeG711, g711Silence, type G711Codec } from './g711.ts';
export { G722Decoder, G722Encoder } from './g722.ts';
export {
  MAX_OPUS_PACKET_BYTES,
  OpusDecoder,
  OpusEncoder,
  type OpusEncoderOptions,
  type OpusRateHz,
} from './opus.ts';
export { Resampler, resample } from './resampler.ts';
export { Stretcher } from './stretcher.ts';
export { Framer } from './framer.ts';
export { ActiveLevel, LEVEL_FRAME_MS } from './active-level.ts';
export {
  amplify,
  applyGain,
  clip,
  gainOfDb,
  limited,
  mixInto,
  peak,
  rmsDbfs,
  SILENCE_DBFS,
  SPEECH_DBFS,
} from './level.ts';
export { tone, toneAmplitude, tonePurity, type ToneOptions } from './tone.ts';
export { DtmfDetector, type ToneKey } from './dtmf-detector.ts';
export { dtmfTone } from './dtmf-tones.ts';
export {
  readStereo,
  readWavHeader,
  WAV_HEADER_BYTES,
  wavHeader,
  writeStereo,
  type WavHeaderOptions,
} from './wav-writer.ts';
export {
  hasMurmur,
  makeAmbientSound,
  AMBIENT_SOUNDS,
  type AmbientSound,
  type AmbientSoundOptions,
} from './ambient-sound.ts';
export { makeHoldMusic } from './hold-music.ts';
export { isWav, readWav, readWavStart, WAV_NAME_BYTES, type WavSound } from './wav-reader.ts';
