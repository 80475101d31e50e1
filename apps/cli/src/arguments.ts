/** Parses arguments of the command line; commander reports an error with the argument's name. */
import { InvalidArgumentError } from 'commander';
import { texts } from './texts.ts';

/** An id, a page, a count. */
export function integer(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError(texts.arguments.integer);
}

/** A number above 0, with a fraction or without. */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError(texts.arguments.positive);
}

/** From 0 to 1. */
export function share(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError(texts.arguments.share);
}

/** `name=value`, added to the previous ones. */
export function collectVariable(text: string, others: Record<string, string>): Record<string, string> {
  const [name = '', ...value] = text.split('=');
  if (name === '' || value.length === 0) throw new InvalidArgumentError(texts.arguments.variable);
  return { ...others, [name]: value.join('=') };
}

/** E.164, or the beginning of a number and `*`, added to the previous ones. */
export function collectAllowedNumber(text: string, others: readonly string[] = []): string[] {
  if (/^\+[1-9]\d{0,14}\*?$/.test(text)) return [...others, text];
  throw new InvalidArgumentError(texts.arguments.allowedNumber);
}

/** A host, added to the previous ones. */
export function collectHost(text: string, others: readonly string[] = []): string[] {
  return [...others, text];
}
