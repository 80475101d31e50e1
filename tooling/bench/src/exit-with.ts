/** Ends a measurement whose background work has failed; figures taken afterwards would be wrong. */
export function exitWith(error: unknown): never {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
}
