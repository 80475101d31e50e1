/** Shared column definitions for ids, instants, owners and documents. */
import { JsonType, p } from '@mikro-orm/postgresql';
import { json } from '../sql-values.ts';
import { User } from './user.ts';

/** A primary key that the database generates, read as a JavaScript number (safe up to 2^53). */
export const generatedId = () => p.bigint('number').primary();

/** An instant, `timestamptz` with microseconds. */
export const instant = () => p.datetime(6);

/** An instant that may be missing, read as `null`. */
export const optionalInstant = () => instant().strictNullable();

/** The id of another row without a foreign key: the target is partitioned, or the row must outlive it. */
export const looseId = () => p.bigint('number');

/** Writes the output of {@link json}. */
class StorableJsonType extends JsonType {
  override convertToDatabaseValue(value: unknown): string | null {
    return value === null || value === undefined ? null : json(value);
  }
}

/** A document, `jsonb`. */
export const document = <T>() => p.json<T>().type(StorableJsonType);

/** The owner of a row. Deleting a user deletes their rows. */
export const owner = () => p.manyToOne(User).mapToPk().joinColumn('user_id').deleteRule('cascade');

/** The owner of a row; `null`: shared by all users. */
export const ownerOrShared = () => owner().strictNullable();
