/** What the API document says about a field. */

/** The texts of one field. */
export interface FieldText {
  description: string;
  /** Absent where the schema is sufficient (a flag, a default, an enumeration whose first value is a good example). */
  example?: unknown;
}

export const text = (description: string, example?: unknown): FieldText =>
  example === undefined ? { description } : { description, example };
