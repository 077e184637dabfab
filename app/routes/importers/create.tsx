import { useRef } from 'react'
import { Form, Link, useActionData, useLoaderData, useLocation } from '@remix-run/react'
import { TextArea, TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { readFormErrors, type FormErrors } from '#app/components/form/issues.ts'
import { useErrorFocus } from '#app/components/form/use-error-focus.ts'
import { HeaderChoice } from '#app/components/importer/header-choice.tsx'
import { MappingPage } from './mapping-form-page.tsx'
import { ReadFields } from '#app/components/importer/read-fields.tsx'
import { RemoteImporterForm, type RemoteImporterFormProps } from './remote-importer-form.tsx'
import { SeenColumns } from './seen-columns.tsx'
import { Steps } from './steps.tsx'
import { exampleAt, openFills, type Template } from './template-form.ts'
import type { TrialResult } from '#app/components/importer/trial.ts'
import { TrialRows } from '#app/components/importer/trial-rows.tsx'
import { TrialSummary } from '#app/components/importer/trial-summary.tsx'
import { UploadForm } from './upload-form.tsx'
import { useUpload } from './use-upload.ts'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { createImporter, createImporterScreen } from './create.server.ts'
import { describeUploads } from '#functions/shapes/parser/size.ts'

export const loader = createImporterScreen

export const action = createImporter

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export const meta = placeTitle('Create an importer')

export default function CreateImporter() {
  const screen = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const { search } = useLocation()
  const { source, step, sources, trial, schema } = screen
  const here = `/sources/${source.id}/importers/create`
  const withStep = (to: string | null) => {
    const params = new URLSearchParams(search)
    if (to) params.set('step', to)
    else params.delete('step')
    // Passes the detected options on, so that the next step need not detect them again.
    for (const name of ['foundOut', 'leftOut']) params.delete(name)
    for (const name of ['parser', 'zip', 'selector', 'headerRows', 'leaveOut'] as const)
      if (screen.readingOptions[name]) params.set(name, screen.readingOptions[name])
    return `${here}?${params.toString()}`
  }
  const whereFrom = screen.address
    ? `${here}?${new URLSearchParams({ address: screen.address }).toString()}`
    : here
  const submittedTrial = outcome?.ok && outcome.intent === 'try' ? outcome.result : null
  const trialResult = submittedTrial?.trialResult ?? (trial?.ok ? trial.trialResult : null)
  const label =
    new URLSearchParams(search).get('named') ??
    sources.map((each) => (each as { url: string }).url).join(', ')
  return (
    <Screen
      isStack
      title="Create an importer"
      crumbs={[
        { label: 'Data', to: '/sources' },
        { label: source.name, to: `/sources/${source.id}/importers` },
      ]}
      sub={`It brings rows from elsewhere into ${source.name}, once or on a schedule.`}
    >
      <Steps
        current={{ source: 0, read: 1, fields: 2 }[step]}
        steps={[
          { label: 'Where from', to: whereFrom },
          { label: 'What is read', to: withStep(null) },
          { label: 'Fields', to: null },
          { label: 'Dry run', to: null },
          { label: 'Schedule', to: null },
        ]}
      />
      {step === 'source' ? <SourceStep here={here} /> : null}
      {step === 'read' ? <ReadStep {...{ trialResult, label, here }} fieldsTo={withStep('fields')} /> : null}
      {step === 'fields' && trialResult ? (
        <section className="stack" aria-labelledby="fields">
          <h2 id="fields">What the fields of {source.dataType} are made of</h2>
          {trialResult.error ? <p className="notice is-warning">{trialResult.error}</p> : null}
          <MappingPage
            name={screen.template?.name ?? toImporterName(label)}
            mode={trialResult.guess.id === null ? 'replace' : 'upsert'}
            {...{ schema, sources, trialResult }}
            sets={screen.sets}
            mapping={submittedTrial?.mapping ?? screen.mapping}
            columns={submittedTrial?.columns ?? trialResult.guess.columns}
            paths={trialResult.paths}
          />
        </section>
      ) : null}
      {step === 'read' && trialResult ? (
        <TrialRows
          trialResult={{
            ...trialResult,
            rows: trialResult.rows.map(({ input }) => ({ input, output: input, errors: [] })),
          }}
          fields={trialResult.paths.slice(0, 12).map(({ path }) => ({ key: path, name: path }))}
        />
      ) : null}
    </Screen>
  )
}

/** The choice of the source: a template, or one of the ways. */
function SourceStep({ here }: { here: string }) {
  const screen = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const errors = readFormErrors(outcome)
  const { formValues = {}, submittedSources } = outcome && !outcome.ok ? outcome : {}
  const { template, templates, fillValues, address } = screen
  if (template) return <TemplateForm {...{ template, fillValues, here }} errors={screen.errors} />
  return (
    <Ways
      {...{ sourceId: screen.source.id, here, templates, errors: submittedSources ? undefined : errors }}
      address={{ text: address, errors: screen.errors }}
      remote={{ address: screen.remote, formValues, submittedSources, errors: submittedSources && errors }}
    />
  )
}

interface ReadStepProps {
  trialResult: TrialResult | null
  /** The label of the source. */
  label: string
  here: string
  /** The URL of the next step. */
  fieldsTo: string
}

/** The trial read, its options, and the detected columns. */
function ReadStep({ trialResult, label, here, fieldsTo }: ReadStepProps) {
  const { trial, readingOptions, sources, template } = useLoaderData<typeof loader>()
  const isUnread =
    trial !== null && (!trial.ok || !trial.trialResult.rows.length) && !readingOptions.url.startsWith('file:')
  return (
    <section className="stack" aria-labelledby="read">
      <h2 id="read">What is read</h2>
      {trial && !trial.ok ? <FormError errors={trial} names={[]} /> : null}
      {isUnread && !template && sources.length === 1 ? (
        <p>
          <Link to={`${here}?${new URLSearchParams({ remote: readingOptions.url }).toString()}#request`}>
            It needs headers, parameters, a sign-in or pages
          </Link>
        </p>
      ) : null}
      {trialResult ? <TrialSummary trialResult={trialResult} of={label} /> : null}
      {template ? null : (
        <Form method="get" className="stack">
          {label === readingOptions.url ? null : <input type="hidden" name="named" value={label} />}
          <input type="hidden" name="url" value={readingOptions.url} />
          <ReadFields
            {...readingOptions}
            archive={trialResult?.archives.length === 1 ? (trialResult.archives[0] ?? null) : null}
            selectors={trialResult?.selectors ?? []}
            lists={trialResult?.lists ?? []}
          />
          {trialResult?.grids.length === 1 && trialResult.grids[0] ? (
            <HeaderChoice grid={trialResult.grids[0]} {...readingOptions} />
          ) : null}
          <p>
            <button className="button">Read it so</button>
          </p>
        </Form>
      )}
      {trialResult?.paths.length ? (
        <>
          <h3>Columns</h3>
          <SeenColumns paths={trialResult.paths} />
          <p>
            <Link className="button is-primary" to={fieldsTo}>
              Choose what fields are made of
            </Link>
          </p>
        </>
      ) : null}
    </section>
  )
}

const toImporterName = (label: string) =>
  label
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .split('/')
    .at(-1)
    ?.slice(0, 200) || 'Import'

interface WaysProps {
  sourceId: string
  here: string
  templates: Template[]
  errors: ReturnType<typeof readFormErrors>
  /** The typed URL, and its errors. */
  address: { text: string; errors: FormErrors | null }
  remote: RemoteImporterFormProps
}

/** The ways to give a source. */
function Ways({ sourceId, here, templates, errors, address, remote }: WaysProps) {
  const upload = useUpload(sourceId, here)
  const form = useRef<HTMLFormElement>(null)
  useErrorFocus(form, address.errors ?? undefined)
  return (
    <>
      <FormError errors={errors} names={[]} />
      <div className="ways">
        <section className="stack" aria-labelledby="by-address">
          <h2 id="by-address">From an address</h2>
          <Form method="get" className="form" ref={form}>
            <TextArea
              label="Web address"
              name="url"
              rows={2}
              required
              placeholder="https://"
              defaultValue={address.text}
              errors={address.errors ?? undefined}
              hint="Several, each on a line of its own, are read one after the other. {date} becomes the day of the run."
            />
            <div className="form-actions">
              <button className="button is-primary">Look at it</button>
            </div>
          </Form>
        </section>
        <section className="stack" aria-labelledby="by-file">
          <h2 id="by-file">From a file</h2>
          <UploadForm title="Drop a file here, or choose one" hint={describeUploads()} upload={upload} />
        </section>
      </div>
      <section className="stack" aria-labelledby="by-template">
        <h2 id="by-template">From a portal or feed</h2>
        <ul className="card-grid">
          {templates.map(({ id, name, notes }) => (
            <li key={id}>
              <Link className="card template-card" to={`${here}?template=${id}`}>
                <span className="card-body">
                  <strong>{name}</strong>
                  <span className="muted">{notes}</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </section>
      <RemoteImporterForm {...remote} />
    </>
  )
}

interface TemplateFormProps {
  template: Template
  /** The typed values, in the order of the inputs; '' if empty. */
  fillValues: string[]
  errors: FormErrors | null
  here: string
}

function TemplateForm({ template, fillValues, errors, here }: TemplateFormProps) {
  const fills = openFills(template)
  const form = useRef<HTMLFormElement>(null)
  useErrorFocus(form, errors ?? undefined)
  return (
    <Form method="get" className="form" ref={form}>
      <h2>{template.name}</h2>
      <p>{template.notes}</p>
      <input type="hidden" name="template" value={template.id} />
      {fills.length ? null : <input type="hidden" name="use" value="1" />}
      {fills.map(({ path, label, notes }, i) => (
        <TextField
          key={path.join('.')}
          label={label}
          name={`fill.${i}`}
          hint={notes}
          defaultValue={fillValues[i] || exampleAt(template, path)}
          errors={errors ?? undefined}
        />
      ))}
      {fills.length < template.fill.length ? (
        <p className="muted">Tokens are added afterwards in its settings, where they are kept secret.</p>
      ) : null}
      <div className="form-actions">
        <button className="button is-primary">Look at it</button>
        <Link className="button" to={here}>
          Back
        </Link>
      </div>
    </Form>
  )
}
