import { Form, Link, useActionData, useLoaderData, useNavigation, useSubmit } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { ShortForm, useSentForm } from '#app/components/form/edit-form.tsx'
import { SelectField, TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { readFormErrors, type FormErrors } from '#app/components/form/issues.ts'
import { FileDrop } from '#app/components/importer/file-drop.tsx'
import { HeaderChoice } from '#app/components/importer/header-choice.tsx'
import { NewSourceForm, type NewSourceReading } from './new-source-form.tsx'
import { ProgressLine } from '#app/components/importer/progress-line.tsx'
import { RemoteSourceForm } from './remote-source-form.tsx'
import { ReadFields } from '#app/components/importer/read-fields.tsx'
import { TrialSummary } from '#app/components/importer/trial-summary.tsx'
import { useNewFile } from '#app/components/importer/use-new-file.ts'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { createSource, createSourceScreen, type AwaitedSource } from '#app/server/source-create.server.ts'
import { describeUploads } from '#functions/shapes/parser/size.ts'

export const loader = createSourceScreen

export const action = createSource

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export const meta = placeTitle('Add data')

export default function CreateSource() {
  const { placeId, dataTypes, wantedTypeId, mayMakeType, address, trial, remote } =
    useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const { submittedSources, trialResult: requestTrial } = outcome ?? {}
  const formValues = outcome && !outcome.ok ? outcome.formValues : {}
  const errors = readFormErrors(outcome)
  const file = useNewFile(placeId)
  const { chosenFile } = file
  const awaitedSource = outcome?.ok && outcome.intent === 'make' ? outcome.result : null
  const attach = useAttach(file, awaitedSource)
  const trialResult = chosenFile ? file.trialResult : trial?.ok ? trial.trialResult : null
  const of: NewSourceReading | null = chosenFile
    ? {
        label: chosenFile.file.name,
        parser: chosenFile.parser,
        zip: chosenFile.zip,
        selector: chosenFile.selector,
        headerRows: chosenFile.headerRows,
        leaveOut: chosenFile.leaveOut,
      }
    : address && { label: address.url, ...address }
  const isFound = Boolean(trialResult ?? chosenFile)
  const isRequested = Boolean(requestTrial?.rows.length)
  return (
    <Screen
      isStack
      title="Add data"
      crumbs={[{ label: 'Data', to: '/sources' }]}
      sub="A file or an address becomes a source: first you see what is in it, and nothing is stored until you say so."
    >
      {isFound || isRequested ? null : <Ways file={file} />}
      {file.sending ? (
        <ProgressLine {...file.sending} value={file.sending.sentBytes} max={file.sending.total} />
      ) : null}
      {file.error ? (
        <FailedFile error={file.error} awaitedSource={awaitedSource} attach={() => void attach()} />
      ) : null}
      {of && (trialResult || chosenFile) ? <FileSummary label={of.label} {...{ trialResult, file }} /> : null}
      {of && trialResult?.rows.length ? (
        <NewSourceForm
          key={`${of.label} ${of.parser} ${of.zip} ${of.selector} ${of.headerRows} ${of.leaveOut}`}
          {...{ of, trialResult, dataTypes, wantedTypeId, mayMakeType, formValues }}
          errors={formValues.intent === 'empty' || submittedSources ? undefined : errors}
          isWaiting={awaitedSource !== null}
        />
      ) : null}
      {isRequested ? (
        <p>
          <Link className="button is-small" to={startOverUrl(wantedTypeId)}>
            Take something else
          </Link>
        </p>
      ) : null}
      {isFound ? null : (
        <RemoteSourceForm
          key={remote}
          {...{ dataTypes, wantedTypeId, mayMakeType, formValues, submittedSources }}
          address={remote}
          trialResult={requestTrial}
          errors={submittedSources && errors}
        />
      )}
      {isFound || isRequested ? null : <EmptySource />}
    </Screen>
  )
}

type NewFile = ReturnType<typeof useNewFile>

const startOverUrl = (typeId: string | null) =>
  typeId ? `/sources/create?dataType=${typeId}` : '/sources/create'

/** The two ways to add data: a file, or a URL. */
function Ways({ file }: { file: NewFile }) {
  const { address, trial, wantedTypeId } = useLoaderData<typeof loader>()
  const untried = trial && !trial.ok ? moveUrlIssues(trial) : undefined
  return (
    <div className="ways">
      <section className="stack" aria-labelledby="by-file">
        <h2 id="by-file">Upload a file</h2>
        <div className="needs-scripts">
          <FileDrop
            name="file"
            title="Drop a file here, or choose one"
            hint={describeUploads()}
            onFile={(each) => void file.chooseFile(each)}
          />
        </div>
      </section>
      <section className="stack" aria-labelledby="by-address">
        <h2 id="by-address">Take it from an address</h2>
        <Form method="get" className="form">
          <FormError errors={untried} names={['url']} />
          {address && untried ? <AsksForMore url={address.url} typeId={wantedTypeId} /> : null}
          <TextField
            label="Web address"
            name="url"
            type="url"
            required
            placeholder="https://"
            defaultValue={address?.url ?? ''}
            hint="Of the file or of an API. It can be fetched again on a schedule."
            errors={untried}
          />
          <OfType id={wantedTypeId} />
          {address ? <ReadFields {...address} selectors={[]} /> : null}
          <div className="form-actions">
            <button className="button is-primary">Look at it</button>
          </div>
        </Form>
      </section>
    </div>
  )
}

interface FailedFileProps {
  error: string
  /** The source created for the file; null before. */
  awaitedSource: AwaitedSource | null
  attach(): void
}

function FailedFile({ error, awaitedSource, attach }: FailedFileProps) {
  return (
    <div className="notice is-danger" role="alert">
      <p>{error}</p>
      {awaitedSource ? (
        <p>
          The source was made.{' '}
          <button type="button" className="button is-small" onClick={attach}>
            Upload again
          </button>{' '}
          <Link to={`/sources/${awaitedSource.sourceId}`}>Open the source</Link>
        </p>
      ) : null}
    </div>
  )
}

interface FileSummaryProps {
  label: string
  trialResult: NewFile['trialResult']
  file: NewFile
}

/** The trial read of the file or URL, and its options, which can be changed. */
function FileSummary({ label, trialResult, file }: FileSummaryProps) {
  const { address, trial, wantedTypeId } = useLoaderData<typeof loader>()
  const { chosenFile } = file
  const isUnread = trial !== null && (!trial.ok || !trial.trialResult.rows.length)
  const grid = trialResult?.grids[0]
  return (
    <section className="stack" aria-labelledby="found">
      <div className="row">
        <h2 id="found" className="grow">
          What was found
        </h2>
        <Link className="button is-small" to={startOverUrl(wantedTypeId)} onClick={file.reset}>
          Take something else
        </Link>
      </div>
      {trialResult ? <TrialSummary trialResult={trialResult} of={label} /> : null}
      {address && isUnread && !chosenFile ? <AsksForMore url={address.url} typeId={wantedTypeId} /> : null}
      {chosenFile ? (
        <ReadFields
          parser={chosenFile.parser}
          zip={chosenFile.zip}
          archive={trialResult?.archives[0] ?? null}
          selector={chosenFile.selector}
          selectors={trialResult?.selectors ?? []}
          lists={trialResult?.lists ?? []}
          onParser={(parser) => void file.readAs(parser)}
          onZip={(zip) => void file.readZip(zip)}
          onSelector={(selector) => void file.selectRows(selector)}
        />
      ) : address ? (
        <Form method="get" className="stack">
          <input type="hidden" name="url" value={address.url} />
          <OfType id={wantedTypeId} />
          <ReadFields
            {...address}
            archive={trialResult?.archives[0] ?? null}
            selectors={trialResult?.selectors ?? []}
            lists={trialResult?.lists ?? []}
          />
          {grid ? <HeaderChoice {...{ grid, ...address }} /> : null}
          <p>
            <button className="button">Read it so</button>
          </p>
        </Form>
      ) : null}
      {chosenFile && grid ? (
        <HeaderChoice
          {...{ grid, ...chosenFile }}
          onHeader={(headerRows) => void file.readHeader(headerRows)}
          onLeaveOut={(leaveOut) => void file.omitRows(leaveOut)}
        />
      ) : null}
    </section>
  )
}

/** The form for a source without records, to be filled by programs or people. */
function EmptySource() {
  const { dataTypes, wantedTypeId } = useLoaderData<typeof loader>()
  const { errors } = useSentForm('empty')
  return (
    <details className="disclosure" open={errors !== undefined || wantedTypeId !== null}>
      <summary>Make an empty source</summary>
      <ShortForm
        names={['name', 'dataTypeId']}
        saved={{ dataTypeId: wantedTypeId ?? undefined }}
        save={{ intent: 'empty', label: 'Make the source', doing: 'Making…', className: 'button' }}
      >
        <TextField label="Name" name="name" required maxLength={200} />
        <SelectField
          label="Data type"
          name="dataTypeId"
          hint="What its records are. It stays."
          required
          options={dataTypes.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </ShortForm>
    </details>
  )
}

/** Links from a URL without rows to its request options. */
function AsksForMore({ url, typeId }: { url: string; typeId: string | null }) {
  const params = new URLSearchParams({ remote: url, ...(typeId ? { dataType: typeId } : {}) })
  return (
    <p>
      <Link to={`?${params.toString()}#request`}>It needs headers, parameters, a sign-in or pages</Link>
    </p>
  )
}

/** Keeps the chosen data type in the URL's form. */
function OfType({ id }: { id: string | null }) {
  return id === null ? null : <input type="hidden" name="dataType" value={id} />
}

/** Issues of the URL are shown at its input, as there is one source. */
function moveUrlIssues({ message, issues }: Omit<FormErrors, 'ok'>): FormErrors {
  const formIssues = issues.map((issue) =>
    issue.path.join('.') === 'sources.0.url' ? { ...issue, path: ['url'] } : issue,
  )
  return { ok: false, message, issues: formIssues }
}

/** Once the source of a file exists, uploads the file and imports it; gives a function that retries. */
function useAttach(file: ReturnType<typeof useNewFile>, awaitedSource: AwaitedSource | null) {
  const submit = useSubmit()
  // After creation the page still revalidates: submitting during that would abort it with an uncatchable error.
  const isIdle = useNavigation().state === 'idle'
  const attachedSourceId = useRef<string | null>(null)
  const attach = async () => {
    if (!awaitedSource || !file.chosenFile) return
    const fileId = await file.upload(awaitedSource.sourceId)
    if (fileId === null) return
    const { parser, zip, selector, headerRows, leaveOut } = file.chosenFile
    const { sourceId, isKeyed, mapping, columns } = awaitedSource
    const name = file.chosenFile.file.name.slice(0, 200)
    const read = { parser, zip, selector, headerRows, leaveOut }
    const values = { fileId, sourceId, mapping, columns, name, isKeyed: String(isKeyed) }
    submit({ intent: 'attach', ...read, ...values }, { method: 'post' })
  }
  useEffect(() => {
    if (!awaitedSource || !isIdle || attachedSourceId.current === awaitedSource.sourceId) return
    attachedSourceId.current = awaitedSource.sourceId
    void attach()
  })
  return attach
}
