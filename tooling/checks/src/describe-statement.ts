/** Asks Postgres which columns a statement returns, without running it (the Describe message of the extended protocol). */
import type { Client, Connection } from 'pg';

/** A column as Postgres describes it. */
export interface DescribedColumn {
  name: string;
  /** Object id of the column's type. */
  typeId: number;
  /** The table's column that it comes from; null: an expression. */
  origin: { tableId: number; columnNumber: number } | null;
}

interface RowDescription {
  fields: { name: string; dataTypeID: number; tableID: number; columnID: number }[];
}

/** `pg` sends an object of this shape as it is; its typings do not name all events of a connection. */
interface WireConnection {
  parse(query: { name: string; text: string; types: number[] }): void;
  describe(message: { type: 'S'; name: string }): void;
  sync(): void;
}

/**
 * @returns no columns for a statement that returns no rows
 * @throws the error of Postgres for a statement that it cannot prepare
 */
export async function describeStatement(client: Client, text: string): Promise<DescribedColumn[]> {
  const { fields } = await new Promise<RowDescription>((resolve, reject) => {
    let described: RowDescription = { fields: [] };
    let failure: Error | undefined;
    client.query({
      submit(connection: Connection) {
        const wire = connection as unknown as WireConnection;
        wire.parse({ name: '', text, types: [] });
        wire.describe({ type: 'S', name: '' });
        wire.sync();
      },
      handleRowDescription: (message: RowDescription) => {
        described = message;
      },
      handleError: (error: Error) => {
        failure = error;
        reject(error);
      },
      handleReadyForQuery: () => {
        if (!failure) resolve(described);
      },
    });
  });
  return fields.map(({ name, dataTypeID, tableID, columnID }) => ({
    name,
    typeId: dataTypeID,
    origin: tableID === 0 ? null : { tableId: tableID, columnNumber: columnID },
  }));
}
