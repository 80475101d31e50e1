/** A condition of the ORM: the column begins with `text`, in which no character has a special meaning. */
export function startsWith(text: string): { $like: string } {
  return { $like: `${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%` };
}
