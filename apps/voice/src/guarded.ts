/** A listener that never throws. */

/** @param onThrow - gets what the listener has thrown */
export function guarded<Event>(
  listener: (event: Event) => void,
  onThrow: (error: unknown) => void,
): (event: Event) => void {
  return (event) => {
    try {
      listener(event);
    } catch (error) {
      onThrow(error);
    }
  };
}
