/** A condition of the ORM for texts with a part, in which `%`, `_` and `\` stand for themselves. */
export function containing(part: string): { $like: string } {
  return { $like: `%${part.replaceAll(/[%_\\]/g, String.raw`\$&`)}%` };
}
