/** The tools of the account, each with a trial. */
import type { ReactNode } from 'react';
import { useTRPCClient } from '../../client/admin-client.ts';
import table from '../../ui/data-table.module.css';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { RowActions } from '../../ui/row-actions.tsx';
import { RowDialog } from '../../ui/row-dialog.tsx';
import { Section } from '../../ui/section.tsx';
import type { AssistantLookups } from '../editor/assistant-draft.ts';
import { TryTool } from './try-tool.tsx';
import { exampleArguments, exampleVariables } from './example-values.rules.ts';
import { texts } from './texts.ts';

const COLUMNS: readonly Column[] = [
  [texts.list.columns.tool],
  [texts.list.columns.does, table['mediumOnly']],
  [''],
];

type AccountTool = AssistantLookups['tools'][number];

function Trial({ tool: { id, endpoint, schema } }: { tool: AccountTool }): ReactNode {
  const client = useTRPCClient();
  const properties = Object.fromEntries(schema.map(({ name, type }) => [name, { type }]));
  return (
    <TryTool
      examples={() => ({
        variables: exampleVariables(endpoint),
        arguments: exampleArguments({ properties }),
      })}
      send={(values) => client.assistants.tryAccountTool.mutate({ id, ...values })}
    />
  );
}

/** Also those that this assistant does not use. */
export function AccountToolTrials({ tools }: { tools: readonly AccountTool[] }): ReactNode {
  return (
    <Section title={texts.trial.accountTools}>
      <DataTable columns={COLUMNS}>
        {tools.map((tool) => (
          <tr key={tool.id} data-testid="account-tool-row">
            <td className={table['wrap']}>{tool.name}</td>
            <td className={`${table['mediumOnly']} ${table['wrap']} ${table['anywhere']} ${table['minor']}`}>
              {`${tool.method} ${tool.endpoint}`}
            </td>
            <td className={table['number']}>
              <RowActions>
                <RowDialog
                  action={texts.trial.open}
                  title={texts.trial.of(tool.name)}
                  testId="account-tool-try"
                  form={() => <Trial tool={tool} />}
                />
              </RowActions>
            </td>
          </tr>
        ))}
      </DataTable>
    </Section>
  );
}
