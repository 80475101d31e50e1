/** A progress bar on stderr, shown on terminals only. */
import type { Console } from './console.ts';

const WIDTH = 30;
/** Minimum time between updates, milliseconds. */
const INTERVAL_MS = 100;

/** Draws the progress of an operation. */
export interface ProgressBar {
  update(done: number): void;
  /** Keeps the last line. */
  end(): void;
}

/** @param total - null when unknown: then only the completed part is shown */
export function startProgressBar(console: Console, total: number | null): ProgressBar {
  let drawnAt = -Infinity;
  let done = 0;
  const draw = () => console.remark(`\r${progressLine(done, total)}`);
  if (console.ask === null) return { update: () => undefined, end: () => undefined };
  return {
    update(now) {
      done = now;
      if (console.clock.monotonic() - drawnAt < INTERVAL_MS) return;
      drawnAt = console.clock.monotonic();
      draw();
    },
    end() {
      draw();
      console.remark('\n');
    },
  };
}

/** @param done - bytes */
export function progressLine(done: number, total: number | null): string {
  const size = `${megabytes(done)}${total === null ? '' : ` of ${megabytes(total)}`} MB`;
  if (total === null) return size;
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const full = Math.floor(share * WIDTH);
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${percent} %  ${size}`;
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
