/** The import of a file of leads into a campaign, in four steps: file, columns, check, result. The server judges the file. */
import { Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useBlocker } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { BackLink } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { CheckStep } from './check-step.tsx';
import { ColumnsStep } from './columns-step.tsx';
import { FileStep } from './file-step.tsx';
import { type ImportStep, ImportSteps } from './import-steps.tsx';
import { ResultStep } from './result-step.tsx';
import { checkLeads, type LeadFile, uploadLeads } from './upload-leads.ts';
import { useFileColumns } from './use-file-columns.ts';
import { texts } from './texts.ts';

const route = getRouteApi('/shell/campaigns/$campaignId/import');

/** Sends a file, and shows how much of it has been sent. */
function useSending<Answer>({ send, onSuccess, onSettled }: SendingOptions<Answer>) {
  const [percent, setPercent] = useState(0);
  const mutation = useMutation({
    mutationFn: (file: LeadFile) => {
      setPercent(0);
      return send(file, setPercent);
    },
    ...(onSuccess && { onSuccess }),
    ...(onSettled && { onSettled }),
  });
  return { mutation, percent };
}

interface SendingOptions<Answer> {
  send: (file: LeadFile, onProgress: (percent: number) => void) => Promise<Answer>;
  onSuccess?: () => void;
  onSettled?: () => Promise<void>;
}

/** The steps and what they share. */
function Import({ campaignId }: { campaignId: number }): ReactNode {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [step, setStep] = useState<ImportStep>('file');
  const [isDuplicateAllowed, setDuplicateAllowed] = useState(false);
  const columns = useFileColumns(() => setStep('columns'));
  const check = useSending({ send: checkLeads, onSuccess: () => setStep('check') });
  const upload = useSending({
    send: uploadLeads,
    onSettled: () => queryClient.invalidateQueries(trpc.campaigns.pathFilter()),
  });
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: upload.mutation.isPending });
  const { csv, mapping } = columns;
  const file = csv && { campaignId, file: csv, mapping, isDuplicateAllowed };
  const goTo = (target: ImportStep): void => {
    check.mutation.reset();
    setStep(target);
  };
  const send = (): void => {
    if (!file) return;
    setStep('result');
    upload.mutation.mutate(file);
  };
  return (
    <>
      <ImportSteps current={step} />
      {step === 'file' && <FileStep columns={columns} onNext={() => goTo('columns')} />}
      {step === 'columns' && (
        <ColumnsStep
          columns={columns}
          isDuplicateAllowed={isDuplicateAllowed}
          onDuplicates={setDuplicateAllowed}
          check={check.mutation}
          percent={check.percent}
          onCheck={() => file && check.mutation.mutate(file)}
          onBack={() => goTo('file')}
        />
      )}
      {step === 'check' && check.mutation.data && (
        <CheckStep check={check.mutation.data} onImport={send} onBack={() => goTo('columns')} />
      )}
      {step === 'result' && (
        <ResultStep
          campaignId={campaignId}
          percent={upload.percent}
          record={upload.mutation.data}
          error={upload.mutation.error}
          onAgain={() => {
            columns.chooseFile(null);
            upload.mutation.reset();
            goTo('file');
          }}
        />
      )}
    </>
  );
}

/** The page at `/campaigns/<id>/import`. */
export function ImportPage(): ReactNode {
  const { campaignId } = route.useParams();
  const campaign = useQuery(useTRPC().campaigns.get.queryOptions({ id: campaignId }));
  const back = (
    <BackLink to="/campaigns/$campaignId" params={{ campaignId }}>
      {campaign.data?.name ?? texts.page.campaign}
    </BackLink>
  );
  return (
    <QueryView
      query={campaign}
      pending={<Skeleton h={240} radius="lg" />}
      failureHeader={<PageHeader title={texts.page.title} back={back} />}
    >
      {({ name }) => (
        <>
          <PageHeader title={texts.page.title} subtitle={texts.page.subtitle(name)} back={back} />
          <Import campaignId={campaignId} />
        </>
      )}
    </QueryView>
  );
}
