/** A recogniser's stream whose defects become events, so that the rules replace it like one that reported a failure. */
import { SpeechError, type Recogniser, type RecogniserEvent, type RecogniserStream } from '@parley/speech';

/** Opens a stream. After a method of it has thrown, `failed` is reported once and the stream is left alone. */
export function openGuarded(
  recogniser: Recogniser,
  language: string,
  onEvent: (event: RecogniserEvent) => void,
): RecogniserStream {
  let stream: RecogniserStream | null = null;
  const guard = (step: () => void): void => {
    try {
      step();
    } catch (cause) {
      stream = null;
      const error = new SpeechError('unavailable', 'The recogniser threw an error', { cause });
      // Reported later, because the owner does not hold this stream yet while it is being opened.
      queueMicrotask(() => onEvent({ type: 'failed', error }));
    }
  };
  guard(() => (stream = recogniser.open({ language }, onEvent)));
  return {
    push: (samples) => guard(() => stream?.push(samples)),
    expect: (phrases) => guard(() => stream?.expect?.(phrases)),
    finalise: (speechFromMs) => guard(() => stream?.finalise(speechFromMs)),
    close: () => guard(() => stream?.close()),
  };
}
