/** The name of a lead, which is one of its variables. */

/** The variables that are taken for a name, the first one that is present. */
const NAMES = ['name', 'full_name', 'customer_name', 'first_name'];

/** The variable that holds the name of a lead; where it has none, the one that a new name gets. */
export function nameVariable(variables: Readonly<Record<string, unknown>>): string {
  return NAMES.find((name) => typeof variables[name] === 'string') ?? 'name';
}

/** Empty without a name. */
export function leadName(variables: Readonly<Record<string, unknown>>): string {
  const name = variables[nameVariable(variables)];
  return typeof name === 'string' ? name : '';
}
