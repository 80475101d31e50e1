/** The name of a lead, which is one of its variables. */

/** The variables that are taken for a name, in lower case without anything but letters; earlier ones take precedence. */
const NAMES = ['name', 'fullname', 'customername', 'firstname'];

/** Columns of files are called `Name` and `Full name` as often as `full_name`. */
function plainName(variable: string): string {
  return variable.toLowerCase().replaceAll(/[^a-z]/g, '');
}

/** The variable that holds the name of a lead; where it has none, the one that a new name gets. */
export function nameVariable(variables: Readonly<Record<string, unknown>>): string {
  const texts = Object.keys(variables).filter((variable) => typeof variables[variable] === 'string');
  const names = texts.map((variable) => ({ variable, place: NAMES.indexOf(plainName(variable)) }));
  const [first] = names.filter(({ place }) => place >= 0).toSorted((one, other) => one.place - other.place);
  return first?.variable ?? 'name';
}

/** Empty without a name. */
export function leadName(variables: Readonly<Record<string, unknown>>): string {
  const name = variables[nameVariable(variables)];
  return typeof name === 'string' ? name : '';
}
