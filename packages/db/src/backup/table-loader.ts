/** Loads the parts of tables with COPY, one statement for each table. */
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom, type CopyStreamQuery } from 'pg-copy-streams';
import { BackupError, type Manifest } from './manifest.ts';

type Table = Manifest['tables'][number];

interface Load {
  table: Table;
  copy: CopyStreamQuery;
  done: Promise<void>;
}

export class TableLoader {
  readonly #client: Client;
  readonly #tables: ReadonlyMap<string, Table>;
  readonly #loaded = new Map<string, number>();
  #load: Load | null = null;

  constructor(client: Client, tables: readonly Table[]) {
    this.#client = client;
    this.#tables = new Map(tables.map((table) => [table.name, table]));
  }

  /** For the next part of a table. Another table than before ends the statement of that one. */
  async open(name: string): Promise<{ write(bytes: Buffer): Promise<void>; end(): Promise<void> }> {
    if (this.#load?.table.name !== name) {
      await this.#end();
      this.#load = this.#begin(name);
    }
    const { copy, done } = this.#load;
    return {
      async write(bytes) {
        if (!copy.write(bytes)) await Promise.race([once(copy, 'drain'), done]);
      },
      end: async () => undefined,
    };
  }

  /** @throws BackupError when a table does not have the number of rows of the manifest */
  async finish(): Promise<void> {
    await this.#end();
    for (const { name, rows } of this.#tables.values()) {
      const loaded = this.#loaded.get(name) ?? 0;
      if (loaded !== rows)
        throw new BackupError(`Table ${name} has ${loaded} rows instead of ${rows}. Nothing was restored.`);
    }
  }

  /** Ends a statement that was not completed; Postgres rolls it back. */
  abandon(): void {
    this.#load?.copy.destroy();
    this.#load = null;
  }

  #begin(name: string): Load {
    const table = this.#tables.get(name);
    if (!table) throw new BackupError(`The manifest does not list table ${name}. Nothing was restored.`);
    const columns = table.columns.map((column) => this.#client.escapeIdentifier(column)).join(', ');
    const copy = this.#client.query(
      copyFrom(`copy ${this.#client.escapeIdentifier(name)} (${columns}) from stdin`),
    );
    const done = finished(copy);
    // `write` and `#end` report it.
    done.catch(() => undefined);
    return { table, copy, done };
  }

  async #end(): Promise<void> {
    if (!this.#load) return;
    const { table, copy, done } = this.#load;
    copy.end();
    await done;
    this.#loaded.set(table.name, copy.rowCount);
    this.#load = null;
  }
}
